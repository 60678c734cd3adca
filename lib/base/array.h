/* array.h - memory for structs and arrays, and sizes that must not overflow. */
#ifndef LIB_BASE_ARRAY_H
#define LIB_BASE_ARRAY_H

#include <stddef.h>

struct error;

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define UNUSED(x)    ((void)(x))

/* Returns `bytes` zeroed bytes, to be freed with free(); NULL: out of memory.
 */
void *memory_zeroed(size_t bytes, struct error *err);
/*
 * Makes room for `need` items of `size` bytes.  Returns the array, which may
 * have moved, and sets *capacity to the number of items that fit now.  NULL
 * when out of memory or on overflow; `items` is then still valid.
 */
void *array_grow(
    void *items, size_t *capacity, size_t need, size_t size, struct error *err);

/* For sizes read from files: return -1 on overflow, else 0. */
static inline int size_mul(size_t a, size_t b, size_t *product)
{
	return __builtin_mul_overflow(a, b, product) ? -1 : 0;
}

static inline int size_add(size_t a, size_t b, size_t *sum)
{
	return __builtin_add_overflow(a, b, sum) ? -1 : 0;
}

#endif
