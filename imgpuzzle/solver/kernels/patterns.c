/* Breadth-first search over the patterns of one group, and IDA*, on at most 16 cells.
 *
 * A pattern is one number: a mask of the cells of its tiles in the low 16 bits, and
 * above them the kind of each tile, in the order of the cells. See the Python module
 * imgpuzzle.solver.tables.patterns. */
#include "kernels.h"

/* Advance the breadth-first search until it ends, or `most_steps` steps were made.
 *
 * `first` (rows + 1) with `edge_row` and `edge_turn` lists what each row leads to; a
 * turn of -1 keeps the arrangement, others index `turns` (turns, arrangements).
 * `frontier`, `visited`, `table` are (rows, words) bit sets over arrangements; `active`
 * flags rows with a frontier, `reached` (rows) is all 0 at the beginning. One level and
 * the next can share `frontier`, for no row belongs to both: each move takes a tile to
 * a cell of the other colour of a chessboard. `state` is the level, the row to go on
 * with, whether that is to be kept (or reached on from), and whether the level has
 * found anything. Returns 1 while there is more to do, 0 when nothing was left. */
EXPORT int64_t spread_patterns(
    int64_t rows, int64_t words, int64_t arrangements,
    const int64_t *restrict first, const int32_t *restrict edge_row,
    const int32_t *restrict edge_turn, const int32_t *restrict turns,
    uint64_t *restrict frontier, uint64_t *restrict visited, uint64_t *restrict table,
    uint8_t *restrict active, uint8_t *restrict reached, int64_t *restrict state,
    int64_t most_steps)
{
    int64_t level = state[0], row = state[1], is_keeping = state[2], any_new = state[3];
    int64_t steps = 0;
    for (;;) {
        /* Reach on from the last level ... */
        for (; !is_keeping && row < rows && steps < most_steps; row++) {
            steps++;
            if (!active[row])
                continue;
            uint64_t *restrict own = frontier + row * words;
            for (int64_t edge = first[row]; edge < first[row + 1]; edge++) {
                uint64_t *restrict to = frontier + (int64_t)edge_row[edge] * words;
                reached[edge_row[edge]] = 1;
                if (edge_turn[edge] < 0) {
                    steps += words;
                    for (int64_t word = 0; word < words; word++)
                        to[word] |= own[word];
                    continue;
                }
                const int32_t *turn = turns + (int64_t)edge_turn[edge] * arrangements;
                steps += 16 * words;
                for (int64_t word = 0; word < words; word++)
                    for (uint64_t left = own[word]; left; left &= left - 1) {
                        int64_t place = turn[(word << 6) + trailing_zeros(left)];
                        to[place >> 6] |= UINT64_C(1) << (place & 63);
                    }
            }
            memset(own, 0, (size_t)words * sizeof *own);
        }
        if (!is_keeping && row == rows) {
            is_keeping = 1;
            row = 0;
            any_new = 0;
        }
        /* ... and keep what is new. */
        const bool is_odd_bit = level >> 1 & 1;
        for (; is_keeping && row < rows && steps < most_steps; row++) {
            steps++;
            active[row] = 0;
            if (!reached[row])
                continue;
            reached[row] = 0;
            steps += words;
            uint64_t *restrict new = frontier + row * words;
            uint64_t *restrict seen = visited + row * words;
            uint64_t *restrict own = table + row * words;
            uint64_t found = 0;
            if (is_odd_bit)
                for (int64_t word = 0; word < words; word++) {
                    new[word] &= ~seen[word];
                    seen[word] |= new[word];
                    own[word] |= new[word];
                    found |= new[word];
                }
            else
                for (int64_t word = 0; word < words; word++) {
                    new[word] &= ~seen[word];
                    seen[word] |= new[word];
                    found |= new[word];
                }
            active[row] = found != 0;
            any_new |= found != 0;
        }
        if (is_keeping && row == rows) {
            if (!any_new)
                return 0;
            level++;
            is_keeping = 0;
            row = 0;
        }
        if (steps >= most_steps) {
            state[0] = level, state[1] = row, state[2] = is_keeping, state[3] = any_new;
            return 1;
        }
    }
}

