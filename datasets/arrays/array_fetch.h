/* array_fetch.h - reads runs of samples from .npy and .npz into chunks. */
#ifndef DATASETS_ARRAYS_ARRAY_FETCH_H
#define DATASETS_ARRAYS_ARRAY_FETCH_H

#include "datasets/arrays/array_set.h"

/*
 * Reads the samples of a run to the end of chunk->stored and points `parts`,
 * the parts of the run, there. A .npz file is read whole.
 */
int array_fetch(const struct array_set *set, const struct run *run,
    struct chunk *chunk, struct chunk_part *parts, struct error *err);

#endif
