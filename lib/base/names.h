/*
 * names.h - numbers for names: 0, 1, 2 ... in the order in which they first
 * come.  A name is found in constant time, however many there are.
 */
#ifndef LIB_BASE_NAMES_H
#define LIB_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct names {
	struct span *list; /* by number; they point into the caller's text */
	int32_t *slots;    /* hash table of numbers; -1: free */
	size_t count, capacity, slot_count;
};

#define NAMES_INIT                          \
	{                                   \
		.list = NULL, .slots = NULL \
	}

/* The number of the name, a new one if need be; -1 when there is no memory. */
int32_t names_number(struct names *names, struct span name, struct error *err);
/* The number of the name; -1: it has none. */
int32_t names_find(const struct names *names, struct span name);
void names_clear(struct names *names); /* keeps the memory */
void names_release(struct names *names);

#endif
