/*
 * hdf5_rows.h - rows of HDF5 files as chunks of a reader: runs of neighbouring
 * rows are read together and unpacked field by field.
 */
#ifndef DATASETS_ARRAYS_HDF5_ROWS_H
#define DATASETS_ARRAYS_HDF5_ROWS_H

#include "datasets/arrays/hdf5_files.h"
#include "lib/sample/reader.h"
#include "lib/signal/hdf5_unpack.h"

enum {
	HDF5_KEY_DIGITS = 8,
	HDF5_KEY_ROOM = 24, /* a hyphen and any number */
};

struct hdf5 { /* reader->priv of the source */
	struct hdf5_files files;
	uint64_t samples, in_stream;
	unsigned fields;
	size_t row_bytes[FIELDS_MAX];
	size_t sample_bytes; /* all fields */
};

struct hdf5_run {
	const struct hdf5_part *part;
	struct hdf5_rows rows;
};

/* Appends the stored form of the rows, as some parts for each field. */
int hdf5_fetch_run(const struct hdf5 *hdf5, const struct hdf5_run *run,
    struct chunk *chunk, struct error *err);
/*
 * Unpacks the rows of a field. *part is the first part of the field, and is
 * advanced to that of the next field.
 */
int hdf5_unpack_field(struct hdf5_unpacker *unpacker,
    const struct hdf5_run *run, unsigned field, const struct chunk *chunk,
    size_t *part, unsigned char *out, struct error *err);

/* Returns the offset of a field's rows in chunk->unpacked; keys are last. */
size_t hdf5_field_offset(
    const struct hdf5 *hdf5, unsigned field, uint64_t samples);
/* Makes room there for `samples` samples and their keys. */
int hdf5_make_room(const struct hdf5 *hdf5, uint64_t samples,
    struct chunk *chunk, struct error *err);

#endif
