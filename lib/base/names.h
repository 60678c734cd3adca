/*
 * names.h - numbers names 0, 1, 2 ... in the order of their first appearance.
 * A name is found in constant time.
 */
#ifndef LIB_BASE_NAMES_H
#define LIB_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct names {
	struct span *list; /* names by number; point into the caller's text */
	int32_t *slots;    /* hash table of the numbers; -1: free */
	size_t count, capacity, slot_count;
};

#define NAMES_INIT                          \
	{                                   \
		.list = NULL, .slots = NULL \
	}

/* Returns the name's number, a new one if needed; -1 when out of memory. */
int32_t names_number(struct names *names, struct span name, struct error *err);
/* Returns the number of the name; -1: it has none. */
int32_t names_find(const struct names *names, struct span name);
void names_clear(struct names *names); /* keeps the memory */
void names_release(struct names *names);

#endif
