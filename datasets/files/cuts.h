/*
 * cuts.h - where a row of items is cut into streams: stream i has the items
 * from cuts->at[i] to cuts->at[i + 1] - 1.
 */
#ifndef DATASETS_FILES_CUTS_H
#define DATASETS_FILES_CUTS_H

#include <stddef.h>

struct error;

struct cuts {       /* starts as all 0 */
	size_t *at; /* [count]; owned */
	size_t count, capacity;
};

/* The next stream begins with `item`; after the last, the number of items. */
int cuts_add(struct cuts *cuts, size_t item, struct error *err);
void cuts_release(struct cuts *cuts);

#endif
