/* What all kernels share. They are plain C11 without Python.h: arrays come as
 * pointers to the memory of NumPy arrays, C-contiguous and of the types that the
 * Python module of the same name declares, and none is kept after the call. Nothing
 * here allocates memory or has a state of its own, so any number of threads may call.
 */
#ifndef IMGPUZZLE_KERNELS_H
#define IMGPUZZLE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __EMSCRIPTEN__ /* compiled without the headers of a C library */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *one, const void *other, size_t bytes);
#else
#include <string.h>
#endif

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum {
    MOST_CELLS = 256, /* of a board: a tile or a cell is one byte */
    MOST_VIEWS = 7,   /* of the tables of large boards: a bit each in a byte, not all */
    MOST_DISTANCE = 1000, /* of a pattern: the levels of the search that fills a table */
};

/* The cheapest assignment, as assignment.c says. */
EXPORT double assign(int64_t size, const double *costs, double *prices, int64_t *places,
    int64_t *columns);

/* The number of set bits. */
static inline int64_t popcount(uint64_t bits) { return __builtin_popcountll(bits); }

/* The number of the lowest set bit; `bits` is not 0. */
static inline int64_t trailing_zeros(uint64_t bits) { return __builtin_ctzll(bits); }

#endif
