/* Layouts of the pieces of a picture: what they cost, grown and improved. */
#include "kernels.h"

static const double NEVER = 1e6; /* as in vision/evidence.py */
enum { MOST = 1024 }; /* cells of a board, as in core/board.py */

/* What every use of a piece costs, as `Evidence` says it. There are `count` pieces, the
 * hole is the next one, and `width` is the length of the rows of `right` and `below`. */
typedef struct {
    int64_t rows, cols, turns, size, count, width;
    const double *right, *below, *tile, *place, *hole;
    double whole;
} Costs;

#define COSTS                                                                          \
    int64_t rows, int64_t cols, int64_t turns, const double *right,                    \
        const double *below, const double *tile, const double *place,                  \
        const double *hole, double whole
#define GIVEN                                                                          \
    {rows, cols, turns, rows * cols, rows * cols * turns, rows * cols * turns + 1,     \
        right, below, tile, place, hole, whole}

static int64_t cell_of(const Costs *costs, const int64_t piece)
{
    return piece == costs->count ? costs->size : piece % costs->size;
}

static double own_cost(const Costs *costs, const int64_t home, const int64_t piece)
{
    return costs->place[home * costs->width + piece]
        + (piece < costs->count ? costs->tile[piece] : costs->hole[home]);
}

/* What the four seams of a piece at a home cost. */
static double seams_of(
    const Costs *costs, const int16_t *layout, const int64_t home, const int64_t piece)
{
    const int64_t width = costs->width, cols = costs->cols, col = home % cols;
    double sum = 0;
    if (col)
        sum += costs->right[layout[home - 1] * width + piece];
    if (col + 1 < cols)
        sum += costs->right[piece * width + layout[home + 1]];
    if (home >= cols)
        sum += costs->below[layout[home - cols] * width + piece];
    if (home + cols < costs->size)
        sum += costs->below[piece * width + layout[home + cols]];
    return sum;
}

/* What the seams right of a home and below it cost. */
static double seams_after(const Costs *costs, const int16_t *layout, const int64_t home)
{
    const int64_t row = layout[home] * costs->width;
    double sum = 0;
    if ((home + 1) % costs->cols)
        sum += costs->right[row + layout[home + 1]];
    if (home + costs->cols < costs->size)
        sum += costs->below[row + layout[home + costs->cols]];
    return sum;
}

static double cost_of(const Costs *costs, const int16_t *layout)
{
    double sum = 0;
    bool has_hole = false;
    for (int64_t home = 0; home < costs->size; home++) {
        const bool is_hole = layout[home] == costs->count;
        /* One hole alone counts as such. */
        if (!is_hole || !has_hole)
            sum += own_cost(costs, home, layout[home]);
        has_hole = has_hole || is_hole;
        sum += seams_after(costs, layout, home);
    }
    return has_hole ? sum : sum + costs->whole;
}

/* `out` (number) becomes what layouts (number, size) cost. */
EXPORT void layout_costs(COSTS, int64_t number, const int16_t *layouts, double *out)
{
    const Costs costs = GIVEN;
    for (int64_t one = 0; one < number; one++)
        out[one] = cost_of(&costs, layouts + one * costs.size);
}

/* The layouts one move away in which pieces only lie elsewhere: in the one of a number
 * the homes from its start to the next one's have the pieces of other homes. */
typedef struct {
    int64_t number;
    const int64_t *starts;
    const int16_t *homes, *origins;
} Moves;

/* What the pieces at some homes and their seams cost, each seam once; `is_changed` says
 * of each home whether it is one of them. */
static double cost_at(const Costs *costs, const int16_t *layout, const int16_t *homes,
    const int64_t number, const int8_t *is_changed)
{
    const int64_t width = costs->width, cols = costs->cols;
    double sum = 0;
    for (int64_t one = 0; one < number; one++) {
        const int64_t home = homes[one], col = home % cols;
        const int64_t piece = layout[home];
        sum += own_cost(costs, home, piece) + seams_after(costs, layout, home);
        if (col && !is_changed[home - 1])
            sum += costs->right[layout[home - 1] * width + piece];
        if (home >= cols && !is_changed[home - cols])
            sum += costs->below[layout[home - cols] * width + piece];
    }
    return sum;
}

