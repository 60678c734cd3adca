/*
 * hdf5.h - datasets of numbers in HDF5 files, in memory or on a medium; wraps
 * libhdf5.
 *
 * libhdf5 runs one call at a time in a process.  So it is only asked what a
 * file has and where it lies, in short calls behind one lock of ours; chunks
 * that are stored plain, shuffled or deflated are read and unpacked here,
 * outside of it (hdf5_unpack), and all else by the library (hdf5_read).
 * Every function may be called by any thread, also for the same dataset.
 *
 * The library reads through the medium, too (the file driver in hdf5.c), and
 * opens no other file: external and virtual datasets are refused.  Sizes that
 * a file claims are checked against the bytes that it has, before anything of
 * such a size is allocated.  Metadata that crashes the library is an error,
 * too; the library is of no use to the process then (hdf5_library.h).
 */
#ifndef LIB_SIGNAL_HDF5_H
#define LIB_SIGNAL_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/library.h"
#include "lib/sample/tensor.h"

struct medium_file;

struct hdf5_file {
	struct span bytes;          /* borrowed; where it is in memory */
	struct medium_file *medium; /* borrowed; else NULL */
	uint64_t size;              /* of the file */
	int64_t id;                 /* of the library; 0 when closed */
	bool locating;              /* reads are noted, not done */
	uint64_t located, located_len;
	struct error failed; /* reading from the medium */
};

struct hdf5_dataset {
	struct hdf5_file *file;
	int64_t id; /* of the library; 0 when closed */
	enum dtype dtype;
	struct shape shape; /* 1 dimension or more; the first is of rows */
	size_t row_bytes;
	/* hdf5_unpack knows it; else it has to be read by hdf5_read. */
	bool direct;
	bool chunked, shuffled, deflated;
	uint64_t offset;       /* in the file; of what is not chunked */
	struct shape chunk;    /* its dims are those of a chunk */
	size_t chunk_bytes;    /* unpacked */
	unsigned char fill[8]; /* an element that is not stored */
};

#define HDF5_FILE_INIT  \
	{               \
		.id = 0 \
	}
#define HDF5_DATASET_INIT \
	{                 \
		.id = 0   \
	}

/* Either; `file` must not move until it is closed. */
int hdf5_open_bytes(
    struct hdf5_file *file, struct span bytes, struct error *err);
int hdf5_open_medium(
    struct hdf5_file *file, struct medium_file *medium, struct error *err);
void hdf5_close(struct hdf5_file *file); /* also when closed already */

/*
 * ERROR_USAGE "there is no dataset '/volt': the file has /voltage, /current1",
 * ERROR_DATA for what holds no numbers, or is not whole.
 */
int hdf5_dataset_open(struct hdf5_dataset *dataset, struct hdf5_file *file,
    const char *name, struct error *err);
void hdf5_dataset_close(struct hdf5_dataset *dataset);
/* A number that an attribute is; *value stays when there is no attribute. */
int hdf5_attribute(const struct hdf5_dataset *dataset, const char *name,
    double *value, struct error *err);

/* Rows `first` to `first + count - 1` into `out`, by the library. */
int hdf5_read(const struct hdf5_dataset *dataset, uint64_t first,
    uint64_t count, void *out, struct error *err);

/* ---- what is direct ---- */

/* Some rows of a dataset. */
struct hdf5_rows {
	uint64_t first, count;
};

/* A chunk of them, or all that are not chunked. */
struct hdf5_piece {
	uint64_t number;
	uint64_t offset;  /* in the file */
	size_t bytes;     /* there; 0: not stored, elements are `fill` */
	uint32_t skipped; /* filters that were not used, as bits */
};

/* The pieces that rows are in: from *first, so many. */
uint64_t hdf5_pieces(
    const struct hdf5_dataset *dataset, struct hdf5_rows rows, uint64_t *first);
/* Finds piece->number. */
int hdf5_locate(const struct hdf5_dataset *dataset, struct hdf5_rows rows,
    struct hdf5_piece *piece, struct error *err);

/* A thread's. */
struct hdf5_unpacker {
	void *deflate;
	struct buf inflated, joined;
};

#define HDF5_UNPACKER_INIT      \
	{                       \
		.deflate = NULL \
	}

/*
 * Puts what the piece has of the rows where it belongs in `out`, which has
 * room for all of them.  `stored` is what lies at the piece's offset.
 */
int hdf5_unpack(struct hdf5_unpacker *unpacker,
    const struct hdf5_dataset *dataset, struct hdf5_rows rows,
    const struct hdf5_piece *piece, struct span stored, void *out,
    struct error *err);
void hdf5_unpacker_release(struct hdf5_unpacker *unpacker);

/* The version of the library, as a session records it. */
void hdf5_library_version(char text[LIBRARY_VERSION]);

#endif
