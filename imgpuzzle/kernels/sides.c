/* How unlike the sides of tiles are, for all pairs of them. */
#include "kernels.h"

enum {
    TOGETHER = 16, /* sides that one is compared with at once, as sides.py says */
    HALF_WINDOW = 4,
    AT_ONCE = 4, /* numbers whose product is far below the largest float */
};

typedef float Row[TOGETHER];

#if defined(__x86_64__) && !defined(_WIN32)
#define HAS_WIDER
#endif

/* The natural logarithm of a number from 1 on, to about a unit in the last place (the
 * polynomial of Cephes, S. Moshier, 1992). */
static ALWAYS_INLINE float log_of(const float number)
{
    const int32_t root = 0x3f3504f3, one = 0x3f800000; /* the bits of sqrt(1/2) and 1 */
    union {
        float number;
        int32_t bits;
    } part = {number};
    const int32_t from_root = part.bits + (one - root);
    const float power = (float)((from_root >> 23) - 127);
    part.bits = (from_root & 0x7fffff) + root;
    const float x = part.number - 1, square = x * x;
    float sum = 7.0376836292e-2f;
    sum = sum * x - 1.1514610310e-1f;
    sum = sum * x + 1.1676998740e-1f;
    sum = sum * x - 1.2420140846e-1f;
    sum = sum * x + 1.4249322787e-1f;
    sum = sum * x - 1.6668057665e-1f;
    sum = sum * x + 2.0000714765e-1f;
    sum = sum * x - 2.4999993993e-1f;
    sum = sum * x + 3.3333331174e-1f;
    sum = sum * x * square - 2.12194440e-4f * power - 0.5f * square;
    return x + sum + 0.693359375f * power;
}

static ALWAYS_INLINE int64_t within(const int64_t at, const int64_t length)
{
    return at < 0 ? 0 : at < length ? at : length - 1;
}

/* The sides that are compared: `count` of them, `length` px long. Of those that one is
 * compared with, the numbers of one colour at one place lie `stride` apart. */
typedef struct {
    int64_t count, length, stride;
} Sizes;

/* How unlike a side is to others at a place: 1 + squared distance of colours * `scale`.
 * The others lie moved by `shift`. */
static ALWAYS_INLINE void unlike(
    const Sizes sizes, const int64_t at, const int64_t shift, const float *restrict mine,
    const float *restrict theirs, const float *restrict scale, float *restrict out)
{
    const float *luma = theirs + within(at + shift, sizes.length) * sizes.stride;
    const float *red = luma + sizes.length * sizes.stride;
    const float *blue = red + sizes.length * sizes.stride;
    for (int one = 0; one < TOGETHER; one++) {
        const float x = luma[one] - mine[at], y = red[one] - mine[sizes.length + at];
        const float z = blue[one] - mine[2 * sizes.length + at];
        out[one] = 1 + (x * x + y * y + z * z) * scale[one];
    }
}

/* The logarithms of that, all along the side. */
static ALWAYS_INLINE void mismatches(
    const Sizes sizes, const int64_t shift, const float *restrict mine,
    const float *restrict theirs, const Row *restrict scale, Row *restrict out)
{
    for (int64_t at = 0; at < sizes.length; at++) {
        unlike(sizes, at, shift, mine, theirs, scale[at], out[at]);
        for (int one = 0; one < TOGETHER; one++)
            out[at][one] = log_of(out[at][one]);
    }
}

/* The means of those logarithms. */
static ALWAYS_INLINE void mean_mismatches(
    const Sizes sizes, const int64_t wanted, const float *restrict mine,
    const float *restrict theirs, const Row *restrict scale, float *restrict means)
{
    Row sums = {0}, next;
    for (int64_t first = 0; first < sizes.length; first += AT_ONCE) {
        Row product = {0};
        for (int64_t at = first; at < first + AT_ONCE && at < sizes.length; at++) {
            unlike(sizes, at, 0, mine, theirs, scale[at], next);
            for (int one = 0; one < TOGETHER; one++)
                product[one] = at == first ? next[one] : product[one] * next[one];
        }
        for (int one = 0; one < TOGETHER; one++)
            sums[one] += log_of(product[one]);
    }
    for (int64_t one = 0; one < wanted; one++)
        means[one] = sums[one] / (float)sizes.length;
}

/* The means over windows along the sides, at whose ends the outermost value goes on. */
static ALWAYS_INLINE void windowed(
    const int64_t length, const Row *restrict values, Row *restrict out)
{
    Row sums = {0};
    for (int64_t at = -HALF_WINDOW; at < HALF_WINDOW; at++)
        for (int one = 0; one < TOGETHER; one++)
            sums[one] += values[within(at, length)][one];
    for (int64_t at = 0; at < length; at++) {
        const float *next = values[within(at + HALF_WINDOW, length)];
        const float *last = values[within(at - HALF_WINDOW, length)];
        for (int one = 0; one < TOGETHER; one++) {
            sums[one] += next[one];
            out[at][one] = sums[one] * (1.0f / (2 * HALF_WINDOW + 1));
            sums[one] -= last[one];
        }
    }
}