/* Write the pieces at the homes of a move as they lie after it. */
static void make_move(
    const Moves *moves, const int64_t move, const int16_t *layout, int16_t *out)
{
    for (int64_t at = moves->starts[move]; at < moves->starts[move + 1]; at++)
        out[moves->homes[at]] = layout[moves->origins[at]];
}

/* The cell whose tile is not laid, or the number of cells. */
static int64_t left_out(const Costs *costs, const int16_t *layout)
{
    int64_t rest = costs->size * (costs->size + 1) / 2;
    for (int64_t home = 0; home < costs->size; home++)
        rest -= cell_of(costs, layout[home]);
    return rest;
}

/* Keep a layout one move away if it is cheaper than the best so far. */
static double kept(const Costs *costs, const int16_t *layout, double least, int16_t *best)
{
    const double cost = cost_of(costs, layout);
    if (cost >= least)
        return least;
    memcpy(best, layout, (size_t)costs->size * sizeof *best);
    return cost;
}

/* The cheapest layout one move away; `trial` is a copy of the layout. */
static double best_near(const Costs *costs, const Moves *moves, const int16_t *layout,
    int16_t *trial, int8_t *is_changed, int16_t *best)
{
    const int64_t size = costs->size;
    double least = 0;
    int64_t chosen = -1;
    for (int64_t move = 0; move < moves->number; move++) {
        const int16_t *homes = moves->homes + moves->starts[move];
        const int64_t number = moves->starts[move + 1] - moves->starts[move];
        for (int64_t one = 0; one < number; one++)
            is_changed[homes[one]] = true;
        const double before = cost_at(costs, trial, homes, number, is_changed);
        make_move(moves, move, layout, trial);
        const double gain = cost_at(costs, trial, homes, number, is_changed) - before;
        for (int64_t one = 0; one < number; one++) {
            trial[homes[one]] = layout[homes[one]];
            is_changed[homes[one]] = false;
        }
        if (gain < least) {
            least = gain;
            chosen = move;
        }
    }
    memcpy(best, layout, (size_t)size * sizeof *best);
    if (chosen >= 0)
        make_move(moves, chosen, layout, best);
    least = cost_of(costs, best);
    const int64_t left = left_out(costs, layout);
    for (int64_t home = 0; home < size && costs->turns == 1; home++) {
        trial[home] = (int16_t)left;
        least = kept(costs, trial, least, best);
        trial[home] = layout[home];
    }
    for (int64_t home = 0; home < size && costs->turns > 1; home++) {
        const int64_t others[] = {home, home + 1, home + costs->cols};
        const bool is_there[]
            = {true, (home + 1) % costs->cols != 0, home + costs->cols < size};
        for (int64_t one = 0; one < 3; one++)
            for (int64_t turn = 1; is_there[one] && turn < costs->turns; turn++)
                for (int64_t by = 1; by < costs->turns; by++) {
                    const int64_t other = others[one];
                    const int64_t first = layout[home] + turn * size;
                    const int64_t second = layout[other] + by * size;
                    trial[home] = (int16_t)(first % costs->count);
                    trial[other] = (int16_t)(second % costs->count);
                    least = kept(costs, trial, least, best);
                    trial[home] = layout[home];
                    trial[other] = layout[other];
                }
    }
    return least;
}

/* The turn of a cell's tile that suits a home best, as a piece, and what it costs
 * there; of the hole, the hole. */
static int64_t best_piece(const Costs *costs, const int16_t *layout, const int64_t home,
    const int64_t cell, double *least)
{
    const int64_t size = costs->size, turns = cell < size ? costs->turns : 1;
    int64_t best = -1;
    for (int64_t turn = 0; turn < turns; turn++) {
        const int64_t piece = cell < size ? cell + turn * size : costs->count;
        const double cost
            = seams_of(costs, layout, home, piece) + own_cost(costs, home, piece);
        if (best < 0 || cost < *least) {
            *least = cost;
            best = piece;
        }
    }
    return best;
}

