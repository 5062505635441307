/* The slide metric: tables of patterns, and IDA* with them.
 *
 * A pattern is where the blank and some tiles are. Its code packs their cells into one
 * integer, `bits` bits each, the blank's lowest. How codes are ranked is explained in
 * the Python module of the same name.
 *
 * An entry of a table is `distance * 4 + flags`: bit 0 of the flags says that a shortest
 * way home can begin with a vertical slide, bit 1 with a horizontal one. Because the axes
 * alternate, an entry without the flag of the axis that has to come next counts one slide
 * more. */
#include "kernels.h"

enum { UNKNOWN = 255, MOST_BITS = 8 };

/* As the Python class Layout. */
typedef struct {
    int64_t bits, low, high, rest_count, free_count;
    const int32_t *first;       /* (2 ** (bits * low)) */
    const uint8_t *places;      /* (ranks of `first`, 2 ** bits) */
    const int32_t *rest;        /* (2 ** (bits * high)) */
    const int64_t *first_codes; /* (ranks of `first`) */
    const int64_t *free;        /* (ranks of `first`, free_count) */
    const int64_t *rest_codes;  /* (rest_count) */
} Layout;

/* As the Python class Lookup. */
typedef struct {
    int64_t patterns, labels_count, cells;
    const int64_t *changes; /* (4, labels_count, patterns) */
    const int64_t *turned, *offsets; /* (patterns) */
    const uint8_t *entries;
    const int64_t *labels; /* (labels_count) */
    const int64_t *goal;   /* (cells) */
} Lookup;

/* `bits` are those of the layout: a number that the compiler knows makes the shifts
 * cheaper, so boards of 9 to 16 cells, which need four, have code of their own. */
static ALWAYS_INLINE int64_t rank_of(uint64_t code, const Layout *layout, const int64_t bits)
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    const int64_t low = layout->first[code & ((UINT64_C(1) << layout->low * bits) - 1)];
    const uint8_t *places = layout->places + (low << bits);
    uint64_t high = 0;
    code >>= layout->low * bits;
    for (int64_t item = 0; item < layout->high; item++, code >>= bits)
        high |= (uint64_t)places[code & mask] << bits * item;
    return low * layout->rest_count + layout->rest[high];
}

/* The number of the pattern with this code. */
EXPORT int64_t read_code(int64_t code, const Layout *layout)
{
    return rank_of((uint64_t)code, layout, layout->bits);
}

static ALWAYS_INLINE int64_t fill_with(
    uint8_t *restrict table, int64_t distance, const Layout *restrict layout,
    int64_t rows, int64_t cols, int64_t begin, int64_t end, const int64_t bits)
{
    const Layout local = *layout;
    const int64_t size = local.rest_count, items = local.low + local.high;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint8_t item_at[1 << MOST_BITS] = {0};
    int64_t count = 0;
    for (int64_t number = begin; number < end; number++) {
        const uint8_t own = table[number];
        if (own >> 2 != distance || own == UNKNOWN)
            continue;
        /* Nothing led to the goals, so they are left along both axes. */
        const int64_t flags = distance ? own & 3 : 0;
        if (flags == 3)
            continue;
        const int64_t low = number / size;
        uint64_t code = (uint64_t)local.first_codes[low];
        uint64_t high = (uint64_t)local.rest_codes[number % size];
        for (int64_t item = local.low; item < items; item++, high >>= bits)
            code |= (uint64_t)local.free[low * local.free_count + (int64_t)(high & mask)]
                << bits * item;
        for (int64_t item = 1; item < items; item++)
            item_at[code >> bits * item & mask] = (uint8_t)item;
        const int64_t blank = (int64_t)(code & mask);
        const int64_t row = blank / cols, col = blank % cols;
        const int64_t step_of[4] = {-cols, cols, -1, 1};
        const int64_t most_of[4] = {row, rows - 1 - row, col, cols - 1 - col};
        for (int direction = 0; direction < 4; direction++) {
            const int axis = direction >> 1;
            if (flags >> axis & 1)
                continue;
            const int64_t step = step_of[direction];
            uint64_t after = code;
            for (int64_t gone = 1; gone <= most_of[direction]; gone++) {
                const int64_t item = item_at[blank + gone * step];
                after += (uint64_t)step;
                if (item)
                    after -= (uint64_t)step << bits * item;
                uint8_t *entry = table + rank_of(after, &local, bits);
                if (*entry == UNKNOWN) {
                    *entry = (uint8_t)((distance + 1) << 2 | 1 << axis);
                    count++;
                } else if (*entry >> 2 == distance + 1)
                    *entry |= (uint8_t)(1 << axis);
            }
        }
        for (int64_t item = 1; item < items; item++)
            item_at[code >> bits * item & mask] = 0;
    }
    return count;
}

/* Enter the patterns of `distance` + 1 next to those with numbers from `begin` to `end`
 * into `table`; return how many.
 *
 * `table` is UNKNOWN where nothing is entered. A pattern that was reached by a slide
 * along one axis needs no more slides along it: they would merge with that one. */
