/* IDA* on boards of more than 16 cells. */
#include "beam.h"

/* Go on with a depth-first search for a solution of `bound` moves.
 *
 * The position at `depth` is in `cells` (N), `cell_of` (views, N + 1: where the tiles
 * lie as their groups see them), `distance` (views, groups) and `sums` (views). By
 * depth, `blanks` and `states` are the blank's cell and the state of `automaton`
 * (states, 4: by side the next state, -1 where that is forbidden), `tried` how many of
 * the four sides have been tried, `steps` (depths, views) how the move that led there
 * changed the sums.
 * `counters[0]` counts positions generated, `counters[1]` is the depth at the end.
 * Returns the length of a solution, whose moves are then `blanks[1:]`, 0 when
 * `most_nodes` are used up, or -1 when no solution is as short as `bound`. */
EXPORT int64_t descend(
    int64_t depth, int64_t bound, int64_t most_nodes, int64_t *restrict cells,
    uint8_t *restrict cell_of, int64_t *restrict distance, int64_t *restrict sums,
    int64_t *restrict blanks, int64_t *restrict states, int64_t *restrict tried,
    int64_t *restrict steps, int64_t *restrict counters,
    const int16_t *restrict automaton, const Tables *restrict tables)
{
    const int64_t views = tables->views, size = tables->cells, labels = size + 1;
    int64_t nodes = 0;
    for (;;) {
        if (nodes >= most_nodes) {
            counters[0] += nodes;
            counters[1] = depth;
            return 0;
        }
        const int64_t blank = blanks[depth];
        const uint8_t *around = tables->neighbours + 4 * blank;
        const int16_t *next = automaton + 4 * states[depth];
        int64_t side = tried[depth];
        while (side < 4 && (around[side] == NOWHERE || next[side] < 0))
            side++;
        if (side == 4) {
            if (depth == 0) {
                counters[0] += nodes;
                counters[1] = 0;
                return -1;
            }
            /* Take the last move back: its tile lies where the blank was before. */
            const int64_t before = blanks[depth - 1], tile = cells[before];
            cells[before] = 0;
            cells[blank] = tile;
            for (int64_t view = 0; view < views; view++) {
                const int64_t slot = slot_of(tables, view, group_of(tables, view, tile));
                cell_of[view * labels + tile] = place_of(tables, view, tile, blank);
                distance[slot] -= steps[depth * views + view];
                sums[view] -= steps[depth * views + view];
            }
            depth--;
            continue;
        }
        tried[depth] = side + 1;
        nodes++;
        const int64_t origin = around[side], tile = cells[origin];
        const int64_t room = bound - depth - 1;
        int64_t *restrict step = steps + (depth + 1) * views;
        bool is_promising = true;
        for (int64_t view = 0; view < views && is_promising; view++) {
            const int64_t slot = slot_of(tables, view, group_of(tables, view, tile));
            uint8_t *restrict seen = cell_of + view * labels;
            seen[tile] = place_of(tables, view, tile, blank);
            const int64_t gap = place_of(tables, view, tile, origin);
            const int64_t bit
                = bit_at(tables, entry_of(tables, slot, arrange(tables, slot, seen), gap));
            step[view] = ((distance[slot] + 1) >> 1 & 1) == bit ? 1 : -1;
            if (sums[view] + step[view] > room) {
                is_promising = false;
                for (int64_t other = 0; other <= view; other++)
                    cell_of[other * labels + tile]
                        = place_of(tables, other, tile, origin);
            }
        }
        if (!is_promising)
            continue;
        for (int64_t view = 0; view < views; view++) {
            distance[slot_of(tables, view, group_of(tables, view, tile))] += step[view];
            sums[view] += step[view];
        }
        cells[blank] = tile;
        cells[origin] = 0;
        depth++;
        blanks[depth] = origin;
        states[depth] = next[side];
        tried[depth] = 0;
        if (sums[0] == 0) {
            counters[0] += nodes;
            counters[1] = depth;
            return depth;
        }
    }
}
