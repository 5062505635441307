/* Positions of boards with many equal tiles, numbered without gaps. */
#include "kernels.h"

/* Two bits a position say how far it is from an end: 0 for unseen, else 1 + the distance
 * modulo 3. The distances of two positions one move apart differ by one at most, so this
 * tells which of them is nearer. */
enum { UNSEEN = 0, MARKS_A_BYTE = 4 };

/* How positions are numbered: `blank * step + order`, where the order is that of the
 * tiles' kinds in reading order without the blank. The kinds' places are combinations,
 * numbered as sums of binomials (D. H. Lehmer, 1964), each among the places that the
 * kinds before it leave; the last, most frequent one has no choice. */
typedef struct {
    int64_t rows, cols, kinds, step, wide;
    const int64_t *counts;      /* (kinds) tiles of each kind */
    const int64_t *orders;      /* (kinds) numbers of its combination */
    const uint32_t *binomials;  /* (places, wide): places choose tiles */
} Numbering;

/* The number of the order of kinds, `places` of them. */
static int64_t order_of(const Numbering *board, const uint8_t *kinds)
{
    const int64_t places = board->rows * board->cols - 1;
    uint8_t left[MOST_CELLS];
    int64_t number = 0, count = places;
    memcpy(left, kinds, (size_t)places);
    for (int64_t kind = 0; kind + 1 < board->kinds; kind++) {
        const uint32_t *choose = board->binomials + 1;
        int64_t taken = 0, kept = 0, digit = 0;
        for (int64_t i = 0; i < count; i++, choose += board->wide) {
            const int64_t is = left[i] == kind;
            digit += choose[taken] & -(uint32_t)is;
            taken += is;
            left[kept] = left[i];
            kept += !is;
        }
        number = number * board->orders[kind] + digit;
        count = kept;
    }
    return number;
}

/* The kinds of a numbered order. */
static void lay_out_order(const Numbering *board, int64_t number, uint8_t *kinds)
{
    const int64_t places = board->rows * board->cols - 1, last = board->kinds - 1;
    int64_t digits[MOST_CELLS];
    uint8_t slots[MOST_CELLS];
    for (int64_t kind = last - 1; kind >= 0; kind--) {
        digits[kind] = number % board->orders[kind];
        number /= board->orders[kind];
    }
    /* The free places from the last one down: so one pass may shorten the list. */
    for (int64_t i = 0; i < places; i++)
        slots[i] = (uint8_t)(places - 1 - i);
    int64_t count = places;
    for (int64_t kind = 0; kind < last; kind++) {
        int64_t tiles = board->counts[kind], digit = digits[kind], kept = 0;
        for (int64_t i = 0; i < count; i++) {
            const int64_t choose = board->binomials[(count - 1 - i) * board->wide + tiles];
            if (tiles && digit >= choose) {
                digit -= choose;
                tiles--;
                kinds[slots[i]] = (uint8_t)kind;
            } else {
                slots[kept++] = slots[i];
            }
        }
        count = kept;
    }
    for (int64_t i = 0; i < count; i++)
        kinds[slots[i]] = (uint8_t)last;
}

/* The numbers of the positions around one; `slides` may carry several tiles. A slide
 * along a row keeps the order, one along a column carries a tile past `cols` - 1. */
static int64_t around(
    const Numbering *board, bool slides, int64_t number, int64_t *restrict numbers)
{
    const int64_t cols = board->cols, places = board->rows * cols - 1;
    const int64_t blank = number / board->step, order = number % board->step;
    const int64_t row = blank / cols, col = blank % cols;
    const int64_t most = slides ? MOST_CELLS : 1;
    uint8_t kinds[MOST_CELLS], turned[MOST_CELLS];
    int64_t count = 0;
    for (int64_t i = 1; i <= most && i <= col; i++)
        numbers[count++] = number - i * board->step;
    for (int64_t i = 1; i <= most && i < cols - col; i++)
        numbers[count++] = number + i * board->step;
    lay_out_order(board, order, kinds);
    memcpy(turned, kinds, (size_t)places);
    for (int64_t i = 1; i <= most && i <= row; i++) {
        const int64_t at = blank - i * cols;
        const uint8_t tile = turned[at];
        memmove(turned + at, turned + at + 1, (size_t)cols - 1);
        turned[at + cols - 1] = tile;
        numbers[count++] = at * board->step + order_of(board, turned);
    }
    memcpy(turned, kinds, (size_t)places);
    for (int64_t i = 1; i <= most && i < board->rows - row; i++) {
        const int64_t at = blank + (i - 1) * cols;
        const uint8_t tile = turned[at + cols - 1];
        memmove(turned + at + 1, turned + at, (size_t)cols - 1);
        turned[at] = tile;
        numbers[count++] = (at + cols) * board->step + order_of(board, turned);
    }
    return count;
}

static inline int64_t mark_of(const uint8_t *marks, int64_t number)
{
    return marks[number / MARKS_A_BYTE] >> 2 * (number % MARKS_A_BYTE) & 3;
}

/* The number of a position: `kinds` (N - 1) without the blank, which lies in `blank`. */
EXPORT int64_t number_multiset(
    const Numbering *restrict board, int64_t blank, const uint8_t *restrict kinds)
{
    return blank * board->step + order_of(board, kinds);
}

/* The numbers of the positions around one, into `numbers`; returns how many. */
EXPORT int64_t around_multiset(
    const Numbering *restrict board, bool slides, int64_t number,
    int64_t *restrict numbers)
{
    return around(board, slides, number, numbers);
}

/* Go one move on from the positions `first` to `end` of a `layer`.
 *
 * Those that are unseen get `mark` in `mine` and are put into `found`, which has room for
 * all. The first of them that `theirs` marks, where both searches meet, is put into
 * `met`. Returns how many were found. */
EXPORT int64_t spread_multiset(
    const Numbering *restrict board, bool slides, int64_t mark,
    const uint32_t *restrict layer, int64_t first, int64_t end, uint8_t *restrict mine,
    const uint8_t *restrict theirs, uint32_t *restrict found, int64_t *restrict met)
{
    int64_t numbers[2 * MOST_CELLS], count = 0;
    for (int64_t i = first; i < end; i++) {
        const int64_t beside = around(board, slides, layer[i], numbers);
        for (int64_t j = 0; j < beside; j++) {
            const int64_t number = numbers[j];
            if (mark_of(mine, number) != UNSEEN)
                continue;
            mine[number / MARKS_A_BYTE]
                |= (uint8_t)(mark << 2 * (number % MARKS_A_BYTE));
            found[count++] = (uint32_t)number;
            if (*met < 0 && mark_of(theirs, number) != UNSEEN)
                *met = number;
        }
    }
    return count;
}
