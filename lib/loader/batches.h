/*
 * batches.h - the batches of a loader.  Between epochs they lie in the free
 * list of its plan, if it has one.
 */
#ifndef LIB_LOADER_BATCHES_H
#define LIB_LOADER_BATCHES_H

struct error;
struct loader;

/* Makes the batches and their pool; they are kept where the plan says. */
int batches_make(struct loader *loader, struct error *err);
/* Take the missing batches from the free list for an epoch, and return them. */
int batches_take(struct loader *loader, struct error *err);
void batches_give(struct loader *loader);

#endif
