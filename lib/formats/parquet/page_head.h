/* page_head.h - the header of a page of Parquet, and its compression. */
#ifndef LIB_FORMATS_PARQUET_PAGE_HEAD_H
#define LIB_FORMATS_PARQUET_PAGE_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/codecs/packed.h"
#include "lib/formats/parquet/metadata.h"

struct error;

enum parquet_page_kind {
	PARQUET_DATA_PAGE = 0,
	PARQUET_INDEX_PAGE = 1,
	PARQUET_DICTIONARY_PAGE = 2,
	PARQUET_DATA_PAGE_V2 = 3,
};

enum parquet_encoding {
	PARQUET_PLAIN = 0,
	PARQUET_PLAIN_DICTIONARY = 2,
	PARQUET_RLE = 3,
	PARQUET_BIT_PACKED = 4,
	PARQUET_DELTA_BINARY_PACKED = 5,
	PARQUET_DELTA_LENGTH_BYTE_ARRAY = 6,
	PARQUET_DELTA_BYTE_ARRAY = 7,
	PARQUET_RLE_DICTIONARY = 8,
	PARQUET_BYTE_STREAM_SPLIT = 9,
};

struct parquet_page {
	enum parquet_page_kind kind;
	uint32_t unpacked; /* bytes of the body; with levels of version 2 */
	uint32_t values;   /* with nulls */
	int encoding;
	/* Version 2: uncompressed bytes of levels in front of the values. */
	uint32_t rep_bytes, def_bytes;
	bool is_packed; /* version 2: are the values compressed? */
	struct span body;
};

/* Takes the next page off the front of `left`: 1, 0 at its end, -1. */
int parquet_next_page(
    struct span *left, struct parquet_page *page, struct error *err);
/* Finds the form of a codec; ERROR_DATA for those that are not read. */
int parquet_packing(
    enum parquet_codec codec, enum packed_kind *kind, struct error *err);

#endif
