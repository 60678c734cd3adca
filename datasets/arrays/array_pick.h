/* array_pick.h - reads samples of an array_set by number. */
#ifndef DATASETS_ARRAYS_ARRAY_PICK_H
#define DATASETS_ARRAYS_ARRAY_PICK_H

#include "datasets/arrays/array_set.h"

/* Functions of reader_ops. */
void *array_picker_open(const struct reader *reader, struct error *err);
int array_picker_fetch(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err);
void array_picker_close(void *picker);

#endif
