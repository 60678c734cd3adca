/* hdf5_read.h - reads rows by libhdf5, and asks it where chunks lie. */
#ifndef LIB_SIGNAL_HDF5_READ_H
#define LIB_SIGNAL_HDF5_READ_H

#include "lib/signal/hdf5_unpack.h"

/* Reads rows `first` to `first + count - 1` by the library. */
int hdf5_read(const struct hdf5_dataset *dataset, uint64_t first,
    uint64_t count, void *out, struct error *err);
/* Finds the chunk chunk->number in the file, and sets the rest of *chunk. */
int hdf5_locate(const struct hdf5_dataset *dataset, struct hdf5_rows rows,
    struct hdf5_chunk *chunk, struct error *err);

#endif