EXPORT int64_t fill(
    uint8_t *restrict table, int64_t distance, const Layout *restrict layout,
    int64_t rows, int64_t cols, int64_t begin, int64_t end)
{
    if (layout->bits == 4)
        return fill_with(table, distance, layout, rows, cols, begin, end, 4);
    return fill_with(table, distance, layout, rows, cols, begin, end, layout->bits);
}

static ALWAYS_INLINE int64_t search_with(
    int64_t *restrict state, int64_t *restrict cells, int64_t *restrict codes,
    int64_t *restrict stack, int64_t *restrict most, const Lookup *restrict lookup,
    const Layout *restrict layout, int64_t rows, int64_t cols, int64_t bound,
    int64_t first_axis, int64_t most_nodes, const int64_t bits)
{
    const Layout local = *layout;
    const Lookup own = *lookup;
    const int64_t patterns = own.patterns;
    int64_t depth = state[0], blank = state[1], nodes = 0;
    while (depth >= 0) {
        const int64_t axis = (first_axis + depth) & 1;
        const int64_t direction = stack[2 * depth], gone = stack[2 * depth + 1];
        const int64_t row = blank / cols, col = blank % cols;
        const bool is_up_or_left = direction == 0;
        int64_t more, step;
        if (axis == 0) {
            more = is_up_or_left ? row : rows - 1 - row;
            step = is_up_or_left ? -cols : cols;
        } else {
            more = is_up_or_left ? col : cols - 1 - col;
            step = is_up_or_left ? -1 : 1;
        }
        const int64_t *restrict changes
            = own.changes + (2 * axis + direction) * own.labels_count * patterns;
        if (!more) {
            /* Back to where this direction began, and on with the other one. */
            for (int64_t taken = 0; taken < gone; taken++) {
                const int64_t tile = cells[blank - step];
                cells[blank] = tile;
                for (int64_t pattern = 0; pattern < patterns; pattern++)
                    codes[pattern] -= changes[tile * patterns + pattern];
                blank -= step;
            }
            cells[blank] = 0;
            if (is_up_or_left) {
                stack[2 * depth] = 1;
                stack[2 * depth + 1] = 0;
            } else
                depth--;
            continue;
        }
        if (nodes >= most_nodes)
            break;
        nodes++;
        const int64_t room = bound - depth - 1;
        const int64_t tile = cells[blank + step];
        cells[blank] = tile;
        for (int64_t pattern = 0; pattern < patterns; pattern++)
            codes[pattern] += changes[tile * patterns + pattern];
        blank += step;
        cells[blank] = 0;
        stack[2 * depth + 1] = gone + 1;
        bool is_open = true;
        const int64_t *restrict own_most = most + depth * patterns;
        int64_t *restrict next_most = most + (depth + 1) * patterns;
        for (int64_t pattern = 0; pattern < patterns && is_open; pattern++) {
            /* A slide changes a distance by one at most: often that is enough. */
            if (own_most[pattern] + 2 <= room) {
                next_most[pattern] = own_most[pattern] + 1;
                continue;
            }
            const int64_t place
                = own.offsets[pattern] + rank_of((uint64_t)codes[pattern], &local, bits);
            const int64_t entry = own.entries[place];
            const int64_t next_axis = own.turned[pattern] ? axis : 1 - axis;
            next_most[pattern] = entry >> 2;
            is_open = (entry >> 2) + 1 - (entry >> next_axis & 1) <= room;
        }
        if (!is_open)
            continue;
        if (room == 0) {
            bool is_solved = true;
            for (int64_t cell = 0; cell < own.cells && is_solved; cell++)
                is_solved = own.labels[cells[cell]] == own.goal[cell];
            if (is_solved) {
                state[0] = depth;
                state[1] = blank;
                state[2] += nodes;
                return 1;
            }
            continue;
        }
        depth++;
        stack[2 * depth] = 0;
        stack[2 * depth + 1] = 0;
    }
    state[0] = depth;
    state[1] = blank;
    state[2] += nodes;
    return depth < 0 ? 0 : -1;
}

/* Go on with a depth-first search for a way of exactly `bound` slides.
 *
 * `state` is (depth, blank, nodes) and, with `cells` (the tile in each cell), `codes`
 * (of each pattern), `stack` (bound + 1, 2: direction, cells gone in it) and `most`
 * (bound + 1, patterns: what each distance is at most), holds the whole search, so that
 * it can be gone on with after `most_nodes`. Returns 1 when found (the stack is the way),
 * 0 when there is none, and -1 when the nodes are used up. */
EXPORT int64_t search_slides(
    int64_t *restrict state, int64_t *restrict cells, int64_t *restrict codes,
    int64_t *restrict stack, int64_t *restrict most, const Lookup *restrict lookup,
    const Layout *restrict layout, int64_t rows, int64_t cols, int64_t bound,
    int64_t first_axis, int64_t most_nodes)
{
    if (layout->bits == 4)
        return search_with(
            state, cells, codes, stack, most, lookup, layout, rows, cols, bound,
            first_axis, most_nodes, 4);
    return search_with(
        state, cells, codes, stack, most, lookup, layout, rows, cols, bound, first_axis,
        most_nodes, layout->bits);
}
