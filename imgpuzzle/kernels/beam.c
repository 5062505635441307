/* One layer of a beam search, in two passes over its parents.
 *
 * imgpuzzle.solver.beam.layer explains how a position is laid out, what the tables hold
 * and in which order children are kept. A call writes only within the part of the
 * arrays that it was given, so that threads may share them. */
#include "beam.h"

enum { BLOCK = 64 }; /* parents whose look-ups are collected, to be made side by side */

/* A row of a layer is bytes, numbers of 16 bits and words in the same memory. */
static inline uint16_t half_at(const uint8_t *row, int64_t at)
{
    uint16_t half;
    memcpy(&half, row + 2 * at, sizeof half);
    return half;
}

static inline void set_half(uint8_t *row, int64_t at, int64_t value)
{
    uint16_t half = (uint16_t)value;
    memcpy(row + 2 * at, &half, sizeof half);
}

static inline uint64_t word_at(const uint8_t *row, int64_t at)
{
    uint64_t word;
    memcpy(&word, row + 8 * at, sizeof word);
    return word;
}

static inline void set_word(uint8_t *row, int64_t at, uint64_t word)
{
    memcpy(row + 8 * at, &word, sizeof word);
}

/* Fill `distances` (views, groups), all 0 before, with those of every group of the
 * position `cells` (N); whether the tables lead to the goal.
 *
 * The bit of an entry and the colours of its cells are its distance modulo four, and
 * while the distance is not 0 some neighbour is nearer by one: going down from one to
 * the next counts it. */
EXPORT int64_t group_distances(
    const int64_t *restrict cells, const Tables *restrict tables,
    int64_t *restrict distances)
{
    enum { FREE, TILE, IN_REACH };
    const int64_t count = tables->cells, cols = tables->cols;
    uint8_t cell_of[MOST_CELLS + 1], state[MOST_CELLS], stack[MOST_CELLS];
    for (int64_t slot = 0; slot < tables->views * tables->groups; slot++) {
        const int64_t view = slot / tables->groups, group = slot % tables->groups;
        const int64_t tiles = tables->sizes[slot];
        const uint8_t *members = tables->members + slot * tables->most_tiles;
        int64_t colour = 0;
        if (tiles == 0)
            continue;
        memset(state, FREE, (size_t)count);
        for (int64_t cell = 0; cell < count; cell++) {
            const int64_t tile = cells[cell];
            const int64_t here = place_of(tables, view, members[0], cell);
            cell_of[tile] = (uint8_t)here;
            if (tile == 0 || group_of(tables, view, tile) != group)
                continue;
            const int64_t home = place_of(tables, view, members[0], tile - 1);
            state[here] = TILE;
            colour += here / cols + here % cols + home / cols + home % cols;
        }
        int64_t blank = cell_of[0];
        int64_t bit = bit_at(
            tables, entry_of(tables, slot, arrange(tables, slot, cell_of), blank));
        bool is_further = true;
        while (is_further) {
            is_further = false;
            if (distances[slot] > MOST_DISTANCE)
                return 0;
            for (int64_t cell = 0; cell < count; cell++)
                if (state[cell] == IN_REACH)
                    state[cell] = FREE;
            int64_t height = 1;
            stack[0] = (uint8_t)blank;
            state[blank] = IN_REACH;
            while (height > 0) {
                const uint8_t *around = tables->neighbours + 4 * stack[--height];
                for (int side = 0; side < 4; side++)
                    if (around[side] != NOWHERE && state[around[side]] == FREE) {
                        state[around[side]] = IN_REACH;
                        stack[height++] = around[side];
                    }
            }
            for (int64_t number = 0; number < 4 * tiles; number++) {
                const uint8_t tile = members[number >> 2], here = cell_of[tile];
                const uint8_t target = tables->neighbours[4 * here + (number & 3)];
                if (target == NOWHERE || state[target] != IN_REACH)
                    continue;
                cell_of[tile] = target;
                const int64_t new = bit_at(
                    tables, entry_of(tables, slot, arrange(tables, slot, cell_of), here));
                /* One less changes bit 1 of an even number only. */
                if ((new == bit) == (colour & 1)) {
                    state[here] = FREE;
                    state[target] = TILE;
                    blank = here;
                    bit = new;
                    colour++;
                    distances[slot]++;
                    is_further = true;
                    break;
                }
                cell_of[tile] = here;
            }
        }
        for (int64_t number = 0; number < tiles; number++)
            if (cell_of[members[number]]
                != place_of(tables, view, members[0], members[number] - 1))
                return 0;
    }
    return 1;
}

