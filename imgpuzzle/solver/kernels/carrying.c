/* Tiles are carried over a large board; imgpuzzle.solver.first.far_site says how.
 *
 * Directions and sides are 0 up, 1 right, 2 down, 3 left; a tile is pushed in the
 * direction of the side on which the blank stands. The eight cells around a cell are
 * its ring, clockwise from the one above, so ring cell 2 * side is the neighbour on
 * that side. */
#include "kernels.h"

/* As the Python class Ground, which explains each field. */
typedef struct {
    int64_t rows, cols, size, straight_gain;
    int32_t *cells;       /* (size) */
    int32_t *where;       /* (size + 1) */
    const uint8_t *fixed; /* (size) */
    const uint8_t *walls; /* (size) */
    const int16_t *homes; /* (4, size + 1) */
    int32_t *gains;       /* (size) */
    uint16_t *ways;       /* (3, longest) */
    int64_t longest;
} Ground;

typedef struct {
    int64_t gain, length; /* a length of -1: there is no such way */
} Way;

enum {
    NO_WAY = -1000000, /* a gain that no way can make good */
    LONGEST_PUSH = 7,  /* moves: six round the tile, and the push */
    WALLED_UP = 8,     /* more than any way round the tile */
};

static inline int64_t least_of(int64_t one, int64_t other) { return one < other ? one : other; }

static inline int64_t most_of(int64_t one, int64_t other) { return one > other ? one : other; }

static inline int64_t row_of(const Ground *ground, int64_t cell) { return cell / ground->cols; }

static inline int64_t col_of(const Ground *ground, int64_t cell) { return cell % ground->cols; }

/* By label, how far along a direction its home lies. */
static inline const int16_t *homes_along(const Ground *ground, int64_t direction)
{
    return ground->homes + direction * (ground->size + 1);
}

/* How far along a direction a cell lies: as far as the home of the tile that belongs there. */
static inline int64_t along(const Ground *ground, int64_t direction, int64_t cell)
{
    return homes_along(ground, direction)[cell + 1];
}

static inline int64_t step_of(const Ground *ground, int64_t direction)
{
    const int64_t steps[4] = {-ground->cols, 1, ground->cols, -1};
    return steps[direction];
}

static inline int64_t distance(const Ground *ground, int64_t one, int64_t other)
{
    const int64_t down = row_of(ground, one) - row_of(ground, other);
    const int64_t right = col_of(ground, one) - col_of(ground, other);
    return (down < 0 ? -down : down) + (right < 0 ? -right : right);
}

