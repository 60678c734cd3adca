/*
 * mds.h - MDS, the shards of MosaicML Streaming: a table of samples in front,
 * then the samples.
 *
 *   u32 SAMPLES
 *   u32 OFFSET[SAMPLES + 1]    of each sample in the file, and of the end
 *   JSON                       the columns
 *   the samples
 *
 * Columns are sorted by name. A sample has the size of each value whose column
 * has no fixed size, as u32, and then all values. An index.json beside the
 * shards lists them, with the encoding of each column:
 *
 *   bytes, jpeg, png           bytes as they are
 *   str, json, str_int, ...    text
 *   int, uint8, ..., float64   one number
 *   ndarray:DTYPE:DIMS         elements; without DIMS or DTYPE, each value
 *                              begins with them
 *
 * Others, such as Python's pickles, are known by name and are not read.
 */
#ifndef LIB_FORMATS_MDS_H
#define LIB_FORMATS_MDS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;

enum {
	MDS_NAME = 128,      /* bytes of a column's name, with its terminator */
	MDS_ENCODING = 256,  /* the same of an encoding */
	MDS_COLUMNS = 64,    /* most columns */
	MDS_ARRAY_HEAD = 80, /* most bytes before the elements of an array */
};

/* Files have an index.json of this version, and this name. */
#define MDS_INDEX_NAME "index.json"
#define MDS_VERSION    2

enum mds_kind {
	MDS_BYTES,
	MDS_TEXT,
	MDS_NUMBER,
	MDS_ARRAY,
	MDS_OTHER, /* not read here */
};

struct mds_column {
	char name[MDS_NAME];
	char encoding[MDS_ENCODING];
	enum mds_kind kind;
	bool has_dtype; /* an array has it in the encoding, not in each value */
	bool has_shape; /* the same */
	struct type type;        /* type of numbers and arrays */
	char suffix[SUFFIX_MAX]; /* extension of bytes and text: "jpg", "txt";
	                            or "" */
	bool is_fixed;           /* each value has `bytes` bytes */
	uint32_t bytes;
};

/* Sets a column; ERROR_DATA for an encoding that cannot be parsed. */
int mds_column_set(struct mds_column *column, const char *name,
    const char *encoding, struct error *err);

/* ---- reading ---- */

/* Returns the bytes before the description: number and offsets. */
uint64_t mds_table_bytes(uint64_t samples);
/*
 * Splits the record of a sample at `record` into values. Returns its length, or
 * 0 with ERROR_DATA if `record` is shorter.
 */
size_t mds_split(const struct mds_column *columns, unsigned count,
    struct span record, struct span *values, struct error *err);
/* Views a value of a number's or an array's column. */
int mds_view(const struct mds_column *column, struct span value,
    struct tensor *tensor, struct error *err);

/* ---- writing ---- */

/* Writes what an array without a fixed shape begins with; its length. */
size_t mds_array_head(
    const struct shape *shape, unsigned char head[MDS_ARRAY_HEAD]);
/*
 * Appends what is in front of the samples. `lengths` has the bytes of each
 * record; NULL: its length alone matters, which depends on their number.
 * ERROR_LIMIT if the shard would have 4 GiB.
 */
int mds_put_front(const struct mds_column *columns, unsigned count,
    const uint32_t *lengths, uint64_t samples, struct buf *out,
    struct error *err);
/* Appends the members of a JSON object that describe the columns. */
int mds_put_columns(const struct mds_column *columns, unsigned count,
    struct buf *out, struct error *err);

#endif
