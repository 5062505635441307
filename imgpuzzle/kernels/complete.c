/* All positions of a small board at once: how far each is from the goal. */
#include "kernels.h"

enum { MOST_SMALL_CELLS = 12 };

/* What is known of a position while layers spread: one of two marks for those that
 * wait, so that a layer and the next one can be told apart. */
enum { DONE = 0, UNSEEN = 3 };

/* A position's number is `blank * orders + rank / 2`: `rank` is the lexicographic rank of
 * the tiles in reading order, `orders` = (N - 1)! / 2. The last bit of the rank is known
 * from the blank's row, because a slide along a row keeps that order and one along a
 * column carries a tile past `cols` - 1 others. Tile t belongs before tile t + 1, and
 * the blank's home is `home`, so that the goal's order is the identity. */
typedef struct {
    int64_t rows, cols, home, cells, tiles;
    int64_t orders; /* positions that have the blank in one cell */
    int64_t half[MOST_SMALL_CELLS]; /* what a digit counts, halved: (tiles - 1 - i)! / 2 */
} Small;

static Small small_board(int64_t rows, int64_t cols, int64_t home)
{
    Small board = { rows, cols, home, rows * cols, rows * cols - 1, 1, { 0 } };
    int64_t factor = 1;
    for (int64_t i = board.tiles - 3; i >= 0; i--) {
        if (i < board.tiles - 3)
            factor *= board.tiles - 1 - i;
        board.half[i] = factor;
    }
    for (int64_t i = 3; i <= board.tiles; i++)
        board.orders *= i;
    return board;
}

/* Whether the order of the tiles is odd when the blank lies in a cell. */
static int64_t is_odd(const Small *board, int64_t blank)
{
    const int64_t rows = blank / board->cols - board->home / board->cols;
    return board->cols % 2 == 0 && (rows & 1);
}

/* The number of a position, or -1 when the goal cannot be reached from it. */
static int64_t number_of(const Small *board, const uint8_t *cells, int64_t blank)
{
    uint32_t before = 0;
    int64_t rank = 0, sum = 0, i = 0;
    for (int64_t cell = 0; cell < board->cells; cell++) {
        if (cell == blank)
            continue;
        const uint32_t tile = cells[cell];
        const int64_t digit
            = tile - 1 - popcount(before & ((UINT32_C(1) << tile) - 1));
        before |= UINT32_C(1) << tile;
        if (i < board->tiles - 2)
            rank += digit * board->half[i];
        sum += digit;
        i++;
    }
    if ((sum & 1) != is_odd(board, blank))
        return -1;
    return blank * board->orders + rank;
}

/* Lays out the position of a number; returns the blank's cell. */
static int64_t lay_out(const Small *board, int64_t number, uint8_t *cells)
{
    const int64_t blank = number / board->orders;
    int64_t rank = number % board->orders, sum = 0;
    uint32_t left = ((UINT32_C(1) << board->tiles) - 1) << 1;
    int64_t cell = 0;
    for (int64_t i = 0; i < board->tiles; i++, cell++) {
        int64_t digit = 0;
        if (i < board->tiles - 2) {
            digit = rank / board->half[i];
            rank %= board->half[i];
        } else if (i == board->tiles - 2) {
            digit = (sum & 1) != is_odd(board, blank);
        }
        sum += digit;
        uint32_t rest = left;
        while (digit--)
            rest &= rest - 1;
        const int64_t tile = trailing_zeros(rest);
        left &= ~(UINT32_C(1) << tile);
        if (cell == blank)
            cells[cell++] = 0;
        cells[cell] = (uint8_t)tile;
    }
    cells[blank] = 0;
    return blank;
}

/* The numbers of all positions one move away, and the cells that the blank goes to:
 * left, right, up, down; nearest first where a slide may carry several tiles. */
static int64_t around(
    const Small *board, bool slides, uint8_t *cells, int64_t blank, int64_t *numbers,
    int64_t *targets)
{
    const int64_t steps[4] = { -1, 1, -board->cols, board->cols };
    const int64_t row = blank / board->cols, col = blank % board->cols;
    const int64_t room[4] = { col, board->cols - 1 - col, row, board->rows - 1 - row };
    int64_t count = 0;
    for (int64_t way = 0; way < 4; way++) {
        const int64_t most = slides ? room[way] : room[way] > 0;
        int64_t at = blank;
        for (int64_t i = 0; i < most; i++) {
            const int64_t to = at + steps[way];
            cells[at] = cells[to];
            cells[to] = 0;
            at = to;
            numbers[count] = number_of(board, cells, at);
            targets[count++] = at;
        }
        for (int64_t i = 0; i < most; i++) {
            const int64_t to = at - steps[way];
            cells[at] = cells[to];
            cells[to] = 0;
            at = to;
        }
    }
    return count;
}

/* The number of each of `count` positions (count, N) into `numbers` (count); -1 for one
 * from which the goal cannot be reached. The labels of each are 0 to N - 1, once each. */