/* The tables of all groups, end to end; see imgpuzzle.solver.tables.database. */
typedef struct {
    const int64_t *layout; /* (groups, 7) */
    const int64_t *rank_low, *rank_high; /* (256), (9, 256) */
    const int64_t *regions, *order_rank;
    const uint8_t *bits;
} Tables;

enum { BITS_A_TILE, REGIONS_AT, BITS_AT, BITS_A_ROW, SPLIT, HIGH_AT, LOW_AT, LAYOUT };

static inline const int64_t *layout_of(const Tables *tables, int64_t group)
{
    return tables->layout + group * LAYOUT;
}

/* The pattern after one of its tiles went from one cell to another. */
static inline uint64_t slide(
    uint64_t pattern, int64_t origin, int64_t target, int64_t bits_a_tile)
{
    uint64_t mask = pattern & 0xFFFF, order = pattern >> 16;
    int64_t low = origin < target ? origin : target;
    int64_t high = origin < target ? target : origin;
    int64_t passed = popcount(mask & ((UINT64_C(1) << high) - (UINT64_C(2) << low)));
    if (passed) {
        int64_t begin = bits_a_tile * popcount(mask & ((UINT64_C(1) << low) - 1));
        int64_t far = bits_a_tile * passed;
        uint64_t window = (UINT64_C(1) << (far + bits_a_tile)) - 1;
        uint64_t part = order >> begin & window, turned;
        if (origin == low)
            turned = part >> bits_a_tile | (part << far & window);
        else
            turned = (part << bits_a_tile & window) | part >> far;
        order ^= (part ^ turned) << begin;
    }
    return (mask ^ UINT64_C(1) << origin ^ UINT64_C(1) << target) | order << 16;
}

/* What the rank of a pattern's cells leads to: its first row, and the region of each
 * cell, three bits each. */
static inline uint64_t region_of(
    uint64_t pattern, const int64_t *layout, const Tables *tables)
{
    uint64_t low = pattern & 0xFF, high = pattern >> 8 & 0xFF;
    int64_t rank = tables->rank_low[low] + tables->rank_high[popcount(low) << 8 | high];
    return (uint64_t)tables->regions[layout[REGIONS_AT] + rank];
}

/* Where the tables hold bit 1 of a pattern's distance. */
static inline int64_t place_of(
    uint64_t pattern, int64_t blank, const int64_t *layout, const Tables *tables)
{
    uint64_t order = pattern >> 16;
    uint64_t region = region_of(pattern, layout, tables);
    int64_t row = (int64_t)((region >> 48) + (region >> 3 * blank & 7));
    int64_t split = layout[SPLIT];
    return layout[BITS_AT] + row * layout[BITS_A_ROW]
        + tables->order_rank[layout[HIGH_AT] + (int64_t)(order >> split)]
        + tables->order_rank[layout[LOW_AT]
                             + (int64_t)(order & ((UINT64_C(1) << split) - 1))];
}

static inline int64_t bit_at(int64_t place, const Tables *tables)
{
    return tables->bits[place >> 3] >> (place & 7) & 1;
}

/* Bit 1 of the distance that the tables hold for a pattern. */
static inline int64_t bit_of(
    uint64_t pattern, int64_t blank, const int64_t *layout, const Tables *tables)
{
    return bit_at(place_of(pattern, blank, layout, tables), tables);
}

/* The distance of one pattern, by walking downhill to the goal; -1 when the tables
 * lead nowhere.
 *
 * Bit 1 comes from the table and bit 0 from the colours of the cells, so the distance
 * is known modulo four, and with it which neighbours are nearer. */
