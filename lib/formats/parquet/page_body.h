/*
 * page_body.h - the body of a page of Parquet: unpacked, and split into levels
 * and values; inside lib/formats/parquet only.
 */
#ifndef LIB_FORMATS_PARQUET_PAGE_BODY_H
#define LIB_FORMATS_PARQUET_PAGE_BODY_H

#include "lib/formats/parquet/page_head.h"
#include "lib/formats/parquet/pages.h"

struct error;

/* Most bytes that the columns of a row group are unpacked to. */
#define PARQUET_UNPACKED_MAX ((uint64_t)2 << 30)

/* Rounds up to a multiple of PARQUET_ALIGN. */
size_t parquet_align(uint64_t bytes);
/* ERROR_DATA; returns -1. */
int parquet_damaged(struct error *err);

/*
 * Returns the bytes for values that are unpacked to PLAIN, except those of
 * DELTA_BYTE_ARRAY. 0: they are used as they are.
 */
uint64_t parquet_plain_room(
    const struct parquet_column *column, const struct parquet_page *page);
/*
 * Unpacks the body of a page to `room`, of page->unpacked bytes, unless it is
 * used as it is.
 */
int parquet_unpack_body(struct packed *packed, enum packed_kind kind,
    const struct parquet_page *page, unsigned char *room, struct span *body,
    struct error *err);
/* Takes a part with its length in front: 0 or -1. */
int parquet_take_part(struct span *body, struct span *part);
/* Splits a body into levels of repetition and of definition, and values. */
int parquet_split_levels(const struct parquet_column *column,
    const struct parquet_page *page, struct span body, struct span levels[2],
    struct span *values, struct error *err);

#endif
