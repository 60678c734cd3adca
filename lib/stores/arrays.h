/*
 * arrays.h - shards that are arrays, one a field; inside lib/stores only.
 *
 *	shard-000000.npy         the rows of the only field,
 *	shard-000000.FIELD.npy   or of each; compressed as the codec says
 *	shard-000000.labels.npy  int64, -1 for none; not there if all are
 *	shard-000000.keys.txt    a line each
 * Behind a filter (npy.h) the file of a field is shard-000000.FILTER-npy.
 * What is in a shard has the number of one of these files, its part: first
 * the fields, then the labels and the keys.  Headers of .npy files have the
 * same length whatever the number of rows is.
 *
 * In a line of a key everything but graphic ASCII characters is %XX, and so is
 * '%': it is what urllib.parse.unquote undoes.
 *
 * A chunk is a block: some rows.  Its memory begins with a struct rows_head.
 * Its parts are first the block (stored.h), then those of the files; until it
 * is unpacked as they are stored, then from the first row on.  Those of the
 * fields are where the head says: mapped, read, or decompressed.  The part of
 * the keys begins with the key of the sample that is next.  chunk->at counts
 * samples.
 */
#ifndef LIB_STORES_ARRAYS_H
#define LIB_STORES_ARRAYS_H

#include <stdbool.h>

#include "lib/sample/npy.h"
#include "lib/sample/reader.h"
#include "lib/stores/index.h"
#include "lib/stores/layout.h"

struct error;

enum { ARRAYS_ALIGN = 64 };

struct rows_head {
	uint64_t shard_samples; /* as the headers of the files must say */
	struct shape shapes[FIELDS_MAX];
	size_t row_bytes[FIELDS_MAX];
	struct index_part parts[PARTS_MAX];
	const unsigned char *data[FIELDS_MAX]; /* of the fields' parts */
};

static inline unsigned arrays_labels(const struct store_form *form)
{
	return form->schema.count;
}

static inline unsigned arrays_keys(const struct store_form *form)
{
	return form->schema.count + 1;
}

/* The path of a part's file; owned by the caller. */
char *arrays_path(
    const struct shard_place *place, unsigned part, struct error *err);
/* Header of a part's file that has `rows` rows of this shape; 0 of keys. */
size_t arrays_header(const struct store_form *form, unsigned part,
    const struct shape *row, uint64_t rows,
    unsigned char header[NPY_HEADER_MAX]);

/*
 * Does the index fit to the schema, and do its sizes to each other?  Then
 * bytes[] are those of the files, 0 for labels that are not there.
 */
int arrays_check_index(const struct store_form *form,
    const struct shard_index *index, uint64_t bytes[PARTS_MAX],
    struct error *err);

/* Appends the line of a key, and the newline. */
int arrays_put_key(struct span key, struct buf *lines, struct error *err);
/* Undoes the escapes of a line in place; -1 when one is damaged. */
int arrays_take_key(unsigned char *line, size_t *len);

/* As store_layout has them. */
int arrays_check(const struct shard_place *place,
    const struct shard_index *index, bool all, struct error *err);
int arrays_each_file(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err);
extern const struct reader_ops arrays_reader;

#endif
