/* The cheapest assignment of rows to columns. */
#include "kernels.h"

enum { OWNER, CAME_FROM, IS_DONE }; /* the rows of `places` */

/* Give each row a column of its own, so that the sum of `costs` (size, size) is smallest
 * (R. Jonker and A. Volgenant, 1987); returns the sum.
 *
 * Row by row a column is found; others change theirs where that is cheapest, and of equal
 * ones the first is taken. Costs less prices are never negative, and nothing where a row
 * has its column. `prices` (3, size: rows, columns, slack) and `places` (3, size) are room
 * to work in, and `columns` (size) becomes the column of each row. */
EXPORT double assign(
    int64_t size, const double *restrict costs, double *restrict prices,
    int64_t *restrict places, int64_t *restrict columns)
{
    double *restrict row_price = prices, *restrict col_price = prices + size;
    double *restrict slack = prices + 2 * size;
    int64_t *restrict owner = places + OWNER * size;
    int64_t *restrict came_from = places + CAME_FROM * size;
    int64_t *restrict is_done = places + IS_DONE * size;
    for (int64_t column = 0; column < size; column++) {
        row_price[column] = col_price[column] = 0;
        owner[column] = -1;
    }
    for (int64_t row = 0; row < size; row++) {
        for (int64_t column = 0; column < size; column++) {
            slack[column] = costs[row * size + column] - col_price[column];
            came_from[column] = -1;
            is_done[column] = false;
        }
        int64_t column;
        for (;;) {
            column = -1;
            for (int64_t other = 0; other < size; other++)
                if (!is_done[other] && (column < 0 || slack[other] < slack[column]))
                    column = other;
            const int64_t current = owner[column];
            if (current < 0)
                break;
            is_done[column] = true;
            const double base = row_price[current] - slack[column];
            for (int64_t other = 0; other < size; other++) {
                const double reduced
                    = costs[current * size + other] - base - col_price[other];
                if (!is_done[other] && reduced < slack[other]) {
                    slack[other] = reduced;
                    came_from[other] = column;
                }
            }
        }
        const double least = slack[column];
        for (int64_t passed = 0; passed < size; passed++)
            if (is_done[passed]) {
                col_price[passed] -= least - slack[passed];
                row_price[owner[passed]] += least - slack[passed];
            }
        row_price[row] += least;
        while (column >= 0) {
            const int64_t previous = came_from[column];
            owner[column] = previous < 0 ? row : owner[previous];
            column = previous;
        }
    }
    double total = 0;
    for (int64_t column = 0; column < size; column++)
        columns[owner[column]] = column;
    for (int64_t row = 0; row < size; row++)
        total += costs[row * size + columns[row]];
    return total;
}
