/* hdf5_pick.h - reads rows of HDF5 files by number. */
#ifndef DATASETS_ARRAYS_HDF5_PICK_H
#define DATASETS_ARRAYS_HDF5_PICK_H

#include "lib/sample/reader.h"

/* Functions of reader_ops; reader->priv is a struct hdf5. */
void *hdf5_picker_open(const struct reader *reader, struct error *err);
int hdf5_picker_fetch(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err);
void hdf5_picker_close(void *picker);

#endif
