/*
 * pages.h - the pages of a column chunk of Parquet, unpacked to one cell for
 * each row.
 *
 * A cell is a span: the bytes of a value, or the elements of a list. It is in
 * the column chunk itself where that is not compressed, else in memory of the
 * caller. Pages of version 1 and 2 are read, with the encodings PLAIN,
 * dictionary, RLE, DELTA_* and BYTE_STREAM_SPLIT.
 */
#ifndef LIB_FORMATS_PARQUET_PAGES_H
#define LIB_FORMATS_PARQUET_PAGES_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/codecs/packed.h"
#include "lib/formats/parquet/metadata.h"

struct error;

enum { PARQUET_ALIGN = 64 };

/* A column chunk in memory. */
struct parquet_column {
	const struct parquet_leaf *leaf;
	enum parquet_codec codec;
	uint64_t values; /* with nulls */
	struct span bytes;
};

/* Where cells go: `rows` of them, each `stride` behind the one before. */
struct parquet_cells {
	struct span *at;
	size_t stride, rows;
};

/* Adds the bytes that parquet_unpack needs, a multiple of PARQUET_ALIGN. */
int parquet_measure(const struct parquet_column *column, struct packed *packed,
    size_t *bytes, struct error *err);
/*
 * Unpacks the first rows. *room has the memory that parquet_measure asked for,
 * aligned, and is advanced. Null values leave their cells as they are.
 */
int parquet_unpack(const struct parquet_column *column, struct packed *packed,
    unsigned char **room, const struct parquet_cells *cells, struct error *err);

#endif
