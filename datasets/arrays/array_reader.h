/* array_reader.h - a reader of arrays, for the sources npy and npz. */
#ifndef DATASETS_ARRAYS_ARRAY_READER_H
#define DATASETS_ARRAYS_ARRAY_READER_H

#include "datasets/arrays/array_set.h"
#include "datasets/files/source_plan.h"

/* reader->priv is a struct array_set. */
extern const struct reader_ops array_reader;

/* Like `fill` of a source; the options are struct array_options. */
int array_reader_fill(struct reader *reader, const struct source_plan *plan,
    bool is_npz, struct error *err);

#endif