/* What the tiles around the blank add to the key of the position `row`. */
static inline int64_t around_blank(
    const Tables *tables, const uint8_t *row, int64_t blank)
{
    const int64_t reach = tables->reach, differences = 2 * tables->code_shift + 1;
    const uint8_t *around = tables->around + blank * reach;
    const int16_t *ranks = tables->around_rank + tables->code_shift;
    int64_t sum = 0;
    for (int64_t number = 0; number < reach; number++, ranks += differences)
        if (around[number] != NOWHERE)
            sum += ranks[tables->codes[row[around[number]] - 1]
                - tables->codes[around[number]]];
    return sum;
}

/* Add to `changes` what the moves of `count` children change around the blank. */
static void add_around(
    const Tables *restrict tables, const uint8_t *restrict layer, int64_t count,
    const int64_t *restrict parents, const uint8_t *restrict sides,
    int64_t *restrict changes)
{
    const int64_t cells = tables->cells, row_bytes = 8 * (tables->hash_at + 1);
    uint8_t after[MOST_CELLS];
    int64_t before = 0;
    for (int64_t child = 0; child < count; child++) {
        const uint8_t *restrict row = layer + parents[child] * row_bytes;
        const int64_t blank = row[cells];
        const int64_t target = tables->neighbours[4 * blank + sides[child]];
        if (child == 0 || parents[child] != parents[child - 1]) {
            before = around_blank(tables, row, blank);
            memcpy(after, row, (size_t)cells);
        }
        after[blank] = row[target];
        changes[child] += around_blank(tables, after, target) - before;
    }
}