/* A place of the ring around a cell; -1 off the board. */
static int64_t in_ring(const Ground *ground, int64_t cell, int64_t place)
{
    static const int8_t downs[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    static const int8_t rights[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    const int64_t row = row_of(ground, cell) + downs[place & 7];
    const int64_t col = col_of(ground, cell) + rights[place & 7];
    const bool is_inside = row >= 0 && row < ground->rows && col >= 0 && col < ground->cols;
    return is_inside ? row * ground->cols + col : -1;
}

static inline bool is_free(const Ground *ground, int64_t cell)
{
    return cell >= 0 && !ground->fixed[cell];
}

/* As the Python function of the same name: the fewest moves that carry a tile so far,
 * with the blank on a side of it. */
static int64_t push_costs(int64_t down, int64_t right, int64_t side)
{
    const int64_t rows = down < 0 ? -down : down, cols = right < 0 ? -right : right;
    const int64_t firsts[2] = {down < 0 ? 0 : 2, right < 0 ? 3 : 1};
    int64_t least = INT64_MAX;
    if (!rows && !cols)
        return 0;
    for (int turned = 0; turned < 2; turned++) {
        const int64_t ahead = turned ? cols : rows, across = turned ? rows : cols;
        if (!ahead)
            continue;
        const int64_t straight = most_of(ahead - 1 - across, 0) + most_of(across - ahead, 0);
        const int64_t first = firsts[turned];
        const int64_t turning = first == side ? 0 : first == (side ^ 2) ? 4 : 2;
        least = least_of(least, 3 * (rows + cols) - 2 + 2 * straight + turning);
    }
    return least;
}

static int64_t push_costs_between(const Ground *ground, int64_t at, int64_t cell, int64_t side)
{
    return push_costs(
        row_of(ground, cell) - row_of(ground, at), col_of(ground, cell) - col_of(ground, at),
        side);
}

/* The blank goes beside a tile */

/* The best of the ways from `begin` to `end` that never turn back and go round `at`: a
 * staircase through the rectangle between them, row by row. */
static Way staircase(
    const Ground *ground, int64_t begin, int64_t end, int64_t at, uint16_t *restrict way)
{
    const int64_t from_row = row_of(ground, begin), from_col = col_of(ground, begin);
    const int64_t to_row = row_of(ground, end), to_col = col_of(ground, end);
    const int64_t at_row = row_of(ground, at), at_col = col_of(ground, at);
    const int64_t down = to_row > from_row ? 2 : 0, right = to_col > from_col ? 1 : 3;
    const int64_t high = to_row > from_row ? to_row - from_row : from_row - to_row;
    const int64_t wide = to_col > from_col ? to_col - from_col : from_col - to_col;
    const bool is_within
        = least_of(from_row, to_row) <= at_row && at_row <= most_of(from_row, to_row)
        && least_of(from_col, to_col) <= at_col && at_col <= most_of(from_col, to_col);
    const bool is_open = !ground->walls[begin] && !ground->walls[end] && !is_within;
    const Way none = {0, -1};
    const int64_t row_room = wide + 1;
    const int64_t step_down = step_of(ground, down), step_right = step_of(ground, right);
    const int16_t *restrict home_down = homes_along(ground, down);
    const int16_t *restrict home_right = homes_along(ground, right);
    const int64_t first = along(ground, right, begin), limit = along(ground, down, begin);
    int32_t *restrict gains = ground->gains;
    for (int64_t row = 0; row <= high; row++) {
        int32_t *restrict here = gains + row * row_room;
        const int32_t *restrict above = here - row_room;
        int64_t cell = begin + row * step_down;
        int32_t gain = row ? NO_WAY : 0;
        for (int64_t col = 0; col <= wide; col++, cell += step_right) {
            /* The way begins with nothing gained, whatever lies there. */
            const int64_t tile = row || col ? ground->cells[cell] : 0;
            gain += home_right[tile] < first + col;
            if (row) {
                const int32_t over = above[col] + (home_down[tile] < limit + row);
                gain = over > gain ? over : gain;
            }
            if (!is_open && (cell == at || ground->fixed[cell]))
                gain = NO_WAY;
            here[col] = gain;
        }
    }
    const Way found = {gains[high * row_room + wide], high + wide};
    if (found.gain < 0)
        return none;
    int64_t row = high, col = wide, cell = end;
    while (row || col) {
        const int32_t *here = gains + row * row_room + col;
        way[row + col - 1] = (uint16_t)cell;
        if (row
            && here[-row_room] + (home_down[ground->cells[cell]] < limit + row) == *here) {
            row--;
            cell -= step_down;
        } else {
            col--;
            cell -= step_right;
        }
    }
    return found;
}

/* Whether one way is better than another: it gains more, or comes later by its cells. */
static bool is_better(Way one, const uint16_t *cells, Way other, const uint16_t *others)
{
    if (one.length < 0 || other.length < 0)
        return one.length >= 0;
    if (one.gain != other.gain)
        return one.gain > other.gain;
    const int64_t both = least_of(one.length, other.length);
    for (int64_t place = 0; place < both; place++)
        if (cells[place] != others[place])
            return cells[place] > others[place];
    return one.length > other.length;
}

/* Whether the tile at `at` stands right between the blank and that side of it. */
static bool is_behind(const Ground *ground, int64_t blank, int64_t at, int64_t side)
{
    return along(ground, side ^ 1, blank) == along(ground, side ^ 1, at)
        && along(ground, side, blank) < along(ground, side, at);
}

/* The best shortest way of the blank to a side of `at`, in the first of `ways`; the
 * second is for another one. */
static Way way_beside(
    const Ground *ground, int64_t blank, int64_t at, int64_t side, uint16_t *restrict ways)
{
    const int64_t cell = in_ring(ground, at, 2 * side);
    if (!is_behind(ground, blank, at, side))
        return staircase(ground, blank, cell, at, ways);
    uint16_t *restrict other = ways + ground->longest;
    Way best = {0, -1};
    for (int64_t turn = 1; turn >= -1; turn -= 2) {
        const int64_t before = in_ring(ground, at, 2 * side + turn + 8);
        if (!is_free(ground, before))
            continue;
        Way found = staircase(ground, blank, before, at, other);
        if (found.length < 0)
            continue;
        const int64_t last = (side - turn) & 3, tile = ground->cells[cell];
        found.gain += homes_along(ground, last)[tile] < along(ground, last, cell);
        other[found.length++] = (uint16_t)cell;
        if (is_better(found, other, best, ways)) {
            best = found;
            memcpy(ways, other, (size_t)found.length * sizeof *ways);
        }
    }
    return best;
}

/* The best shortest way of the blank to a side of the cell `at`, a side that is free.
 *
 * Its cells are put into `way` (ground->longest). Returns its length, or -1 when there is
 * no way as short as on an open board. */
EXPORT int64_t best_way(
    const Ground *restrict ground, int64_t blank, int64_t at, int64_t side,
    uint16_t *restrict way)
{
    const Way found = way_beside(ground, blank, at, side, ground->ways);
    if (found.length > 0)
        memcpy(way, ground->ways, (size_t)found.length * sizeof *way);
    return found.length;
}

/* The best way to the best side of `at` for carrying its tile on to `cell`, in `way`;
 * returns the side, or -1. */
static int64_t go_beside(
    const Ground *ground, int64_t blank, int64_t at, int64_t cell, Way *best,
    uint16_t *restrict way)
{
    int64_t costs[4], least = INT64_MAX, chosen = -1;
    for (int64_t side = 0; side < 4; side++) {
        const int64_t beside = in_ring(ground, at, 2 * side);
        costs[side] = INT64_MAX;
        if (is_free(ground, beside))
            costs[side] = distance(ground, blank, beside)
                + 2 * is_behind(ground, blank, at, side)
                + push_costs_between(ground, at, cell, side);
        least = least_of(least, costs[side]);
    }
    for (int64_t side = 0; side < 4; side++) {
        if (costs[side] != least || least == INT64_MAX)
            continue;
        const Way found = way_beside(ground, blank, at, side, ground->ways);
        if (is_better(found, ground->ways, *best, way)) {
            *best = found;
            chosen = side;
            memcpy(way, ground->ways, (size_t)found.length * sizeof *way);
        }
    }
    return chosen;
}

/* The tile is pushed */

/* The blank's way of the next push beside walls, also of the first one; returns the
 * direction, or -1 when no push leads on as well as it would without walls. */
static int64_t push_beside_walls(
    const Ground *ground, int64_t blank, int64_t at, int64_t side, int64_t cell, Way *best,
    uint16_t *restrict way)
{
    const int64_t cost = push_costs_between(ground, at, cell, side);
    const uint8_t walls = ground->walls[at];
    int64_t chosen = -1;
    for (int64_t push = 0; push < 4; push++) {
        /* The shortest ways through the ring: clockwise, or the other way round. */
        const int64_t quarters = (push - side) & 3;
        int64_t lengths[2] = {2 * quarters, 2 * (-quarters & 3)}, shortest = WALLED_UP;
        for (int turned = 0; turned < 2; turned++) {
            bool is_open = true;
            for (int64_t number = 1; number <= lengths[turned]; number++)
                is_open &= !(walls >> ((2 * side + (turned ? -number : number)) & 7) & 1);
            if (!is_open)
                lengths[turned] = WALLED_UP;
            shortest = least_of(shortest, lengths[turned]);
        }
        if (shortest == WALLED_UP)
            continue;
        const int64_t to = in_ring(ground, at, 2 * push);
        if (shortest + 1 + push_costs_between(ground, to, cell, push ^ 2) != cost)
            continue;
        for (int turned = 0; turned < 2; turned++) {
            if (lengths[turned] != shortest)
                continue;
            uint16_t places[LONGEST_PUSH];
            int64_t gain = 0, before = blank;
            for (int64_t number = 1; number <= shortest; number++) {
                const int64_t place
                    = in_ring(ground, at, (2 * side + (turned ? -number : number)) & 7);
                const int64_t home = ground->cells[place] - 1;
                gain += distance(ground, home, place) - distance(ground, home, before);
                places[number - 1] = (uint16_t)place;
                before = place;
            }
            if (best->length >= 0 && gain <= best->gain)
                continue;
            places[shortest] = (uint16_t)at;
            best->gain = gain;
            best->length = shortest + 1;
            memcpy(way, places, (size_t)best->length * sizeof *way);
            chosen = push;
        }
    }
    return chosen;
}

/* The same on open ground, after a push in the direction `last`.
 *
 * Straight on is as short as turning while there is farther to go along `last` than
 * across, because then such pushes have to be made anyway. */
static int64_t push_on(
    const Ground *ground, int64_t at, int64_t last, int64_t cell, Way *best,
    uint16_t *restrict way)
{
    const int32_t *restrict cells = ground->cells;
    const int64_t one = (last + 1) & 3;
    const int64_t step = step_of(ground, last), aside = step_of(ground, one);
    const int16_t *restrict home = homes_along(ground, last);
    const int16_t *restrict home_one = homes_along(ground, one);
    const int16_t *restrict home_other = homes_along(ground, one ^ 2);
    const int64_t here = home[at + 1], beside = home_one[at + 1];
    const int64_t across = home_one[cell + 1] - beside;
    int64_t least = 0;
    if (across) {
        const bool is_one = across > 0;
        const int64_t toward = is_one ? aside : -aside;
        const int64_t first = at + toward - step, second = at + toward;
        way[0] = (uint16_t)first;
        way[1] = (uint16_t)second;
        way[2] = (uint16_t)at;
        best->length = 3;
        if (home[cell + 1] - here <= (is_one ? across : -across))
            return is_one ? one : one ^ 2;
        least = ground->straight_gain + (home[cells[second]] < here)
            + (is_one ? home_one[cells[first]] <= beside : home_other[cells[first]] <= -beside);
    }
    /* Round one side of the tile, or round the other. */
    const int64_t before = cells[at + step];
    const int64_t gain = (home_one[cells[at + aside - step]] <= beside)
        + (home[cells[at + aside]] < here) + (home[cells[at + aside + step]] <= here)
        + (home_other[before] < -beside);
    const int64_t other_gain = (home_other[cells[at - aside - step]] <= -beside)
        + (home[cells[at - aside]] < here) + (home[cells[at - aside + step]] <= here)
        + (home_one[before] < beside);
    if (gain < least && least > other_gain)
        return across > 0 ? one : one ^ 2;
    const int64_t round = other_gain > gain ? -aside : aside;
    way[0] = (uint16_t)(at + round - step);
    way[1] = (uint16_t)(at + round);
    way[2] = (uint16_t)(at + round + step);
    way[3] = (uint16_t)(at + step);
    way[4] = (uint16_t)at;
    best->length = 5;
    return last;
}

/* Let the blank walk; returns where it is then. */
static int64_t walk(
    const Ground *ground, int64_t blank, const uint16_t *restrict way, int64_t length)
{
    for (int64_t place = 0; place < length; place++) {
        const int64_t cell = way[place], tile = ground->cells[cell];
        ground->cells[blank] = (int32_t)tile;
        ground->where[tile] = (int32_t)blank;
        blank = cell;
    }
    ground->cells[blank] = 0;
    return blank;
}

/* Carry `tile` toward `cell`, as far as no search is needed.
 *
 * The blank's way is put into `moves` (most), most >= longest; `cells` and `where` of the
 * ground become what they are then. Returns the number of moves. */
EXPORT int64_t carry(
    const Ground *restrict ground, int64_t blank, int64_t tile, int64_t cell,
    uint16_t *restrict moves, int64_t most)
{
    int64_t at = ground->where[tile];
    if (at == cell)
        return 0;
    uint16_t *restrict way = ground->ways + 2 * ground->longest;
    Way best = {-1, -1};
    int64_t side = go_beside(ground, blank, at, cell, &best, way);
    if (side < 0)
        return 0;
    memcpy(moves, way, (size_t)best.length * sizeof *moves);
    blank = walk(ground, blank, moves, best.length);
    int64_t count = best.length, last = -1;
    while (at != cell && count + LONGEST_PUSH <= most) {
        Way push = {0, -1};
        last = last < 0 || ground->walls[at]
            ? push_beside_walls(ground, blank, at, side, cell, &push, moves + count)
            : push_on(ground, at, last, cell, &push, moves + count);
        if (last < 0)
            break;
        blank = walk(ground, blank, moves + count, push.length);
        count += push.length;
        at = ground->where[tile];
        side = last ^ 2;
    }
    return count;
}

/* Cut moves that are taken back at once out of `moves` (count), in place; the blank is at
 * `blank` before the first one. Returns how many are left. */
EXPORT int64_t cut_returns(uint16_t *moves, int64_t count, int64_t blank)
{
    int64_t kept = 0;
    for (int64_t number = 0; number < count; number++) {
        const int64_t before = kept > 1 ? moves[kept - 2] : kept == 1 ? blank : -1;
        if (moves[number] == before)
            kept--;
        else
            moves[kept++] = moves[number];
    }
    return kept;
}
