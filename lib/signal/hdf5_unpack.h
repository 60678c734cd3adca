/* hdf5_unpack.h - unpacks chunks without libhdf5, in any thread. */
#ifndef LIB_SIGNAL_HDF5_UNPACK_H
#define LIB_SIGNAL_HDF5_UNPACK_H

#include "lib/signal/hdf5.h"

/* A range of rows. */
struct hdf5_rows {
	uint64_t first, count;
};

/* A chunk, or all rows of a dataset that is not chunked. */
struct hdf5_chunk {
	uint64_t number;
	uint64_t offset;  /* offset in the file */
	size_t bytes;     /* stored bytes; 0: not stored, elements are `fill` */
	uint32_t skipped; /* set of filters that were not applied */
};

/* Returns the number of chunks with these rows; *first is the first one. */
uint64_t hdf5_chunks(
    const struct hdf5_dataset *dataset, struct hdf5_rows rows, uint64_t *first);
/* Work memory, one per thread. */
struct hdf5_unpacker {
	void *deflate;
	struct buf inflated, joined;
};

#define HDF5_UNPACKER_INIT      \
	{                       \
		.deflate = NULL \
	}

/*
 * Copies what the chunk has of the rows to its place in `out`, which has room
 * for all rows.  `stored` has the bytes at the chunk's offset.
 */
int hdf5_unpack(struct hdf5_unpacker *unpacker,
    const struct hdf5_dataset *dataset, struct hdf5_rows rows,
    const struct hdf5_chunk *chunk, struct span stored, void *out,
    struct error *err);
void hdf5_unpacker_release(struct hdf5_unpacker *unpacker);

#endif
