/* page_body.c - see page_body.h, and pages.h. */
#include "lib/formats/parquet/page_body.h"

#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/parquet/delta.h"

size_t parquet_align(uint64_t bytes)
{
	return (size_t)((bytes + PARQUET_ALIGN - 1) / PARQUET_ALIGN *
	                PARQUET_ALIGN);
}

int parquet_damaged(struct error *err)
{
	return error_set(err, ERROR_DATA, "a page is damaged");
}

uint64_t parquet_plain_room(
    const struct parquet_column *column, const struct parquet_page *page)
{
	const struct parquet_leaf *leaf = column->leaf;

	if (leaf->type == PARQUET_BOOLEAN)
		return page->values;
	switch (page->encoding) {
	case PARQUET_DELTA_BINARY_PACKED:
	case PARQUET_BYTE_STREAM_SPLIT:
		return (uint64_t)page->values * leaf->width;
	case PARQUET_DELTA_LENGTH_BYTE_ARRAY:
		return (uint64_t)page->values * sizeof(uint32_t) +
		       page->unpacked;
	default:
		return 0;
	}
}

int parquet_unpack_body(struct packed *packed, enum packed_kind kind,
    const struct parquet_page *page, unsigned char *room, struct span *body,
    struct error *err)
{
	const uint32_t levels = page->rep_bytes + page->def_bytes;
	const bool is_second = page->kind == PARQUET_DATA_PAGE_V2;
	struct span values = { page->body.data + levels,
		page->body.len - levels };

	if (kind == PACKED_NONE || (is_second && !page->is_packed)) {
		*body = page->body;
		return 0;
	}
	memcpy(room, page->body.data, levels);
	*body = (struct span){ room, page->unpacked };
	/* Without values, version 2 may have no compressed bytes. */
	if (values.len == 0 && page->unpacked == levels)
		return 0;
	return packed_decode(
	    packed, kind, values, room + levels, page->unpacked - levels, err);
}

int parquet_take_part(struct span *body, struct span *part)
{
	uint32_t len;

	if (body->len < sizeof(len))
		return -1;
	memcpy(&len, body->data, sizeof(len));
	if (len > body->len - sizeof(len))
		return -1;
	*part = (struct span){ body->data + sizeof(len), len };
	body->data += sizeof(len) + len;
	body->len -= sizeof(len) + len;
	return 0;
}

int parquet_split_levels(const struct parquet_column *column,
    const struct parquet_page *page, struct span body, struct span levels[2],
    struct span *values, struct error *err)
{
	const struct parquet_leaf *leaf = column->leaf;

	levels[0] = levels[1] = (struct span){ .len = 0 };
	if (page->kind == PARQUET_DATA_PAGE_V2) {
		if (body.len < (size_t)page->rep_bytes + page->def_bytes)
			return parquet_damaged(err);
		levels[0] = (struct span){ body.data, page->rep_bytes };
		levels[1] = (struct span){ body.data + page->rep_bytes,
			page->def_bytes };
		body.data += page->rep_bytes + page->def_bytes;
		body.len -= page->rep_bytes + page->def_bytes;
	} else if ((leaf->max_rep && parquet_take_part(&body, &levels[0])) ||
	           (leaf->max_def && parquet_take_part(&body, &levels[1]))) {
		return parquet_damaged(err);
	}
	*values = body;
	return 0;
}

/* ---- how much memory is needed ---- */

/* Strings with common beginnings: only their lengths tell how much. */
static int strings_room(const struct parquet_column *column,
    struct packed *packed, enum packed_kind kind,
    const struct parquet_page *page, uint64_t *bytes, struct error *err)
{
	struct buf scratch = BUF_INIT;
	struct span body, levels[2], values;
	int rc = -1;

	if (buf_reserve(&scratch, (size_t)page->unpacked + 1, err) == 0 &&
	    parquet_unpack_body(packed, kind, page, scratch.data, &body, err) ==
	        0 &&
	    parquet_split_levels(column, page, body, levels, &values, err) == 0)
		rc = delta_strings_room(values, PARQUET_UNPACKED_MAX, bytes)
		         ? parquet_damaged(err)
		         : 0;
	buf_release(&scratch);
	return rc;
}

static int add_page(const struct parquet_column *column, struct packed *packed,
    enum packed_kind kind, const struct parquet_page *page, uint64_t *bytes,
    struct error *err)
{
	uint64_t more;

	if (kind != PACKED_NONE)
		*bytes += parquet_align(page->unpacked);
	if (page->kind == PARQUET_DICTIONARY_PAGE) {
		/* Each value has at least a byte. */
		if (page->values > page->unpacked)
			return parquet_damaged(err);
		*bytes +=
		    parquet_align((uint64_t)page->values * sizeof(struct span));
		return 0;
	}
	*bytes += parquet_align(parquet_plain_room(column, page));
	if (page->encoding != PARQUET_DELTA_BYTE_ARRAY)
		return 0;
	if (strings_room(column, packed, kind, page, &more, err))
		return -1;
	*bytes += parquet_align(more);
	return 0;
}

int parquet_measure(const struct parquet_column *column, struct packed *packed,
    size_t *bytes, struct error *err)
{
	struct span left = column->bytes;
	struct parquet_page page;
	enum packed_kind kind;
	uint64_t need = 0, values = 0;
	int got = 0;

	if (parquet_packing(column->codec, &kind, err))
		return -1;
	if (column->leaf->max_rep > 0 &&
	    __builtin_mul_overflow(column->values, column->leaf->width, &need))
		return parquet_damaged(err);
	need = need > PARQUET_UNPACKED_MAX ? need : parquet_align(need);
	while (need <= PARQUET_UNPACKED_MAX &&
	       (got = parquet_next_page(&left, &page, err)) > 0) {
		if (page.kind == PARQUET_DATA_PAGE ||
		    page.kind == PARQUET_DATA_PAGE_V2)
			values += page.values;
		if (values > column->values)
			return parquet_damaged(err);
		if (page.kind != PARQUET_INDEX_PAGE &&
		    add_page(column, packed, kind, &page, &need, err))
			return -1;
	}
	if (need > PARQUET_UNPACKED_MAX - *bytes)
		return error_set(err, ERROR_LIMIT,
		    "a row group unpacks to more than 2 GiB: write smaller row "
		    "groups");
	*bytes += (size_t)need;
	return got;
}