static int64_t distance_home(
    uint64_t pattern, int64_t blank, uint64_t goal, int64_t goal_blank, int64_t size,
    const int64_t *neighbours, const int64_t *layout, const Tables *tables)
{
    int64_t distance = 0, parity = 0;
    for (int64_t cell = 0; cell < size; cell++)
        parity ^= neighbours[5 * cell + 4] & (int64_t)((pattern ^ goal) >> cell) & 1;
    int64_t modulo = 2 * bit_of(pattern, blank, layout, tables) + parity;
    for (;;) {
        uint64_t region = region_of(pattern, layout, tables);
        uint64_t here = region >> 3 * blank & 7;
        if (pattern == goal && here == (region >> 3 * goal_blank & 7))
            return distance;
        int64_t wanted = (modulo + 3) & 3;
        bool is_found = false;
        for (int64_t cell = 0; cell < size && !is_found; cell++) {
            if (!(pattern >> cell & 1))
                continue;
            for (int64_t side = 0; side < 4; side++) {
                int64_t target = neighbours[5 * cell + side];
                if (target < 0 || (pattern >> target & 1)
                    || (region >> 3 * target & 7) != here)
                    continue;
                uint64_t after = slide(pattern, cell, target, layout[BITS_A_TILE]);
                if (bit_of(after, cell, layout, tables) == wanted >> 1) {
                    pattern = after;
                    blank = cell;
                    is_found = true;
                    break;
                }
            }
        }
        if (!is_found)
            return -1;
        modulo = wanted;
        distance++;
    }
}

/* The pattern of each group in a position, with its distance above 48 bits.
 *
 * `start` (size) is the kind by cell, 0 for the blank. Of each of `groups`: `numbers`
 * (16) what it calls each kind, -1 for those of others, `places` (16) each cell as it
 * sees it, `goals` (3) mask, order and blank of its goal, and `neighbours` (16, 5) by its
 * own cell four neighbours, -1 for none, and the colour of a chessboard. Returns how many
 * of the `words` (groups) are found: fewer when tables do not belong to a group. */
EXPORT int64_t find_words(
    int64_t size, int64_t groups, const int64_t *restrict start,
    const int64_t *restrict numbers, const int64_t *restrict places,
    const int64_t *restrict goals, const int64_t *restrict neighbours,
    const Tables *restrict tables, int64_t *restrict words)
{
    for (int64_t group = 0; group < groups; group++) {
        const int64_t *layout = layout_of(tables, group), *goal = goals + 3 * group;
        int64_t own[16], blank = 0;
        for (int64_t cell = 0; cell < size; cell++) {
            const int64_t place = places[16 * group + cell];
            own[place] = start[cell] ? numbers[16 * group + start[cell]] : -1;
            if (!start[cell])
                blank = place;
        }
        uint64_t mask = 0, order = 0;
        int64_t shift = 0;
        for (int64_t place = 0; place < size; place++)
            if (own[place] >= 0) {
                mask |= UINT64_C(1) << place;
                order |= (uint64_t)own[place] << shift;
                shift += layout[BITS_A_TILE];
            }
        const uint64_t pattern = mask | order << 16;
        const int64_t distance = distance_home(
            pattern, blank, (uint64_t)goal[0] | (uint64_t)goal[1] << 16, goal[2], size,
            neighbours + 80 * group, layout, tables);
        if (distance < 0)
            return group;
        words[group] = (int64_t)(pattern | (uint64_t)distance << 48);
    }
    return groups;
}

typedef struct {
    int64_t origin, state, step[2], group[2], place[2];
    uint64_t word[2];
} Child;

/* Go on with a depth-first search for a solution of `bound` moves.
 *
 * `stack` (entries, `width` = 2 + groups) holds the open positions, `height` of them:
 * the cells, four bits each; blank (4 bits), depth (8), state of the automaton (20),
 * the bound of view 0 (8) and of view 1 (8); then of each group the pattern in 48 bits
 * with the distance above. `moves` (state * 16 + blank, 9): how many moves, pairs of
 * cell and next state. `views` (2, 16) is the group of each kind, `places` (groups, 16)
 * each cell as a group sees it. `counters[0]` counts positions generated,
 * `counters[1]` is the height at the end. Returns the length of a solution (`path`
 * holds it), 0 when `most_nodes` are used up, or -1 when there is none. */