/* `generate`, compiled for so many `views` and tiles in a group (`most`). */
static ALWAYS_INLINE int64_t generate_of(
    int64_t first, int64_t last, int64_t limit, const uint8_t *restrict layer,
    const Tables *restrict tables, uint8_t *restrict codes, uint16_t *restrict keys,
    int64_t *restrict histogram, const int64_t views, const int64_t most)
{
    const int64_t cells = tables->cells, sides = tables->sides;
    const int64_t row_bytes = 8 * (tables->hash_at + 1);
    const int64_t differences = 2 * tables->code_shift + 1;
    int32_t code_of[BLOCK][MOST_CELLS + 1];
    uint8_t cell_of[MOST_CELLS + 1], where[BLOCK][MOST_CELLS + 1];
    int64_t changes[4 * BLOCK], parents[4 * BLOCK + 1], entries[4 * BLOCK * MOST_VIEWS];
    uint8_t sides_of[4 * BLOCK + 1], blanks[4 * BLOCK * MOST_VIEWS];
    uint8_t groups[4 * BLOCK * MOST_VIEWS];
    Arrangement found[4 * BLOCK * MOST_VIEWS];
    int64_t generated = 0;
    for (int64_t block = first; block < last; block += BLOCK) {
        const int64_t end = block + BLOCK < last ? block + BLOCK : last;
        int64_t count = 0;
        for (int64_t parent = block; parent < end; parent++) {
            const uint8_t *restrict row = layer + parent * row_bytes;
            const uint8_t *around = tables->neighbours + 4 * row[cells];
            for (int64_t cell = 0; cell < cells; cell++) {
                where[parent - block][row[cell]] = (uint8_t)cell;
                code_of[parent - block][row[cell]] = (int32_t)tables->codes[cell];
            }
            for (int64_t side = 0; side < 4; side++) {
                codes[4 * parent + side] = PRUNED;
                parents[count] = parent;
                sides_of[count] = (uint8_t)side;
                count += (around[side] != NOWHERE) & (side != row[cells + 1]);
            }
        }
        for (int64_t child = 0; child < count; child++) {
            const int64_t parent = parents[child], side = sides_of[child];
            const uint8_t *restrict row = layer + parent * row_bytes;
            uint8_t *restrict lies = where[parent - block];
            const int32_t *restrict code = code_of[parent - block];
            const int64_t blank = row[cells];
            const int64_t target = tables->neighbours[4 * blank + side];
            const int64_t tile = row[target];
            lies[tile] = (uint8_t)blank;
            for (int64_t view = 0; view < views; view++) {
                const int64_t at = child * views + view;
                const int64_t slot = slot_of(tables, view, group_of(tables, view, tile));
                const uint8_t *members = tables->members + slot * most;
                /* Only where the tiles of the group that changes lie is asked. */
                const uint8_t *place
                    = tables->place + (view * (cells + 1) + tile) * cells;
                if (cells <= MOST_PACKED) {
                    const int64_t bits = 8 * tables->sizes[slot];
                    uint64_t packed = 0;
                    for (int64_t number = 0; number < most; number++)
                        packed |= (uint64_t)place[lies[members[number]]] << 8 * number;
                    packed &= (UINT64_C(1) << bits) - 1;
                    packed |= PADDING << bits;
                    found[at] = arrange_packed(tables, packed, most, most);
                } else {
                    for (int64_t number = 0; number < tables->sizes[slot]; number++)
                        cell_of[members[number]] = place[lies[members[number]]];
                    found[at] = arrange(tables, slot, cell_of);
                }
                const int64_t set = tables->sets_at[slot] + found[at].rank;
                __builtin_prefetch(tables->others + set * tables->set_words);
                blanks[at] = place[target];
                groups[at] = group_of(tables, view, tile);
            }
            lies[tile] = (uint8_t)target;
            int64_t change = tables->cell_rank[tile * cells + blank]
                - tables->cell_rank[tile * cells + target];
            const int64_t home = tables->codes[tile - 1];
            const int64_t swap = tables->swap_rank[tile * cells + blank];
            const int64_t swapped = tables->swap_rank[tile * cells + target];
            if (swap && code[blank + 1] == home)
                change += swap;
            if (swapped && code[target + 1] == home)
                change -= swapped;
            if (side != (row[cells + 1] ^ 1))
                change += tables->turn_rank;
            const int16_t *apart = tables->apart_change
                + side * differences + tables->codes[target]
                + tables->code_shift;
            const uint8_t *beside = tables->beside + tile * sides;
            const int32_t *beside_at = tables->beside_at + tile * sides;
            for (int64_t one = 0; one < tables->beside_count[tile]; one++)
                change += apart[beside_at[one] - code[beside[one]]];
            changes[child] = change;
        }
        if (tables->reach)
            add_around(tables, layer, count, parents, sides_of, changes);
        /* Nothing here depends on anything else: the waits for memory overlap. */
        for (int64_t child = 0, at = 0; child < count; child++)
            for (int64_t view = 0; view < views; view++, at++) {
                const int64_t slot = slot_of(tables, view, groups[at]);
                entries[at] = entry_of(tables, slot, found[at], blanks[at]);
            }
        for (int64_t at = 0; at < count * views; at++)
            entries[at] = bit_at(tables, entries[at]);
        generated += count;
        for (int64_t child = 0; child < count; child++) {
            const int64_t parent = parents[child];
            const uint8_t *restrict row = layer + parent * row_bytes;
            int64_t code = 0, highest = 0;
            int64_t key = half_at(row, tables->key_at) + changes[child];
            for (int64_t view = 0; view < views; view++) {
                const int64_t at = child * views + view;
                const int64_t slot = slot_of(tables, view, groups[at]);
                const uint64_t word = word_at(row, tables->mods_at + (slot >> 5));
                const int64_t old = word >> 2 * (slot & 31) & 3;
                const int64_t rises = ((old + 1) >> 1 & 1) == entries[at];
                const int64_t bound
                    = half_at(row, tables->bounds_at + view) + 2 * rises - 1;
                code |= rises << view;
                key += tables->bound_rank * (2 * rises - 1);
                if (bound > highest)
                    highest = bound;
            }
            if (highest <= limit) {
                codes[4 * parent + sides_of[child]] = (uint8_t)code;
                keys[4 * parent + sides_of[child]] = (uint16_t)key;
                histogram[key]++;
            }
        }
    }
    return generated;
}

