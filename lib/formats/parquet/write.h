/*
 * write.h - writes Parquet files: pages of version 1 with the encoding PLAIN,
 * columns without nulls, one page for each column chunk.
 */
#ifndef LIB_FORMATS_PARQUET_WRITE_H
#define LIB_FORMATS_PARQUET_WRITE_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/formats/parquet/metadata.h"

struct error;

/* A column of the schema: a leaf, or with children a struct of the next ones.
 */
struct parquet_node {
	char name[PARQUET_NAME];
	unsigned children; /* 0: a leaf */
	enum parquet_type type;
	uint32_t width; /* bytes of PARQUET_FIXED */
	bool is_text;
};

/* Bytes of a column chunk with the header of its page. */
struct parquet_sizes {
	uint64_t stored, unpacked;
};

struct parquet_block {
	uint64_t offset, rows;
};

/* All that the metadata of a file tells. */
struct parquet_file {
	const struct parquet_node *nodes;
	unsigned node_count;
	unsigned leaves;
	enum parquet_codec codec;
	const struct parquet_sizes *sizes; /* [blocks][leaves] */
	size_t blocks;
	/* Returns a row group. */
	struct parquet_block (*block)(const void *arg, size_t i);
	const void *arg;
	uint64_t rows;
	const char *keys[3], *values[3]; /* notes; up to the first NULL */
};

/*
 * Appends the header of a page of `values` values, and `packed` bytes that
 * unpack to `unpacked`. ERROR_LIMIT if these are 2 GiB.
 */
int parquet_put_page(uint64_t values, size_t packed, size_t unpacked,
    struct buf *out, struct error *err);
/* Appends the metadata and the end of the file. */
int parquet_put_end(
    const struct parquet_file *file, struct buf *out, struct error *err);

#endif