/* Make the best exchange among all homes of one colour of the chequerboard.
 *
 * Such homes do not touch, so that an assignment problem gives the optimum. The tile that
 * is left out takes part, or the hole where none is; each tile lies in the turn that suits
 * it best. `room` are (m + 3) * m numbers and `places` 4 * m for m = size / 2 + 2. */
static void reassign(const Costs *costs, const int64_t colour, int16_t *layout,
    double *restrict room, int64_t *restrict places)
{
    const double most = 4 * NEVER;
    /* A hole at a forbidden home is better than none at all, where one is needed. */
    const double without = costs->whole >= NEVER / 2 ? most : costs->whole;
    int64_t homes[MOST], cells[MOST + 1], number = 0;
    for (int64_t home = 0; home < costs->size; home++)
        if ((home / costs->cols + home % costs->cols) % 2 == colour) {
            cells[number] = cell_of(costs, layout[home]);
            homes[number++] = home;
        }
    cells[number] = left_out(costs, layout);
    const int64_t all = number + 1;
    for (int64_t one = 0; one < all; one++) {
        for (int64_t at = 0; at < number; at++) {
            double cost;
            best_piece(costs, layout, homes[at], cells[one], &cost);
            room[one * all + at] = cost < most ? cost : most;
        }
        room[one * all + number] = cells[one] == costs->size ? without : 0;
    }
    int64_t *columns = places + 3 * all;
    assign(all, room, room + all * all, places, columns);
    int16_t changed[MOST];
    for (int64_t one = 0; one < all; one++)
        if (columns[one] < number) {
            double cost;
            changed[columns[one]] = (int16_t)best_piece(
                costs, layout, homes[columns[one]], cells[one], &cost);
        }
    for (int64_t at = 0; at < number; at++)
        layout[homes[at]] = changed[at];
}

/* Improve a layout by assignments and moves until nothing helps. */
EXPORT void polish_layout(COSTS, int64_t rounds, int64_t number, const int64_t *starts,
    const int16_t *homes, const int16_t *origins, int16_t *layout, double *room,
    int64_t *places)
{
    const Costs costs = GIVEN;
    const Moves moves = {number, starts, homes, origins};
    int16_t trial[MOST], best[MOST];
    int8_t is_changed[MOST] = {0};
    double cost = cost_of(&costs, layout);
    for (int64_t round = 0; round < rounds; round++) {
        const double before = cost;
        for (int64_t colour = 0; colour < 2; colour++)
            reassign(&costs, colour, layout, room, places);
        cost = cost_of(&costs, layout);
        memcpy(trial, layout, (size_t)costs.size * sizeof *trial);
        const double least
            = best_near(&costs, &moves, layout, trial, is_changed, best);
        if (least < cost - 1e-9) {
            memcpy(layout, best, (size_t)costs.size * sizeof *layout);
            cost = least;
        }
        if (cost > before - 1e-9)
            break;
    }
}

/* A place of the canvas on which a layout grows: what lies there, or -1; whether it is
 * beside something; and the piece that fits best, or -1. */
typedef struct {
    int64_t piece, is_beside, best;
} Place;

typedef struct {
    int64_t size, count, wide;
    int64_t top, bottom, left, right; /* what has grown so far */
    Place *places;
    float *prices; /* of each piece at each place */
    int8_t *is_used;
} Canvas;

/* The cheapest piece for a place of those that are not used, or -1. */
static int64_t best_at(const Canvas *canvas, const int64_t place)
{
    const float *prices = canvas->prices + place * canvas->count;
    int64_t best = -1;
    for (int64_t piece = 0; piece < canvas->count; piece++)
        if (!canvas->is_used[piece] && (best < 0 || prices[piece] < prices[best]))
            best = piece;
    return best;
}

