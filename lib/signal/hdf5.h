/*
 * hdf5.h - reads datasets of numbers from HDF5 files, in memory or on a medium
 * (wraps libhdf5).
 *
 * libhdf5 runs one call at a time in a process.  So it is only asked what a
 * file contains and where, in short calls under a lock.  Chunks that are plain,
 * shuffled or deflated are read and unpacked here without the lock
 * (hdf5_unpack.h); the library reads all others (hdf5_read.h).  Any thread may
 * call any function, also for the same dataset.
 *
 * The library reads through the medium, too (the file driver in
 * hdf5_library.c), and opens no other file: external and virtual datasets are
 * refused.  Sizes that a file claims are compared with the size of the file
 * before memory is allocated.
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
	struct span bytes;          /* borrowed; a file in memory */
	struct medium_file *medium; /* borrowed; else NULL */
	uint64_t size;              /* bytes of the file */
	int64_t id;                 /* handle of the library; 0: closed */
	bool locating;              /* reads are recorded, not done */
	uint64_t located, located_len;
	struct error failed; /* error of the medium */
};

struct hdf5_dataset {
	struct hdf5_file *file;
	int64_t id; /* handle of the library; 0: closed */
	enum dtype dtype;
	struct shape shape; /* at least 1 dimension; the first counts rows */
	size_t row_bytes;
	/* true: use hdf5_unpack; else hdf5_read */
	bool direct;
	bool chunked, shuffled, deflated;
	uint64_t offset;       /* offset in the file, if not chunked */
	struct shape chunk;    /* dims of a chunk */
	size_t chunk_bytes;    /* size after unpacking */
	unsigned char fill[8]; /* value of elements that are not stored */
};

#define HDF5_FILE_INIT  \
	{               \
		.id = 0 \
	}
#define HDF5_DATASET_INIT \
	{                 \
		.id = 0   \
	}

/* Either opens `file`, which must not move until it is closed. */
int hdf5_open_bytes(
    struct hdf5_file *file, struct span bytes, struct error *err);
int hdf5_open_medium(
    struct hdf5_file *file, struct medium_file *medium, struct error *err);
void hdf5_close(struct hdf5_file *file); /* fine if already closed */

/*
 * ERROR_USAGE "there is no dataset '/volt': the file has /voltage, /current1";
 * ERROR_DATA if it has no numbers, or is damaged.
 */
int hdf5_dataset_open(struct hdf5_dataset *dataset, struct hdf5_file *file,
    const char *name, struct error *err);
void hdf5_dataset_close(struct hdf5_dataset *dataset);
/* Reads an attribute that is a number; *value is unchanged if there is none. */
int hdf5_attribute(const struct hdf5_dataset *dataset, const char *name,
    double *value, struct error *err);

/* Writes the version of the library, as a session records it. */
void hdf5_library_version(char text[LIBRARY_VERSION]);

#endif
