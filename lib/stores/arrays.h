/*
 * arrays.h - shards that are arrays, one array for each field; inside
 * lib/stores only.
 *
 *   shard-000000.npy         the rows, if there is one field,
 *   shard-000000.FIELD.npy   else one file for each; compressed by the codec
 *   shard-000000.labels.npy  int64, -1 for none; absent if no sample has one
 *   shard-000000.keys.txt    one line for each key
 *
 * Behind a filter (npy.h) the file of a field is shard-000000.FILTER-npy. The
 * files are numbered; this number is called a part: first the fields, then the
 * labels, then the keys. The header of a .npy file has the same length for any
 * number of rows.
 *
 * In the line of a key, '%' and everything but graphic ASCII characters is
 * written as %XX, so that urllib.parse.unquote gives the key back.
 *
 * A chunk is one block: some rows. Its memory begins with a struct rows_head.
 * Its first part is the block (stored.h); then comes one part for each file,
 * holding stored bytes at first, and rows once it is unpacked. The rows of
 * fields are where the head says: mapped, read, or decompressed. The part of
 * the keys begins with the key of the next sample. chunk->at counts samples.
 */
#ifndef LIB_STORES_ARRAYS_H
#define LIB_STORES_ARRAYS_H

#include <stdbool.h>

#include "lib/formats/index.h"
#include "lib/sample/npy.h"
#include "lib/sample/reader.h"
#include "lib/stores/layout.h"

struct error;

enum { ARRAYS_ALIGN = 64 };

struct rows_head {
	uint64_t shard_samples; /* as the headers of the files must say */
	struct shape shapes[FIELDS_MAX];
	size_t row_bytes[FIELDS_MAX];
	struct index_part parts[PARTS_MAX];
	const unsigned char *data[FIELDS_MAX]; /* rows of each field */
};

static inline unsigned arrays_labels(const struct store_form *form)
{
	return form->schema.count;
}

static inline unsigned arrays_keys(const struct store_form *form)
{
	return form->schema.count + 1;
}

/* Returns the path of a part's file; owned by the caller. */
char *arrays_path(
    const struct shard_place *place, unsigned part, struct error *err);
/* Writes the header for `rows` rows; returns its length, 0 for keys. */
size_t arrays_header(const struct store_form *form, unsigned part,
    const struct shape *row, uint64_t rows,
    unsigned char header[NPY_HEADER_MAX]);

/*
 * Checks the index against the schema, and its sizes against each other. Sets
 * bytes[] to the sizes of the files, 0 for missing labels.
 */
int arrays_check_index(const struct store_form *form,
    const struct shard_index *index, uint64_t bytes[PARTS_MAX],
    struct error *err);

/* Appends a key as a line. */
int arrays_put_key(struct span key, struct buf *lines, struct error *err);
/* Undoes the escapes of a line in place; -1 when one is damaged. */
int arrays_take_key(unsigned char *line, size_t *len);

/* Functions of struct store_layout. */
int arrays_check(const struct shard_place *place,
    const struct shard_index *index, bool all, struct error *err);
int arrays_each_file(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err);
extern const struct reader_ops arrays_reader;

#endif
