/* array_scan.h - finds the files, arrays, types and runs of an array_set. */
#ifndef DATASETS_ARRAYS_ARRAY_SCAN_H
#define DATASETS_ARRAYS_ARRAY_SCAN_H

#include "datasets/arrays/array_set.h"

/* Fills in the reader and its array_set, whose medium and is_npz are set. */
int array_scan(struct reader *reader, const char *path,
    const struct array_options *options, uint64_t limit, struct error *err);

#endif