EXPORT int64_t deepen(
    uint64_t *restrict stack, int64_t width, int64_t height, int64_t bound,
    int64_t most_nodes, int64_t *restrict path, int64_t *restrict counters,
    const int64_t *restrict moves, const int64_t *restrict views,
    const int64_t *restrict places, const Tables *restrict tables)
{
    const Tables local = *tables;
    const int count_of_views = views[16 + 1] >= 0 ? 2 : 1;
    int64_t nodes = 0;
    while (height > 0) {
        if (nodes >= most_nodes) {
            counters[0] += nodes;
            counters[1] = height;
            return 0;
        }
        height--;
        uint64_t *parent = stack + height * width;
        const uint64_t cells = parent[0], meta = parent[1];
        const int64_t blank = meta & 15, depth = meta >> 4 & 255;
        const int64_t state = meta >> 12 & 0xFFFFF;
        const int64_t sums[2] = {meta >> 32 & 255, meta >> 40 & 255};
        if (depth)
            path[depth - 1] = blank;
        if (sums[0] == 0) {
            counters[0] += nodes;
            counters[1] = height;
            return depth;
        }
        const int64_t room = bound - depth - 1;
        const int64_t *restrict move = moves + 9 * (state * 16 + blank);
        const int64_t count = move[0];
        Child children[4];
        int64_t found = 0;
        nodes += count;
        /* All entries are asked for before the first one is looked at: most of them
         * come from far away. */
        for (int64_t number = 0; number < count; number++) {
            Child *restrict child = children + number;
            const int64_t origin = move[1 + 2 * number];
            const int64_t tile = cells >> 4 * origin & 15;
            child->origin = origin;
            child->state = move[2 + 2 * number];
            child->step[1] = 0;
            for (int view = 0; view < count_of_views; view++) {
                const int64_t group = views[16 * view + tile];
                const int64_t *restrict layout = layout_of(&local, group);
                const uint64_t word = parent[2 + group];
                const int64_t from = places[16 * group + origin];
                const int64_t to = places[16 * group + blank];
                const uint64_t pattern
                    = slide(word & 0xFFFFFFFFFFFF, from, to, layout[BITS_A_TILE]);
                child->group[view] = group;
                child->word[view] = pattern;
                child->place[view] = place_of(pattern, from, layout, &local);
                __builtin_prefetch(local.bits + (child->place[view] >> 3));
            }
        }
        for (int64_t number = 0; number < count; number++) {
            Child child = children[number];
            bool is_promising = true;
            for (int view = 0; view < count_of_views; view++) {
                const int64_t bit = bit_at(child.place[view], &local);
                const int64_t distance = parent[2 + child.group[view]] >> 48;
                const int64_t step = ((distance + 1) >> 1 & 1) == bit ? 1 : -1;
                is_promising &= sums[view] + step <= room;
                child.step[view] = step;
                child.word[view] |= (uint64_t)(distance + step) << 48;
            }
            children[found] = child;
            found += is_promising;
        }
        if (found == 0)
            continue;
        /* The last one takes the parent's place, so it is written last; the most
         * promising one goes on top. */
        for (int64_t slot = found - 1; slot > 0; slot--)
            memcpy(
                parent + slot * width + 2, parent + 2,
                (size_t)(width - 2) * sizeof *parent);
        for (int64_t want = count_of_views; want >= -count_of_views; want -= count_of_views)
            for (int64_t number = 0; number < found; number++) {
                const Child *restrict child = children + number;
                if (child->step[0] + child->step[1] != want)
                    continue;
                const uint64_t tile = cells >> 4 * child->origin & 15;
                uint64_t *entry = stack + height * width;
                entry[0] = cells ^ tile << 4 * child->origin ^ tile << 4 * blank;
                entry[1] = (uint64_t)child->origin | (uint64_t)(depth + 1) << 4
                    | (uint64_t)child->state << 12
                    | (uint64_t)(sums[0] + child->step[0]) << 32
                    | (uint64_t)(sums[1] + child->step[1]) << 40;
                for (int view = 0; view < count_of_views; view++)
                    entry[2 + child->group[view]] = child->word[view];
                height++;
            }
    }
    counters[0] += nodes;
    counters[1] = 0;
    return -1;
}
