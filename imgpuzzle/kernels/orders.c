/* Breadth-first search over patterns on boards of any size; rows and orders are
 * explained in the Python module imgpuzzle.solver.tables.rows. */
#include "kernels.h"

/* One level of the breadth-first search, for the rows `begin` to `end`; whether it
 * found anything new there.
 *
 * `frontier`, `following`, `visited` and `table` are (rows, words) bit sets over
 * orders; `full` (words) is a row with all orders. `first` (rows + 1) with `edge_row`
 * and `edge_turn` lists from which rows a move leads to each; a turn of -1 keeps the
 * order, others index `turns` (turns, orders). Only the rows that `active` flags have a
 * frontier; `following` and `next_active` become those of the next level. What is new is
 * put into `table` if `bit` is 1. Every row asks those from which a move leads to it:
 * reading here and there is quicker than writing. A tile that passes no other leaves
 * the order as it is, so whole words of orders move on at once. */
EXPORT int64_t spread_orders(
    int64_t begin, int64_t end, int64_t words, int64_t orders,
    const int64_t *restrict first, const int32_t *restrict edge_row,
    const int16_t *restrict edge_turn, const int32_t *restrict turns,
    const uint64_t *restrict frontier, uint64_t *restrict following,
    uint64_t *restrict visited, uint64_t *restrict table, const uint64_t *restrict full,
    const uint8_t *restrict active, uint8_t *restrict next_active, int64_t bit)
{
    int64_t any_new = 0;
    for (int64_t row = begin; row < end; row++) {
        uint64_t *restrict own = following + row * words;
        uint64_t *restrict seen = visited + row * words;
        next_active[row] = 0;
        if (memcmp(seen, full, (size_t)words * sizeof *seen) == 0)
            continue;
        bool is_reached = false;
        for (int64_t edge = first[row]; edge < first[row + 1]; edge++) {
            if (!active[edge_row[edge]])
                continue;
            const uint64_t *restrict source = frontier + (int64_t)edge_row[edge] * words;
            if (!is_reached) {
                is_reached = true;
                memset(own, 0, (size_t)words * sizeof *own);
            }
            if (edge_turn[edge] < 0) {
                for (int64_t word = 0; word < words; word++)
                    own[word] |= source[word];
                continue;
            }
            const int32_t *restrict turn = turns + edge_turn[edge] * orders;
            for (int64_t word = 0; word < words; word++)
                for (uint64_t left = source[word]; left; left &= left - 1) {
                    int64_t order = turn[(word << 6) + trailing_zeros(left)];
                    own[order >> 6] |= UINT64_C(1) << (order & 63);
                }
        }
        if (!is_reached)
            continue;
        uint64_t found = 0;
        for (int64_t word = 0; word < words; word++) {
            own[word] &= ~seen[word];
            seen[word] |= own[word];
            found |= own[word];
        }
        if (bit)
            for (int64_t word = 0; word < words; word++)
                table[row * words + word] |= own[word];
        next_active[row] = found != 0;
        any_new |= found != 0;
    }
    return any_new;
}

/* Number the regions that sets of `tiles` cells leave on a board of up to 16 cells, set
 * after set in the order of their ranks, region after region in that of their lowest
 * cells. `regions` (sets) gets the first number of each set in bits 48 to 63, and in
 * three bits a cell which of the set's regions a free cell belongs to. Returns how many
 * there are. */
EXPORT int64_t number_regions(int64_t rows, int64_t cols, int64_t tiles, int64_t *regions)
{
    const uint32_t all = (UINT32_C(1) << rows * cols) - 1;
    uint32_t first_col = 0;
    for (int64_t row = 0; row < rows; row++)
        first_col |= UINT32_C(1) << row * cols;
    const uint32_t last_col = first_col << (cols - 1);
    uint64_t count = 0;
    for (uint32_t set = 0; set <= all; set++) {
        if (popcount(set) != tiles)
            continue;
        uint64_t packed = count << 48, number = 0;
        for (uint32_t free = all & ~set; free; number++) {
            uint32_t region = 0, grown = free & -free;
            while (grown != region) {
                region = grown;
                grown |= (region & ~last_col) << 1 | (region & ~first_col) >> 1;
                grown |= region << cols | region >> cols;
                grown &= free;
            }
            for (uint32_t left = region; left; left &= left - 1)
                packed |= number << 3 * trailing_zeros(left);
            free &= ~region;
        }
        count += number;
        *regions++ = (int64_t)packed;
    }
    return (int64_t)count;
}