/* The mean of the values along the sides, and the largest, of the first `wanted`. */
static ALWAYS_INLINE void summed_up(
    const int64_t length, const int64_t wanted, const Row *restrict values,
    float *restrict means, float *restrict most)
{
    Row sums = {0}, largest = {0}; /* no value is below 0 */
    for (int64_t at = 0; at < length; at++)
        for (int one = 0; one < TOGETHER; one++) {
            sums[one] += values[at][one];
            largest[one] = values[at][one] > largest[one] ? values[at][one] : largest[one];
        }
    for (int64_t one = 0; one < wanted; one++) {
        means[one] = sums[one] / (float)length;
        most[one] = largest[one];
    }
}

typedef struct {
    const float *mine, *theirs, *rough_mine, *rough_theirs;
    const int64_t *shifts;
    int64_t shift_count;
    bool windows;
} Sides;

static ALWAYS_INLINE void compare(
    const Sizes sizes, const Sides sides, float *restrict room, float *restrict out)
{
    const int64_t count = sizes.count, length = sizes.length, plane = count * count;
    Row *restrict scale = (Row *)room, *restrict logs = scale + length;
    Row *restrict nearest = logs + length, *restrict other = nearest + length;
    float unused[TOGETHER];
    for (int64_t own = 0; own < count; own++)
        for (int64_t first = 0; first < count; first += TOGETHER) {
            const float *mine = sides.mine + own * 3 * length, *theirs = sides.theirs + first;
            const float *rough = sides.rough_theirs + first;
            const int64_t wanted = count - first < TOGETHER ? count - first : TOGETHER;
            float *to = out + own * count + first;
            for (int64_t at = 0; at < length; at++) {
                const float own_rough = sides.rough_mine[own * length + at];
                for (int one = 0; one < TOGETHER; one++)
                    scale[at][one] = 1 / (own_rough + rough[at * sizes.stride + one]);
            }
            if (!sides.windows) {
                mean_mismatches(sizes, wanted, mine, theirs, scale, to);
                continue;
            }
            mismatches(sizes, 0, mine, theirs, scale, logs);
            summed_up(length, wanted, logs, to, unused);
            windowed(length, logs, nearest);
            summed_up(length, wanted, nearest, unused, to + plane);
            for (int64_t number = 0; number < sides.shift_count; number++) {
                mismatches(sizes, sides.shifts[number], mine, theirs, scale, logs);
                windowed(length, logs, other);
                for (int64_t at = 0; at < length; at++)
                    for (int one = 0; one < TOGETHER; one++)
                        nearest[at][one] = other[at][one] < nearest[at][one]
                            ? other[at][one]
                            : nearest[at][one];
            }
            summed_up(length, wanted, nearest, to + 2 * plane, to + 3 * plane);
        }
}

#ifdef HAS_WIDER
/* Twice as many at a time, without other results. */
__attribute__((target("avx2"))) static void compare_wide(
    const Sizes sizes, const Sides sides, float *restrict room, float *restrict out)
{
    compare(sizes, sides, room, out);
}
#endif

/* Compare each of `mine` (count, 3, length) with each of `theirs` (3, length, stride).
 *
 * Distances are heavy-tailed, in units of the roughness of both sides, `rough_mine`
 * (count, length) and `rough_theirs` (length, stride). `out` (4, count, count) becomes
 * their means; if there are `windows`, the largest mean over one; and where in each the
 * nearest counts of the side as it lies and moved by the `shifts`, the mean and the
 * largest of those. `stride` is a multiple of TOGETHER; `room` has 4 x `length` rows to
 * work in. Returns `count`. */
EXPORT int64_t compare_sides(
    int64_t count, int64_t length, int64_t stride, int64_t windows, int64_t shift_count,
    const int64_t *restrict shifts, const float *restrict mine,
    const float *restrict theirs, const float *restrict rough_mine,
    const float *restrict rough_theirs, float *restrict room, float *restrict out)
{
    const Sizes sizes = {count, length, stride};
    const Sides sides
        = {mine, theirs, rough_mine, rough_theirs, shifts, shift_count, windows};
#ifdef HAS_WIDER
    if (__builtin_cpu_supports("avx2")) {
        compare_wide(sizes, sides, room, out);
        return count;
    }
#endif
    compare(sizes, sides, room, out);
    return count;
}

/* The means of `most` at most of the squared lengths of the steps from each of `mine`
 * (count, 3, length) to each of `theirs` (3, length, stride), each step times the matrix
 * of its own side in `whiten` (count, 3, 3); into `out` (count, count). */
