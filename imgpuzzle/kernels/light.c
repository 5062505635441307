/* IDA* (R. E. Korf, 1985) over boards of distinct tiles with a bound that needs no
 * tables: distances and linear conflicts. It counts and prunes exactly as
 * `classic/deepening.py` does, whose plain Python is its model. */
#include "kernels.h"

enum { MOST_LINE = 1024 }; /* cells of a row or column: of a board, too */

typedef struct {
    int64_t rows, cols;
    const uint16_t *home; /* (cells + 1): by label its home cell */
    uint16_t *cells;      /* (cells): the position, 0 is the blank */
} Board;

/* Twice the number of tiles of a line that have to leave it: those at home in it, but
 * for a longest sequence in the order of their homes. Axis 0 is of columns, whose line
 * is a row. */
static int64_t conflicts(const Board *board, int64_t line, int64_t is_row)
{
    const int64_t cols = board->cols, length = is_row ? cols : board->rows;
    int16_t least[MOST_LINE]; /* patience, from the left */
    int64_t longest = 0, count = 0;
    for (int64_t place = 0; place < length; place++) {
        const int64_t cell = is_row ? line * cols + place : place * cols + line;
        const int64_t label = board->cells[cell];
        if (label == 0)
            continue;
        const int64_t home = board->home[label];
        if ((is_row ? home / cols : home % cols) != line)
            continue;
        const int64_t rank = is_row ? home % cols : home / cols;
        int64_t pile = 0;
        while (pile < longest && least[pile] < rank)
            pile++;
        least[pile] = (int16_t)rank;
        longest += pile == longest;
        count++;
    }
    return 2 * (count - longest);
}

/* The bound of the position that the board shows. */
EXPORT int64_t light_bound(
    int64_t rows, int64_t cols, const uint16_t *home, uint16_t *cells)
{
    const Board board = {rows, cols, home, cells};
    int64_t bound = 0;
    for (int64_t cell = 0; cell < rows * cols; cell++)
        if (cells[cell] != 0) {
            const int64_t at = home[cells[cell]];
            const int64_t down = at / cols - cell / cols, right = at % cols - cell % cols;
            bound += (down < 0 ? -down : down) + (right < 0 ? -right : right);
        }
    for (int64_t row = 0; row < rows; row++)
        bound += conflicts(&board, row, 1);
    for (int64_t col = 0; col < cols; col++)
        bound += conflicts(&board, col, 0);
    return bound;
}

/* Slide the tile of `origin` into the empty cell `target` beside it. Returns by how much
 * the bound changes: only lines along which the tile does not move can have other
 * conflicts, and of those only its home. */
static int64_t slide(const Board *board, int64_t origin, int64_t target, bool is_vertical)
{
    const int64_t cols = board->cols, label = board->cells[origin];
    const int64_t home = board->home[label];
    const int64_t aim = is_vertical ? home / cols : home % cols;
    const int64_t from = is_vertical ? origin / cols : origin % cols;
    const int64_t to = is_vertical ? target / cols : target % cols;
    const bool is_touched = aim == from || aim == to;
    int64_t change = (to < aim ? aim - to : to - aim) - (from < aim ? aim - from : from - aim);
    if (is_touched)
        change -= conflicts(board, aim, is_vertical);
    board->cells[target] = (uint16_t)label;
    board->cells[origin] = 0;
    if (is_touched)
        change += conflicts(board, aim, is_vertical);
    return change;
}

/* Go on with the search for a solution of `bound` moves, for some `most_nodes`.
 *
 * `automaton` (states, 4) has by state and side the next state, -1 where that is forbidden.
 * `counters` has the depth reached and is added the nodes generated. By depth, 0 to
 * `bound`: the blank's cell in `blanks`, the automaton's state in `states`, how many
 * directions are `tried`, and the bound of the position in `least`. At the beginning the
 * depth is 0, and `cells`, `blanks[0]`, `states[0]` = 0, `tried[0]` = 0 and `least[0]` are
 * set. Returns the number of moves of a solution, whose blanks are in `blanks`, 0 when the
 * nodes are used up, and -1 when there is none. */
EXPORT int64_t descend_light(
    int64_t rows, int64_t cols, const uint16_t *home, const int16_t *automaton,
    int64_t bound, int64_t most_nodes, uint16_t *cells, uint16_t *blanks, int16_t *states,
    int16_t *tried, int16_t *least, int64_t *counters)
{
    /* Left, right, up, down; the axis of the last move comes first, vertical at first. */
    static const int64_t orders[2][4] = {{2, 3, 0, 1}, {0, 1, 2, 3}};
    const Board board = {rows, cols, home, cells};
    const int64_t steps[4] = {-1, 1, -cols, cols};
    int64_t depth = counters[0], nodes = 0;
    for (;;) {
        const int64_t blank = blanks[depth], row = blank / cols, col = blank % cols;
        const bool is_open[4] = {col > 0, col < cols - 1, row > 0, row < rows - 1};
        const int16_t *next = automaton + 4 * states[depth];
        if (tried[depth] == 0) {
            if (nodes >= most_nodes)
                break;
            for (int64_t side = 0; side < 4; side++)
                nodes += is_open[side] && next[side] >= 0;
        }
        if (tried[depth] == 4 || depth == bound) {
            if (depth == 0) {
                counters[1] += nodes;
                return -1;
            }
            /* Take the last move back. */
            cells[blank] = cells[blanks[depth - 1]];
            cells[blanks[depth - 1]] = 0;
            depth--;
            continue;
        }
        const bool is_across = depth > 0 && row == blanks[depth - 1] / cols;
        const int64_t side = orders[is_across][tried[depth]++];
        if (!is_open[side] || next[side] < 0)
            continue;
        const int64_t origin = blank + steps[side];
        const int64_t after = least[depth] + slide(&board, origin, blank, side >= 2);
        if (after > bound - depth - 1) {
            cells[origin] = cells[blank];
            cells[blank] = 0;
            continue;
        }
        depth++;
        blanks[depth] = (uint16_t)origin;
        states[depth] = next[side];
        tried[depth] = 0;
        least[depth] = (int16_t)after;
        if (after == 0) {
            counters[0] = depth;
            counters[1] += nodes;
            return depth;
        }
    }
    counters[0] = depth;
    counters[1] += nodes;
    return 0;
}
