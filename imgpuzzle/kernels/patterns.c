/* Look-ups of patterns, and IDA*, on at most 16 cells.
 *
 * A pattern is one number: a mask of the cells of its tiles in the low 16 bits, and
 * above them the kind of each tile, in the order of the cells. See the Python module
 * imgpuzzle.solver.tables.patterns. */
#include "kernels.h"

/* The tables of all groups, end to end; see imgpuzzle.solver.tables.database. */
typedef struct {
    const int64_t *layout; /* (groups, 7) */
    const uint16_t *rank_low, *rank_high; /* (256), (9, 256) */
    const int64_t *regions;
    const int32_t *order_rank;
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
        if (++distance > MOST_DISTANCE)
            return -1;
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

/* A position on the stack, in words: the cells, four bits each; blank (4 bits), depth
 * (8), state of the automaton (20), the bound of view 0 (8) and of view 1 (8); the sides
 * of all moves that led to it, two bits each, in five words, for 2x8 boards may need 140
 * moves; then of each group the pattern in 48 bits with the distance above. */
enum { CELLS, META, MOVES, GROUPS = 7, USUAL = 14, MOST_WIDTH = 40 };
enum { BLANK = 15, DEPTH_AT = 4, STATE_AT = 12, STATE = 0xFFFFF, SUM_AT = 32 };
enum { BYTE = 255 };
enum {
    AT_ONCE = 16,                         /* positions that are opened together */
    FLIP = 0, BETWEEN, BELOW, FROM, STEP, /* of a tile's way beside the blank */
    NONE = 0xFFFF,
};

/* A position that a tile's move leads to. */
typedef struct {
    uint64_t word[2];
    int64_t place[2];
    uint16_t state;
    uint8_t group[2], parent, side, origin, tile, class;
} Child;

/* The pattern of a child's group in one view, and where its entry is. */
static ALWAYS_INLINE void look_up(
    Child *restrict child, const int view, const uint64_t *restrict parent,
    const uint8_t *restrict views, const uint16_t *restrict steps,
    const Tables *restrict tables)
{
    const int64_t group = views[16 * view + child->tile];
    const int64_t *restrict layout = layout_of(tables, group);
    const uint16_t *restrict step
        = steps + STEP * (group * 64 + (int64_t)(parent[META] & BLANK) * 4 + child->side);
    const uint64_t mask = parent[GROUPS + group] & 0xFFFF;
    const int64_t bits_a_tile = layout[BITS_A_TILE];
    const int64_t begin = bits_a_tile * popcount(mask & step[BELOW]);
    const int64_t far = bits_a_tile * popcount(mask & step[BETWEEN]);
    /* The tiles that it passes and itself turn by one place. No branch says which way:
     * no processor could guess that. */
    const int64_t length = far + bits_a_tile;
    const uint64_t window = (UINT64_C(1) << length) - 1;
    const int64_t turn = far ^ ((far ^ bits_a_tile) & -(int64_t)(step[FROM] >> 8));
    uint64_t order = parent[GROUPS + group] >> 16 & 0xFFFFFFFF;
    const uint64_t part = order >> begin & window;
    order ^= (part ^ (part >> turn | (part << (length - turn) & window))) << begin;
    const uint64_t after = (mask ^ step[FLIP]) | order << 16;
    child->group[view] = (uint8_t)group;
    child->word[view] = after;
    child->place[view] = place_of(after, step[FROM] & 15, layout, tables);
    __builtin_prefetch(tables->bits + (child->place[view] >> 3));
}

/* Enter a child's distance in one view; whether it may lie on a solution. */
static ALWAYS_INLINE bool look_at(
    Child *restrict child, const int view, const uint64_t *restrict parent,
    int64_t bound, const Tables *restrict tables)
{
    const uint64_t meta = parent[META];
    const int64_t bit = bit_at(child->place[view], tables);
    const int64_t distance = parent[GROUPS + child->group[view]] >> 48;
    const int64_t is_nearer = ((distance + 1) >> 1 & 1) ^ bit;
    const int64_t step = 1 - 2 * is_nearer;
    child->word[view] |= (uint64_t)(distance + step) << 48;
    child->class += (uint8_t)is_nearer;
    return (int64_t)(meta >> (SUM_AT + 8 * view) & BYTE) + step
        < bound - (int64_t)(meta >> DEPTH_AT & BYTE);
}

typedef struct {
    int64_t bound, most_nodes;
    uint64_t *stack;
    const uint16_t *automaton, *steps;
    const uint8_t *beside, *views;
} Search;

static ALWAYS_INLINE int64_t deepen_with(
    const Search *restrict search, int64_t *restrict counters,
    const Tables *restrict tables, const int count_of_views, const int64_t width)
{
    const Search own = *search;
    const Tables local = *tables;
    Child children[4 * AT_ONCE + 4];
    uint8_t rest[4 * AT_ONCE];
    int64_t height = counters[1], nodes = 0, length = -1;
    while (height > 0) {
        if (nodes >= own.most_nodes) {
            length = 0;
            break;
        }
        /* Open the positions at the top of the stack, the lowest one first; */
        const int64_t wanted = (own.most_nodes - nodes + 3) / 4;
        int64_t most = height < AT_ONCE ? height : AT_ONCE;
        if (most > wanted) /* no more than fit into the limit */
            most = wanted;
        uint64_t parents[AT_ONCE * MOST_WIDTH];
        int64_t opened = 0, count = 0;
        height -= most;
        memcpy(
            parents, own.stack + height * width, (size_t)(most * width) * sizeof *parents);
        for (; opened < most; opened++) {
            const uint64_t *parent = parents + opened * width;
            const uint64_t cells = parent[CELLS], meta = parent[META];
            const uint16_t *following = own.automaton + 4 * (meta >> STATE_AT & STATE);
            const uint8_t *beside = own.beside + 4 * (meta & BLANK);
            for (int side = 0; side < 4; side++) {
                Child *child = children + count;
                child->parent = (uint8_t)opened;
                child->side = (uint8_t)side;
                child->origin = beside[side];
                child->tile = cells >> 4 * (beside[side] & 15) & 15;
                child->state = following[side];
                child->class = 0;
                count += (following[side] != NONE) & (beside[side] < 16);
            }
        }
        nodes += count;
        /* ask for all entries, most of which come from far away, and look which children
         * may lie on a solution, */
        int64_t left = 0;
        for (int64_t number = 0; number < count; number++) {
            Child *child = children + number;
            look_up(
                child, 0, parents + child->parent * width, own.views, own.steps, &local);
        }
        for (int64_t number = 0; number < count; number++) {
            Child *child = children + number;
            rest[left] = (uint8_t)number;
            left += look_at(child, 0, parents + child->parent * width, own.bound, &local);
        }
        if (count_of_views == 2) {
            for (int64_t index = 0; index < left; index++) {
                Child *child = children + rest[index];
                look_up(
                    child, 1, parents + child->parent * width, own.views, own.steps,
                    &local);
            }
            count = left;
            left = 0;
            for (int64_t index = 0; index < count; index++) {
                Child *child = children + rest[index];
                rest[left] = rest[index];
                left += look_at(
                    child, 1, parents + child->parent * width, own.bound, &local);
            }
        }
        /* and put these on the stack, of each position the most promising ones on top. */
        uint8_t ends[4 * AT_ONCE + 1] = {0};
        for (int64_t index = 0; index < left; index++) {
            const Child *child = children + rest[index];
            ends[4 * child->parent + child->class + 1]++;
        }
        for (int64_t key = 0; key < 4 * opened; key++)
            ends[key + 1] += ends[key];
        for (int64_t index = 0; index < left; index++) {
            const Child *child = children + rest[index];
            const uint64_t *parent = parents + child->parent * width;
            const uint64_t meta = parent[META], tile = child->tile, side = child->side;
            const int64_t origin = child->origin, depth = meta >> DEPTH_AT & BYTE;
            uint64_t *entry
                = own.stack + (height + ends[4 * child->parent + child->class]++) * width;
            memcpy(entry, parent, (size_t)width * sizeof *entry);
            entry[CELLS] ^= tile << 4 * origin ^ tile << 4 * (meta & BLANK);
            entry[MOVES + (depth >> 5)] |= side << 2 * (depth & 31);
            uint64_t sums = meta >> SUM_AT;
            for (int view = 0; view < count_of_views; view++) {
                const int64_t group = child->group[view];
                sums += ((child->word[view] >> 48) - (parent[GROUPS + group] >> 48))
                    << 8 * view;
                entry[GROUPS + group] = child->word[view];
            }
            entry[META] = (uint64_t)origin | (uint64_t)(depth + 1) << DEPTH_AT
                | (uint64_t)child->state << STATE_AT | sums << SUM_AT;
            if ((sums & BYTE) == 0) {
                memcpy(own.stack, entry, (size_t)width * sizeof *entry);
                counters[0] += nodes;
                counters[1] = 1;
                return depth + 1;
            }
        }
        height += left;
    }
    counters[0] += nodes;
    counters[1] = height;
    return length;
}

/* Go on with a depth-first search for a solution of `bound` moves.
 *
 * Sixteen positions are opened at once: the entries of one arrive while the others are
 * worked at. So a stack has to have room for 48 positions of each depth, and four more.
 *
 * `stack` (positions, `width`) holds the open positions, `counters[1]` of them, none
 * deeper than those above it. `automaton` (states, 4) is the next state by side of the
 * blank, NONE where that need not be tried, `beside` (16, 4) the cell there, 255 for none.
 * `views` (2, 16) is the group of each kind, 255 for none, and `steps` (groups, 16, 4, 4)
 * by cell of the blank and side what is listed above. `counters[0]` counts positions
 * generated. Returns the length of a solution, which is then the first one on the stack, 0
 * when `most_nodes` are used up, or -1 when there is none. */
EXPORT int64_t deepen(
    uint64_t *stack, int64_t width, int64_t bound, int64_t most_nodes, int64_t *counters,
    const uint16_t *automaton, const uint8_t *beside, const uint8_t *views,
    const uint16_t *steps, const Tables *tables)
{
    const Search search = {bound, most_nodes, stack, automaton, steps, beside, views};
    const int count_of_views = views[16 + 1] != 255 ? 2 : 1;
    if (width == USUAL && count_of_views == 2)
        return deepen_with(&search, counters, tables, 2, USUAL);
    return deepen_with(&search, counters, tables, count_of_views, width);
}