EXPORT int64_t compare_steps(
    int64_t count, int64_t length, int64_t stride, double most,
    const float *restrict mine, const float *restrict theirs,
    const float *restrict whiten, float *restrict out)
{
    const float limit = (float)most;
    for (int64_t own = 0; own < count; own++)
        for (int64_t first = 0; first < count; first += TOGETHER) {
            const float *side = mine + own * 3 * length, *by = whiten + own * 9;
            const int64_t wanted = count - first < TOGETHER ? count - first : TOGETHER;
            Row sums = {0};
            for (int64_t at = 0; at < length; at++) {
                const float *luma = theirs + at * stride + first;
                const float *red = luma + length * stride, *blue = red + length * stride;
                for (int one = 0; one < TOGETHER; one++) {
                    const float x = luma[one] - side[at], y = red[one] - side[length + at];
                    const float z = blue[one] - side[2 * length + at];
                    const float u = by[0] * x + by[3] * y + by[6] * z;
                    const float v = by[1] * x + by[4] * y + by[7] * z;
                    const float w = by[2] * x + by[5] * y + by[8] * z;
                    const float square = u * u + v * v + w * w;
                    sums[one] += square < limit ? square : limit;
                }
            }
            for (int64_t one = 0; one < wanted; one++)
                out[own * count + first + one] = sums[one] / (float)length;
        }
    return count;
}

/* The means of the distances of each of `mine` (count, length) to each of `theirs`
 * (length, stride), squared or not, into `out` (count, count). */
EXPORT int64_t compare_lines(
    int64_t count, int64_t length, int64_t stride, int64_t is_squared,
    const float *restrict mine, const float *restrict theirs, float *restrict out)
{
    for (int64_t own = 0; own < count; own++)
        for (int64_t first = 0; first < count; first += TOGETHER) {
            const int64_t wanted = count - first < TOGETHER ? count - first : TOGETHER;
            Row sums = {0};
            for (int64_t at = 0; at < length; at++)
                for (int one = 0; one < TOGETHER; one++) {
                    const float step
                        = theirs[at * stride + first + one] - mine[own * length + at];
                    const float apart = step < 0 ? -step : step;
                    sums[one] += is_squared ? step * step : apart;
                }
            for (int64_t one = 0; one < wanted; one++)
                out[own * count + first + one] = sums[one] / (float)length;
        }
    return count;
}

/* Lower the smallest numbers so far of lines, and the smallest but one, by others. */
static ALWAYS_INLINE void lower(
    const int64_t count, const float *restrict numbers, float *restrict first,
    float *restrict second)
{
    for (int64_t one = 0; one < count; one++) {
        const float number = numbers[one], least = first[one];
        const float larger = number < least ? least : number;
        first[one] = number < least ? number : least;
        second[one] = larger < second[one] ? larger : second[one];
    }
}

/* How each number of `raw` (kinds, count, count) stands to others of its kind.
 *
 * `out` (count, count, width) becomes in its first columns, four a kind: the number, what
 * it is beyond the smallest other one of its row, beyond that of its column, and beyond
 * the `middle` (kinds); 0 on the diagonals, which are above all others. Fewer than three
 * have no rivals. `room` (4, kinds, count) is to work in. Returns `count`. */
EXPORT int64_t beside_rivals(
    int64_t kinds, int64_t count, int64_t width, const float *restrict raw,
    const float *restrict middle, float *restrict room, float *restrict out)
{
    const int64_t lines = kinds * count;
    float *restrict row_first = room, *restrict row_second = room + lines;
    float *restrict column_first = room + 2 * lines;
    float *restrict column_second = room + 3 * lines;
    for (int64_t at = 0; at < 4 * lines; at++)
        room[at] = count < 3 ? 0 : 3e38f;
    for (int64_t line = 0; line < lines && count > 2; line++) {
        const float *numbers = raw + line * count;
        const int64_t kind = line / count;
        lower(count, numbers, column_first + kind * count, column_second + kind * count);
        Row first, second;
        for (int one = 0; one < TOGETHER; one++)
            first[one] = second[one] = 3e38f;
        int64_t at = 0;
        for (; at + TOGETHER <= count; at += TOGETHER)
            lower(TOGETHER, numbers + at, first, second);
        for (int one = 0; one < TOGETHER; one++) {
            lower(1, first + one, row_first + line, row_second + line);
            lower(1, second + one, row_first + line, row_second + line);
        }
        for (; at < count; at++)
            lower(1, numbers + at, row_first + line, row_second + line);
    }
    for (int64_t row = 0; row < count; row++)
        for (int64_t column = 0; column < count; column++) {
            float *to = out + (row * count + column) * width;
            if (row == column) {
                memset(to, 0, (size_t)(4 * kinds) * sizeof *to);
                continue;
            }
            for (int64_t kind = 0; kind < kinds; kind++, to += 4) {
                const int64_t mine = kind * count + row, theirs = kind * count + column;
                const float number = raw[mine * count + column];
                to[0] = number;
                to[1] = number
                    - (number == row_first[mine] ? row_second[mine] : row_first[mine]);
                to[2] = number
                    - (number == column_first[theirs] ? column_second[theirs]
                                                      : column_first[theirs]);
                to[3] = number - middle[kind];
            }
        }
    return count;
}