/* Lay a piece; `gains` are what others cost right of, left of, below and above each. */
static void lay(
    Canvas *canvas, const float *gains, const int64_t place, const int64_t piece)
{
    const int64_t row = place / canvas->wide, col = place % canvas->wide;
    const int64_t count = canvas->count;
    const int64_t steps[] = {1, -1, canvas->wide, -canvas->wide};
    canvas->places[place].piece = piece;
    for (int64_t one = piece % canvas->size; one < count; one += canvas->size)
        canvas->is_used[one] = true;
    canvas->top = row < canvas->top ? row : canvas->top;
    canvas->bottom = row > canvas->bottom ? row : canvas->bottom;
    canvas->left = col < canvas->left ? col : canvas->left;
    canvas->right = col > canvas->right ? col : canvas->right;
    for (int64_t way = 0; way < 4; way++) {
        const int64_t beside = place + steps[way];
        if (canvas->places[beside].piece >= 0)
            continue;
        const float *gain = gains + (way * count + piece) * count;
        float *prices = canvas->prices + beside * count;
        for (int64_t other = 0; other < count; other++)
            prices[other] += gain[other];
        canvas->places[beside].is_beside = true;
        canvas->places[beside].best = -1;
    }
}

/* The place whose best piece is the cheapest, inside the outline of a board about all
 * that has grown, or -1. */
static int64_t cheapest_place(Canvas *canvas, const int64_t rows, const int64_t cols)
{
    int64_t chosen = -1;
    float least = 0;
    for (int64_t row = canvas->bottom - rows + 1; row < canvas->top + rows; row++)
        for (int64_t col = canvas->right - cols + 1; col < canvas->left + cols; col++) {
            const int64_t place = row * canvas->wide + col;
            Place *here = &canvas->places[place];
            if (!here->is_beside || here->piece >= 0)
                continue;
            if (here->best < 0 || canvas->is_used[here->best])
                here->best = best_at(canvas, place);
            if (here->best < 0)
                continue;
            const float price = canvas->prices[place * canvas->count + here->best];
            if (chosen < 0 || price < least) {
                chosen = place;
                least = price;
            }
        }
    return chosen;
}

/* Lay `number` pieces around a kernel, the best-fitting one first.
 *
 * The kernel is `laid` pieces: `kernel` (laid, 2) of places and pieces on a canvas of
 * 2 * rows + 1 and 2 * cols + 1, from its middle on: so no board about them reaches the
 * canvas's sides. `gains` are as for `lay`, `prices` (places, count) and `is_used`
 * (count) say what the pieces cost at first, and which may not be laid; `room` is
 * (places, 3), and `layout` (size) becomes the result, `count` where nothing lies. */
EXPORT void grow_layout(int64_t rows, int64_t cols, int64_t count, int64_t number,
    int64_t laid, const int64_t *kernel, const float *gains, float *prices,
    int8_t *is_used, int64_t *room, int16_t *layout)
{
    const int64_t wide = 2 * cols + 1;
    Place *places = (Place *)room;
    for (int64_t place = 0; place < (2 * rows + 1) * wide; place++)
        places[place] = (Place){-1, false, -1};
    Canvas canvas = {
        rows * cols, count, wide, rows, rows, cols, cols, places, prices, is_used};
    for (int64_t one = 0; one < laid; one++)
        lay(&canvas, gains, kernel[2 * one], kernel[2 * one + 1]);
    for (int64_t step = laid; step < number; step++) {
        const int64_t place = cheapest_place(&canvas, rows, cols);
        if (place < 0)
            break;
        lay(&canvas, gains, place, places[place].best);
    }
    for (int64_t home = 0; home < rows * cols; home++) {
        const int64_t row = canvas.top + home / cols, col = canvas.left + home % cols;
        const int64_t piece = places[row * wide + col].piece;
        layout[home] = (int16_t)(piece < 0 ? count : piece);
    }
}
