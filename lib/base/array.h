/*
 * array.h - lengths of arrays, and growing them.
 */
#ifndef LIB_BASE_ARRAY_H
#define LIB_BASE_ARRAY_H

#include <stddef.h>

struct error;

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define UNUSED(x)    ((void)(x))

/*
 * Makes room for `need` items of `size` bytes: returns the array, moved if it
 * had to be, with *capacity the items that fit now.  NULL with err set when
 * there is no memory or the product overflows; `items` is then still good.
 */
void *array_grow(
    void *items, size_t *capacity, size_t need, size_t size, struct error *err);

/* Products and sums of sizes that come from files: -1 when they overflow. */
int size_mul(size_t a, size_t b, size_t *product);
int size_add(size_t a, size_t b, size_t *sum);

#endif
