/* The convolutions of small nets. */
#include "kernels.h"

enum { TOGETHER = 4, COLUMNS = 8 }; /* channels and columns whose sums are in registers */

typedef struct {
    int64_t channels, height, width, high, wide;
} Sizes;

typedef float Four __attribute__((vector_size(16)));

/* Every `step`-th of the floats at `from`. */
static ALWAYS_INLINE Four four(const float *from, const int64_t step)
{
    Four found;
    if (step != 1)
        return (Four){from[0], from[step], from[2 * step], from[3 * step]};
    memcpy(&found, from, sizeof found);
    return found;
}

/* Sum up, for channels with these `kernels`, the columns that begin at `corner`. */
static ALWAYS_INLINE void sum_up(
    const Sizes sizes, const float *restrict corner, const float *const kernels[TOGETHER],
    const int64_t step, float sums[restrict TOGETHER][COLUMNS])
{
    Four found[TOGETHER][2] = {{{0}}};
    int64_t at = 0;
    for (int64_t channel = 0; channel < sizes.channels; channel++)
        for (int64_t y = 0; y < sizes.high; y++) {
            const float *line = corner + (channel * sizes.height + y) * sizes.width;
            for (int64_t x = 0; x < sizes.wide; x++, at++) {
                const Four near = four(line + x, step);
                const Four far = four(line + x + 4 * step, step);
                for (int one = 0; one < TOGETHER; one++) {
                    found[one][0] += kernels[one][at] * near;
                    found[one][1] += kernels[one][at] * far;
                }
            }
        }
    memcpy(sums, found, sizeof found);
}

/* Convolve `count` maps (channels, height, width), which have their rims already, with
 * `kernels` (made, channels, high, wide), `step` apart, and add `bias` (made); `out`
 * becomes (count, made, rows, columns). All are floats of 32 bits. Behind the maps there is
 * room for COLUMNS * `step` more, which are read and do not count. Returns the rows. */
EXPORT int64_t convolve(
    int64_t count, int64_t channels, int64_t height, int64_t width, int64_t made,
    int64_t high, int64_t wide, int64_t step, const float *restrict maps,
    const float *restrict kernels, const float *restrict bias, float *restrict out)
{
    const int64_t rows = (height - high) / step + 1, cols = (width - wide) / step + 1;
    const Sizes sizes = {channels, height, width, high, wide};
    float sums[TOGETHER][COLUMNS];
    for (int64_t map = 0; map < count; map++)
        for (int64_t first = 0; first < made; first += TOGETHER) {
            const float *own[TOGETHER];
            for (int64_t one = 0; one < TOGETHER; one++) {
                /* Behind the last channel the last is summed again. */
                const int64_t to = first + one < made ? first + one : made - 1;
                own[one] = kernels + to * channels * high * wide;
            }
            for (int64_t row = 0; row < rows; row++)
                for (int64_t begin = 0; begin < cols; begin += COLUMNS) {
                    const float *corner
                        = maps + (map * channels * height + row * step) * width + begin * step;
                    if (step == 1)
                        sum_up(sizes, corner, own, 1, sums);
                    else
                        sum_up(sizes, corner, own, step, sums);
                    for (int64_t one = 0; one < TOGETHER && first + one < made; one++)
                        for (int64_t col = 0; col < COLUMNS && begin + col < cols; col++)
                            out[((map * made + first + one) * rows + row) * cols + begin + col]
                                = sums[one][col] + bias[first + one];
                }
        }
    return rows;
}