/* First pass: the keys of all children of the parents `first` to `last`.
 *
 * `layer` (rows, hash_at + 1 words) holds the positions. `codes[parent, side]` becomes
 * PRUNED or a number whose bit v says whether the bound of view v rises (by one;
 * otherwise it falls by one). Children with a bound over `limit` are pruned.
 * `keys[parent, side]` and `histogram` get the keys of the others. Returns the number of
 * children generated. */
EXPORT int64_t generate(
    int64_t first, int64_t last, int64_t limit, const uint8_t *restrict layer,
    const Tables *restrict tables, uint8_t *restrict codes, uint16_t *restrict keys,
    int64_t *restrict histogram)
{
    const int64_t views = tables->views, most = tables->most_tiles;
#define GENERATE(views, most) \
    generate_of(first, last, limit, layer, tables, codes, keys, histogram, views, most)
    if (views == 2 && most == 6)
        return GENERATE(2, 6); /* 5x5 */
    if (views == 3 && most == 5)
        return GENERATE(3, 5);
    if (views == 3 && most == 4)
        return GENERATE(3, 4);
    if (views == 3 && most == 3)
        return GENERATE(3, 3); /* 10x10 */
    return GENERATE(views, most);
#undef GENERATE
}

/* The finaliser of MurmurHash3 (A. Appleby, 2011). */
static inline uint64_t mixed(uint64_t number)
{
    number ^= number >> 33;
    number *= UINT64_C(0xFF51AFD7ED558CCD);
    number ^= number >> 33;
    number *= UINT64_C(0xC4CEB9FE1A85EC53);
    return number ^ number >> 33;
}

/* Which children a call of `keep` stores, and where. */
typedef struct {
    int64_t first, last, mask_first; /* parents, and their number in the masks */
    int64_t part, parts;             /* those whose hash belongs to this part */
    int64_t start, stop;             /* the rows of the children */
    int64_t threshold, share;        /* the keys kept, and of 65536 at the last one */
    int64_t seed;
} Choice;

/* Second pass: store the best children of the parents `first` to `last`.
 *
 * Only children whose hash belongs to `part` of `parts` are stored, in the rows `start`
 * to `stop` of `children`: all whose key is under `threshold`, and `share` of 65536 of
 * those at it, by chance. `seen` (`seen_length`) is this part's set of hashes, a power of
 * two long, 0 = empty. `masks` gets one bit for each stored child, four for each
 * parent, numbered from `mask_first`. `result` becomes the next free row and the row of a
 * solution or -1. */
