/*
 * hdf5_rows.h - rows of HDF5 files, as chunks of a reader: runs of rows that
 * stand together are read at once, and unpacked field by field.
 */
#ifndef DATASETS_ARRAYS_HDF5_ROWS_H
#define DATASETS_ARRAYS_HDF5_ROWS_H

#include "datasets/arrays/hdf5_files.h"
#include "lib/sample/reader.h"

enum {
	HDF5_KEY_DIGITS = 8,
	HDF5_KEY_ROOM = 24, /* for a hyphen and any number */
};

/* What the source's reader->priv is. */
struct hdf5 {
	struct hdf5_files files;
	uint64_t samples, in_stream;
	unsigned fields;
	size_t row_bytes[FIELDS_MAX];
	size_t sample_bytes; /* of all fields */
};

struct hdf5_run {
	const struct hdf5_part *part;
	struct hdf5_rows rows;
};

/* Appends what the rows of all fields are stored in: some parts. */
int hdf5_fetch_run(const struct hdf5 *hdf5, const struct hdf5_run *run,
    struct chunk *chunk, struct error *err);
/*
 * Unpacks the rows of a field; the fields of a run follow each other.  *part is
 * the first part of the field, and then that of the next.
 */
int hdf5_unpack_field(struct hdf5_unpacker *unpacker,
    const struct hdf5_run *run, unsigned field, const struct chunk *chunk,
    size_t *part, unsigned char *out, struct error *err);

/*
 * Where the rows of a field begin in chunk->unpacked; behind the last field,
 * the keys.
 */
size_t hdf5_field_offset(
    const struct hdf5 *hdf5, unsigned field, uint64_t samples);
/* Room there for so many samples, and for their keys. */
int hdf5_make_room(const struct hdf5 *hdf5, uint64_t samples,
    struct chunk *chunk, struct error *err);

/* Samples by number, as in reader_ops. */
void *hdf5_picker_open(const struct reader *reader, struct error *err);
int hdf5_picker_fetch(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err);
void hdf5_picker_close(void *picker);

#endif
