/*
 * metadata.h - the metadata at the end of a Parquet file: the columns, and
 * where their values are.
 *
 * libarrow is the usual reader of Parquet. It is not in Debian 12, is in C++
 * and takes tens of megabytes. What tables of samples need of the format is
 * read here: columns of bytes, texts and numbers, also in structs, and lists of
 * numbers. Everything else is known by name and type, and is not read.
 *
 *   "PAR1", row groups, metadata (thrift.h), u32 its bytes, "PAR1"
 *
 * A row group has a column chunk for each leaf of the schema, and these are
 * rows of pages (pages.h).
 */
#ifndef LIB_FORMATS_PARQUET_METADATA_H
#define LIB_FORMATS_PARQUET_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/dtype.h"

struct error;

enum {
	PARQUET_TAIL = 8, /* bytes: the last of a file */
	PARQUET_NAME = 128,
	PARQUET_LEAVES = 4096,
};

#define PARQUET_MAGIC "PAR1"

enum parquet_type {
	PARQUET_BOOLEAN,
	PARQUET_INT32,
	PARQUET_INT64,
	PARQUET_INT96,
	PARQUET_FLOAT,
	PARQUET_DOUBLE,
	PARQUET_BYTE_ARRAY,
	PARQUET_FIXED, /* byte arrays of `width` bytes */
};

/* Kinds of values. */
enum parquet_kind {
	PARQUET_BYTES,
	PARQUET_TEXT,
	PARQUET_NUMBER,
	PARQUET_OTHER,
};

enum parquet_repetition {
	PARQUET_REQUIRED,
	PARQUET_OPTIONAL,
	PARQUET_REPEATED,
};

enum parquet_codec {
	PARQUET_UNCOMPRESSED = 0,
	PARQUET_SNAPPY = 1,
	PARQUET_GZIP = 2,
	PARQUET_LZO = 3,
	PARQUET_BROTLI = 4,
	PARQUET_LZ4 = 5,
	PARQUET_ZSTD = 6,
	PARQUET_LZ4_RAW = 7,
};

/* Numbers of annotations of the schema. */
enum parquet_annotation {
	PARQUET_UTF8 = 0,
	PARQUET_ENUM = 4,
	PARQUET_DECIMAL = 5,
	PARQUET_JSON = 19,
};

struct parquet_leaf {
	/* Parts of its path, joined by dots; those of lists are left out. */
	char name[PARQUET_NAME];
	enum parquet_type type;
	enum parquet_kind kind;
	enum dtype dtype; /* element type of numbers */
	uint32_t width;   /* bytes of a value in memory; 0: they differ */
	unsigned max_def, max_rep;
	unsigned list_def; /* definition level of an item of a list */
	char what[48];     /* its type in words */
};

struct parquet_chunk {
	uint64_t offset, bytes; /* place of all its pages */
	uint64_t values;        /* with nulls */
	enum parquet_codec codec;
};

struct parquet_group {
	uint64_t rows;
	struct parquet_chunk *chunks; /* [leaves] */
};

struct parquet_metadata {
	struct parquet_leaf *leaves;
	size_t leaf_count, leaf_capacity;
	struct parquet_group *groups;
	size_t group_count, group_capacity;
	struct buf text;         /* the metadata, which spans below are in */
	struct span huggingface; /* JSON of the library `datasets`; or empty */
	struct span tensors;     /* JSON of presto's own store; or empty */
};

#define PARQUET_METADATA_INIT  \
	{                      \
		.leaves = NULL \
	}

/* Keys of the file's metadata. */
#define PARQUET_KEY_HUGGINGFACE "huggingface"
#define PARQUET_KEY_TENSORS     "presto.tensors"

/*
 * Checks the last bytes of a file of `size` bytes. Sets the bytes of the
 * metadata in front of them.
 */
int parquet_tail(
    struct span tail, uint64_t size, uint64_t *bytes, struct error *err);
/*
 * Parses metadata->text, of a file of `size` bytes: everything is within the
 * file. Release it in any case.
 */
int parquet_parse(
    struct parquet_metadata *metadata, uint64_t size, struct error *err);
void parquet_metadata_release(struct parquet_metadata *metadata);

#endif