EXPORT void number_positions(
    int64_t rows, int64_t cols, int64_t home, int64_t count,
    const uint8_t *restrict positions, int64_t *restrict numbers)
{
    const Small board = small_board(rows, cols, home);
    for (int64_t i = 0; i < count; i++) {
        const uint8_t *cells = positions + i * board.cells;
        int64_t blank = 0;
        while (cells[blank])
            blank++;
        numbers[i] = number_of(&board, cells, blank);
    }
}

/* The position (count, N) of each of the `numbers` (count). */
EXPORT void lay_out_positions(
    int64_t rows, int64_t cols, int64_t home, int64_t count,
    const int64_t *restrict numbers, uint8_t *restrict positions)
{
    const Small board = small_board(rows, cols, home);
    for (int64_t i = 0; i < count; i++)
        lay_out(&board, numbers[i], positions + i * board.cells);
}

/* One layer of a breadth-first search, for the positions of some words of `seen`.
 *
 * `seen` holds 32 positions in each of its 64-bit words. The positions of the words
 * `first` to `end` that are marked as `depth` moves away (1 or 2, as `depth` is even or
 * odd) become DONE; those around them that are UNSEEN are marked as one move farther,
 * and get that into `distance` unless it has no room (`known` = 0). Returns how many. */
EXPORT int64_t spread_layer(
    int64_t rows, int64_t cols, int64_t home, bool slides, int64_t depth, int64_t first,
    int64_t end, uint64_t *restrict seen, int64_t known, uint8_t *restrict distance)
{
    const Small board = small_board(rows, cols, home);
    const uint64_t low = UINT64_C(0x5555555555555555);
    const uint64_t mark = 1 + (depth & 1), next = 3 - mark, here = low * mark;
    uint8_t cells[MOST_SMALL_CELLS];
    int64_t numbers[2 * MOST_SMALL_CELLS], targets[2 * MOST_SMALL_CELLS];
    int64_t found = 0;
    for (int64_t word = first; word < end; word++) {
        const uint64_t differs = seen[word] ^ here;
        uint64_t equal = ~(differs | differs >> 1) & low;
        for (; equal; equal &= equal - 1) {
            const int64_t bit = trailing_zeros(equal);
            seen[word] &= ~(UINT64_C(3) << bit);
            const int64_t blank = lay_out(&board, 32 * word + bit / 2, cells);
            const int64_t count = around(&board, slides, cells, blank, numbers, targets);
            for (int64_t i = 0; i < count; i++) {
                const int64_t place = 2 * (numbers[i] & 31);
                uint64_t *at = seen + numbers[i] / 32;
                if ((*at >> place & 3) != UNSEEN)
                    continue;
                *at ^= (UNSEEN ^ next) << place;
                if (known)
                    distance[numbers[i]] = (uint8_t)(depth + 1);
                found++;
            }
        }
    }
    return found;
}

/* The number of shortest solutions of the positions `first` to `end` that are `depth`
 * moves away, into `ways`, from those that are one move nearer. */
EXPORT void count_ways(
    int64_t rows, int64_t cols, int64_t home, bool slides, int64_t depth, int64_t first,
    int64_t end, const uint8_t *restrict distance, int64_t *restrict ways)
{
    const Small board = small_board(rows, cols, home);
    uint8_t cells[MOST_SMALL_CELLS];
    int64_t numbers[2 * MOST_SMALL_CELLS], targets[2 * MOST_SMALL_CELLS];
    for (int64_t number = first; number < end; number++) {
        if (distance[number] != depth)
            continue;
        const int64_t blank = lay_out(&board, number, cells);
        const int64_t count = around(&board, slides, cells, blank, numbers, targets);
        int64_t sum = 0;
        for (int64_t i = 0; i < count; i++)
            if (distance[numbers[i]] == depth - 1)
                sum += ways[numbers[i]];
        ways[number] = sum;
    }
}

/* A shortest solution of each of `count` positions (count, N), which can be solved.
 *
 * `moves` (count, longest) gets the cells whose tiles slide, or with `slides` those
 * that the blank goes to; -1 after the last one. Of several the first in the order
 * left, right, up, down is taken. */
EXPORT void walk_home(
    int64_t rows, int64_t cols, int64_t home, bool slides, int64_t count,
    int64_t longest, const uint8_t *restrict positions, const uint8_t *restrict distance,
    int8_t *restrict moves)
{
    const Small board = small_board(rows, cols, home);
    uint8_t cells[MOST_SMALL_CELLS];
    int64_t numbers[2 * MOST_SMALL_CELLS], targets[2 * MOST_SMALL_CELLS];
    for (int64_t i = 0; i < count; i++) {
        memcpy(cells, positions + i * board.cells, (size_t)board.cells);
        int8_t *way = moves + i * longest;
        int64_t blank = 0;
        while (cells[blank])
            blank++;
        int64_t number = number_of(&board, cells, blank);
        for (int64_t step = 0; step < longest; step++) {
            if (distance[number] == 0) {
                way[step] = -1;
                continue;
            }
            const int64_t around_it
                = around(&board, slides, cells, blank, numbers, targets);
            for (int64_t j = 0; j < around_it; j++) {
                if (distance[numbers[j]] + 1 != distance[number])
                    continue;
                number = numbers[j];
                way[step] = (int8_t)targets[j];
                break;
            }
            blank = lay_out(&board, number, cells);
        }
    }
}