EXPORT void keep(
    const Choice *restrict choice, const uint8_t *restrict layer,
    uint8_t *restrict children, const Tables *restrict tables,
    const uint8_t *restrict codes, const uint16_t *restrict keys,
    uint32_t *restrict seen, int64_t seen_length, uint8_t *restrict masks,
    int64_t *restrict result)
{
    const int64_t views = tables->views, cells = tables->cells;
    const int64_t row_bytes = 8 * (tables->hash_at + 1);
    const int64_t first = choice->first, last = choice->last;
    const int64_t threshold = choice->threshold;
    const uint64_t last_seen = (uint64_t)seen_length - 1;
    uint64_t sums[4 * BLOCK], hashes[4 * BLOCK];
    int64_t parents[4 * BLOCK];
    uint8_t sides[4 * BLOCK];
    int64_t start = choice->start, solved = -1;
    for (int64_t block = first; block < last; block += BLOCK) {
        const int64_t end = block + BLOCK < last ? block + BLOCK : last;
        int64_t count = 0;
        for (int64_t parent = block; parent < end; parent++) {
            const uint8_t *restrict row = layer + parent * row_bytes;
            const int64_t blank = row[cells];
            for (int64_t side = 0; side < 4; side++) {
                const int64_t key = keys[4 * parent + side];
                if (codes[4 * parent + side] == PRUNED || key > threshold)
                    continue;
                const int64_t target = tables->neighbours[4 * blank + side];
                const uint64_t number = word_at(row, tables->hash_at)
                    + tables->factors[row[target]] * (uint64_t)(blank - target);
                const uint64_t hash = mixed(number);
                if ((int64_t)(hash >> 48) * choice->parts >> 16 != choice->part)
                    continue;
                if (key == threshold) {
                    /* Equal positions must draw the same lot. */
                    const uint64_t lot
                        = (hash ^ (uint64_t)choice->seed) * UINT64_C(0x9E3779B97F4A7C15);
                    if ((int64_t)(lot >> 48) >= choice->share)
                        continue;
                }
                __builtin_prefetch(seen + (hash & 0xFFFFFFFF & last_seen), 1);
                sums[count] = number;
                hashes[count] = hash;
                parents[count] = parent;
                sides[count] = (uint8_t)side;
                count++;
            }
        }
        for (int64_t child = 0; child < count; child++) {
            const uint64_t hash = hashes[child];
            const uint32_t tag = (uint32_t)(hash >> 32) | 1;
            uint64_t at = hash & 0xFFFFFFFF & last_seen;
            while (seen[at] != 0 && seen[at] != tag)
                at = (at + 1) & last_seen;
            if (seen[at] == tag || start >= choice->stop)
                continue;
            seen[at] = tag;
            const int64_t parent = parents[child], side = sides[child];
            uint8_t *restrict row = children + start * row_bytes;
            memcpy(row, layer + parent * row_bytes, (size_t)row_bytes);
            const uint8_t blank = row[cells];
            const uint8_t target = tables->neighbours[4 * blank + side];
            const uint8_t tile = row[target];
            row[blank] = tile;
            row[target] = 0;
            row[cells] = target;
            row[cells + 1] = (uint8_t)(side ^ 1);
            set_word(row, tables->hash_at, sums[child]);
            set_half(row, tables->key_at, keys[4 * parent + side]);
            const int64_t code = codes[4 * parent + side];
            for (int64_t view = 0; view < views; view++) {
                const int64_t change = 2 * (code >> view & 1) - 1;
                const int64_t bound = half_at(row, tables->bounds_at + view) + change;
                set_half(row, tables->bounds_at + view, bound);
                const int64_t slot = slot_of(tables, view, group_of(tables, view, tile));
                const int64_t at_word = tables->mods_at + (slot >> 5);
                const int64_t shift = 2 * (slot & 31);
                const uint64_t word = word_at(row, at_word);
                const int64_t old = word >> shift & 3;
                const uint64_t new = (uint64_t)(old ^ ((old + change) & 3));
                set_word(row, at_word, word ^ new << shift);
                if (bound == 0)
                    solved = start;
            }
            const int64_t number = choice->mask_first + parent - first;
            masks[number >> 1] |= (uint8_t)(1 << (side + 4 * (number & 1)));
            start++;
        }
    }
    result[0] = start;
    result[1] = solved;
}
