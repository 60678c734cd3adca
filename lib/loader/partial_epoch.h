/* partial_epoch.h - a worker's part of an epoch that ends early. */
#ifndef LIB_LOADER_PARTIAL_EPOCH_H
#define LIB_LOADER_PARTIAL_EPOCH_H

struct chunk;
struct worker;

/* Handles a chunk in a partial epoch: 0, or -1. */
int partial_epoch_chunk(struct worker *worker, struct chunk *chunk);

#endif
