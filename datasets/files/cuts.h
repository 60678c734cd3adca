/*
 * cuts.h - cuts a row of items into streams: stream i has the items from
 * cuts->at[i] to cuts->at[i + 1] - 1.
 */
#ifndef DATASETS_FILES_CUTS_H
#define DATASETS_FILES_CUTS_H

#include <stddef.h>

struct error;

struct cuts {       /* begins as all 0 */
	size_t *at; /* [count]; owned */
	size_t count, capacity;
};

/* Begins a stream with `item`; after the last one, `item` is their number. */
int cuts_add(struct cuts *cuts, size_t item, struct error *err);
void cuts_release(struct cuts *cuts);

#endif
