/* array_reader.h - a reader of arrays, for the sources npy and npz. */
#ifndef DATASETS_ARRAYS_ARRAY_READER_H
#define DATASETS_ARRAYS_ARRAY_READER_H

#include "datasets/arrays/array_set.h"

/* Like `open` of a source. */
struct reader *array_reader_open(const char *path,
    const struct array_options *options, bool is_npz, uint64_t limit,
    struct medium *medium, struct error *err);

#endif
