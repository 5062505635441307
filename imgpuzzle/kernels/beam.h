/* The tables of a board of any size, and how a group's entry is found in them. */
#ifndef IMGPUZZLE_BEAM_H
#define IMGPUZZLE_BEAM_H

#include "kernels.h"

/* As imgpuzzle.solver.beam.layer.Tables, which explains each field, preceded by the
 * lengths of the arrays; N is `cells`. */
typedef struct {
    int64_t views, groups, most_tiles, cells, set_words, sides, reach;
    const uint8_t *bits;
    const int64_t *offset;         /* (views, groups) */
    const uint8_t *members;        /* (views, groups, most_tiles) */
    const uint8_t *place;          /* (views, N + 1, N) */
    const int64_t *sizes, *orders; /* (views, groups) */
    const uint8_t *group;          /* (views, N + 1) */
    const uint32_t *choose;        /* (at least 128, most_tiles) */
    const uint64_t *others;        /* (sets, set_words) */
    const uint32_t *first;         /* (sets) */
    const uint64_t *regions;       /* (regions, set_words) */
    const int64_t *sets_at, *regions_shift; /* (views, groups) */
    const uint8_t *neighbours;     /* (N, 4) */
    const uint64_t *factors;       /* (N + 1) */
    const int64_t *cell_rank;      /* (N + 1, N) */
    const int64_t *swap_rank;      /* (N + 1, N) */
    const int16_t *apart_rank;     /* (rows, 2 * code_shift + 1) */
    const uint8_t *beside;         /* (N + 1, sides) */
    const int32_t *beside_at;      /* (N + 1, sides) */
    const int64_t *beside_count;   /* (N + 1) */
    const int16_t *apart_change;   /* (rows, 4, 2 * code_shift + 1) */
    const uint8_t *around;         /* (N, reach) */
    const int16_t *around_rank;    /* (reach, 2 * code_shift + 1) */
    const int64_t *codes;          /* (N) */
    int64_t bound_rank, turn_rank, code_shift, cols;
    int64_t bounds_at, key_at, mods_at, hash_at;
} Tables;

enum {
    NOWHERE = 255, /* among the neighbours: there is none on that side */
    PRUNED = 255,  /* among the codes: a move that is not there or not worth making */
};

/* A group of one view, as an index of (views, groups). */
static inline int64_t slot_of(const Tables *tables, int64_t view, int64_t group)
{
    return view * tables->groups + group;
}

static inline uint8_t group_of(const Tables *tables, int64_t view, int64_t tile)
{
    return tables->group[view * (tables->cells + 1) + tile];
}

/* A cell as the group of a tile sees it. */
static inline uint8_t place_of(
    const Tables *tables, int64_t view, int64_t tile, int64_t cell)
{
    return tables->place[(view * (tables->cells + 1) + tile) * tables->cells + cell];
}

typedef struct {
    int64_t rank, order;
} Arrangement;

#define LOW_BITS UINT64_C(0x0101010101010101) /* of each byte */
#define TOP_BITS UINT64_C(0x8080808080808080)
#define PADDING UINT64_C(0x7F7E7D7C7B7A7978) /* cells in place of tiles that are none */

enum { MOST_PACKED = 120 }; /* cells of boards that leave room for these */

/* The same of up to `tiles` tiles, seven at most, whose cells are the bytes of `packed`;
 * those that are none add nothing. */
static ALWAYS_INLINE Arrangement arrange_packed(
    const Tables *tables, uint64_t packed, int64_t tiles, int64_t most)
{
    int64_t rank = 0, order = 0, base = 1;
    for (int64_t tile = 0; tile < tiles; tile++) {
        const uint64_t cell = packed >> 8 * tile & 127;
        /* The top bit of a difference says which is less. */
        const uint64_t not_lower = ((packed | TOP_BITS) - cell * LOW_BITS) & TOP_BITS;
        order += base * popcount(not_lower & ((UINT64_C(1) << 8 * tile) - 1));
        base *= tile + 1;
        rank += tables->choose[(int64_t)cell * most + 8 - popcount(not_lower)];
    }
    return (Arrangement){rank, order};
}

/* The rank of the cells of the tiles of a group, and that of their order.
 *
 * `cell_of` (labels) is where the tiles lie as the groups of the group's view see
 * them. */
static inline Arrangement arrange(
    const Tables *tables, int64_t slot, const uint8_t *cell_of)
{
    const int64_t tiles = tables->sizes[slot], most = tables->most_tiles;
    const uint8_t *members = tables->members + slot * most;
    int64_t rank = 0, order = 0, base = 1;
    if (tables->cells <= MOST_PACKED) {
        uint64_t packed = PADDING;
        for (int64_t tile = tiles; tile-- > 0;)
            packed = packed << 8 | cell_of[members[tile]];
        return arrange_packed(tables, packed, tiles, most);
    }
    for (int64_t tile = 0; tile < tiles; tile++) {
        int64_t cell = cell_of[members[tile]], lower = 0, higher = 0;
        for (int64_t other = 0; other < tiles; other++) {
            bool is_lower = cell_of[members[other]] < cell;
            lower += is_lower;
            higher += other < tile && !is_lower;
        }
        order += base * higher;
        base *= tile + 1;
        rank += tables->choose[cell * most + lower];
    }
    return (Arrangement){rank, order};
}

/* Where the entry of a group lies; `blank` is the cell as the group sees it. */
static inline int64_t entry_of(
    const Tables *tables, int64_t slot, Arrangement found, int64_t blank)
{
    const int64_t word = blank >> 6, shift = blank & 63, width = tables->set_words;
    const int64_t at = tables->sets_at[slot] + found.rank;
    int64_t row = found.rank;
    if (tables->others[at * width + word] >> shift & 1) {
        int64_t region = tables->first[at];
        while (!(tables->regions[region * width + word] >> shift & 1))
            region++;
        row = region + tables->regions_shift[slot];
    }
    return tables->offset[slot] + row * tables->orders[slot] + found.order;
}

/* Bit 1 of the distance in an entry. */
static inline int64_t bit_at(const Tables *tables, int64_t entry)
{
    return tables->bits[entry >> 3] >> (entry & 7) & 1;
}

#endif
