/* pages.c - see pages.h. */
#include "lib/formats/parquet/pages.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/parquet/delta.h"
#include "lib/formats/parquet/page_body.h"
#include "lib/formats/parquet/rle.h"

/* The values of a page, or their numbers in a dictionary. */
struct values {
	struct span plain; /* values that are left */
	uint32_t width; /* bytes of a value; 0: a length is in front of each */
	bool is_dictionary;
	struct rle indexes;
};

struct unpacking {
	const struct parquet_column *column;
	struct packed *packed;
	enum packed_kind kind;
	unsigned char *room; /* memory of the caller, from here on */
	const struct parquet_cells *cells;
	size_t row; /* number of the next cell */
	struct span *dictionary;
	uint32_t dictionary_count;
	unsigned char *list; /* where the next element of a list goes */
	unsigned char *list_start;
	uint64_t list_left; /* elements that there is room for */
	bool in_row;        /* a list has begun, and may go on */
	struct error *err;
};

static unsigned char *take_room(struct unpacking *at, uint64_t bytes)
{
	unsigned char *room = at->room;

	at->room += parquet_align(bytes);
	return room;
}

static int bad_encoding(const struct parquet_page *page, struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "the encoding %d is not read for its type", page->encoding);
}

/* ---- values ---- */

/* Makes a byte of each bit. */
static int unpack_flags(const struct parquet_page *page, struct span values,
    unsigned char *out, struct error *err)
{
	struct span bits = values;
	struct rle rle;
	uint32_t flag;

	if (page->encoding == PARQUET_RLE) {
		if (parquet_take_part(&values, &bits))
			return parquet_damaged(err);
		rle_begin(&rle, bits, 1);
		for (uint32_t i = 0; i < page->values; i++) {
			/* Nulls have no value, so there may be fewer. */
			out[i] = rle_next(&rle, &flag) == 0 && flag;
		}
		return 0;
	}
	for (uint32_t i = 0; i < page->values; i++)
		out[i] = i / 8 < bits.len && (bits.data[i / 8] >> i % 8 & 1);
	return 0;
}

/* Unpacks values to PLAIN. */
static int make_plain(struct unpacking *at, const struct parquet_page *page,
    struct values *values)
{
	const struct parquet_leaf *leaf = at->column->leaf;
	const struct span bytes = values->plain;
	uint64_t room = parquet_plain_room(at->column, page);
	unsigned char *out;
	size_t len = 0;
	int rc;

	if (page->encoding == PARQUET_DELTA_BYTE_ARRAY &&
	    delta_strings_room(bytes, PARQUET_UNPACKED_MAX, &room))
		return parquet_damaged(at->err);
	out = take_room(at, room);
	switch (page->encoding) {
	case PARQUET_DELTA_BINARY_PACKED:
		rc = delta_numbers(bytes, leaf->width, out, (size_t)room, &len);
		break;
	case PARQUET_DELTA_LENGTH_BYTE_ARRAY:
		rc = delta_lengths(bytes, out, (size_t)room, &len);
		break;
	case PARQUET_DELTA_BYTE_ARRAY:
		rc = delta_strings(bytes, out, (size_t)room, &len);
		break;
	default:
		rc = split_streams(bytes, leaf->width, out, (size_t)room, &len);
	}
	values->plain = (struct span){ out, len };
	return rc ? parquet_damaged(at->err) : 0;
}

static int begin_indexes(
    struct unpacking *at, struct values *values, struct span bytes)
{
	if (!at->dictionary)
		return error_set(at->err, ERROR_DATA,
		    "a page of a dictionary's indexes has no dictionary");
	values->is_dictionary = true;
	/* A page of nulls alone may be empty. */
	if (bytes.len == 0)
		rle_begin(&values->indexes, bytes, 1);
	else
		rle_begin(&values->indexes,
		    (struct span){ bytes.data + 1, bytes.len - 1 },
		    bytes.data[0]);
	return 0;
}

static bool takes_encoding(const struct parquet_leaf *leaf, int encoding)
{
	switch (encoding) {
	case PARQUET_PLAIN:
		return true;
	case PARQUET_RLE:
		return leaf->type == PARQUET_BOOLEAN;
	case PARQUET_DELTA_BINARY_PACKED:
		return leaf->type == PARQUET_INT32 ||
		       leaf->type == PARQUET_INT64;
	case PARQUET_DELTA_LENGTH_BYTE_ARRAY:
		return leaf->type == PARQUET_BYTE_ARRAY;
	case PARQUET_DELTA_BYTE_ARRAY:
		return leaf->type == PARQUET_BYTE_ARRAY;
	case PARQUET_BYTE_STREAM_SPLIT:
		return leaf->width > 1 && leaf->type != PARQUET_INT96;
	default:
		return false;
	}
}

static int begin_values(struct unpacking *at, const struct parquet_page *page,
    struct span bytes, struct values *values)
{
	const struct parquet_leaf *leaf = at->column->leaf;
	unsigned char *flags;

	*values = (struct values){ .plain = bytes, .width = leaf->width };
	if (page->encoding == PARQUET_PLAIN_DICTIONARY ||
	    page->encoding == PARQUET_RLE_DICTIONARY)
		return begin_indexes(at, values, bytes);
	if (!takes_encoding(leaf, page->encoding))
		return bad_encoding(page, at->err);
	if (leaf->type == PARQUET_BOOLEAN) {
		flags = take_room(at, page->values);
		values->plain = (struct span){ flags, page->values };
		return unpack_flags(page, bytes, flags, at->err);
	}
	if (page->encoding == PARQUET_PLAIN)
		return 0;
	return make_plain(at, page, values);
}

static int take_plain(struct values *values, struct span *value)
{
	uint32_t len = values->width;

	if (len == 0) {
		if (values->plain.len < sizeof(len))
			return -1;
		memcpy(&len, values->plain.data, sizeof(len));
		values->plain.data += sizeof(len);
		values->plain.len -= sizeof(len);
	}
	if (len > values->plain.len)
		return -1;
	*value = (struct span){ values->plain.data, len };
	values->plain.data += len;
	values->plain.len -= len;
	return 0;
}

static int take_value(
    const struct unpacking *at, struct values *values, struct span *value)
{
	uint32_t index;

	if (!values->is_dictionary)
		return take_plain(values, value);
	if (rle_next(&values->indexes, &index) || index >= at->dictionary_count)
		return -1;
	*value = at->dictionary[index];
	return 0;
}

static int read_dictionary(
    struct unpacking *at, const struct parquet_page *page, struct span body)
{
	struct values values = { .plain = body,
		.width = at->column->leaf->width };

	if (at->dictionary || at->column->leaf->type == PARQUET_BOOLEAN)
		return parquet_damaged(at->err);
	if (page->encoding != PARQUET_PLAIN &&
	    page->encoding != PARQUET_PLAIN_DICTIONARY)
		return bad_encoding(page, at->err);
	at->dictionary = (struct span *)(void *)take_room(
	    at, (uint64_t)page->values * sizeof(struct span));
	at->dictionary_count = page->values;
	for (uint32_t i = 0; i < page->values; i++)
		if (take_plain(&values, &at->dictionary[i]))
			return parquet_damaged(at->err);
	return 0;
}

/* ---- rows ---- */

/* Ends the list of the row before. */
static void end_list(struct unpacking *at)
{
	if (!at->in_row)
		return;
	at->in_row = false;
	if (at->list_start)
		at->cells->at[at->row * at->cells->stride] =
		    (struct span){ at->list_start,
			    (size_t)(at->list - at->list_start) };
	at->row++;
}

static int add_element(struct unpacking *at, struct values *values)
{
	struct span value;

	if (at->list_left == 0 || take_value(at, values, &value))
		return parquet_damaged(at->err);
	memcpy(at->list, value.data, value.len);
	at->list += value.len;
	at->list_left--;
	return 0;
}

static int read_lists(struct unpacking *at, const struct parquet_page *page,
    struct rle *reps, struct rle *defs, struct values *values)
{
	const struct parquet_leaf *leaf = at->column->leaf;
	uint32_t rep, def;

	for (uint32_t i = 0; i < page->values; i++) {
		if (rle_next(reps, &rep) || rle_next(defs, &def) ||
		    (rep > 0 && !at->in_row))
			return parquet_damaged(at->err);
		if (rep == 0) {
			end_list(at);
			if (at->row == at->cells->rows)
				return 0;
			at->in_row = true;
			at->list_start =
			    def + 1 >= leaf->list_def ? at->list : NULL;
		}
		if (def < leaf->list_def)
			continue; /* the list is empty, or null */
		if (def < leaf->max_def)
			return error_set(at->err, ERROR_DATA,
			    "a list holds a null, which no tensor can");
		if (add_element(at, values))
			return -1;
	}
	return 0;
}

static int read_rows(struct unpacking *at, const struct parquet_page *page,
    struct rle *defs, struct values *values)
{
	const struct parquet_cells *cells = at->cells;

	for (uint32_t i = 0; i < page->values && at->row < cells->rows; i++) {
		uint32_t def;

		if (rle_next(defs, &def))
			return parquet_damaged(at->err);
		if (def == at->column->leaf->max_def &&
		    take_value(at, values, &cells->at[at->row * cells->stride]))
			return parquet_damaged(at->err);
		at->row++;
	}
	return 0;
}

static int read_data(
    struct unpacking *at, const struct parquet_page *page, struct span body)
{
	const struct parquet_leaf *leaf = at->column->leaf;
	struct span levels[2], bytes;
	struct rle reps, defs;
	struct values values;

	if (parquet_split_levels(
	        at->column, page, body, levels, &bytes, at->err) ||
	    begin_values(at, page, bytes, &values))
		return -1;
	rle_begin(&reps, levels[0], rle_width(leaf->max_rep));
	rle_begin(&defs, levels[1], rle_width(leaf->max_def));
	return leaf->max_rep ? read_lists(at, page, &reps, &defs, &values)
	                     : read_rows(at, page, &defs, &values);
}

static int read_page(struct unpacking *at, const struct parquet_page *page)
{
	struct span body;
	unsigned char *room = NULL;

	if (page->kind == PARQUET_INDEX_PAGE)
		return 0;
	if (at->kind != PACKED_NONE)
		room = take_room(at, page->unpacked);
	if (parquet_unpack_body(
	        at->packed, at->kind, page, room, &body, at->err))
		return -1;
	return page->kind == PARQUET_DICTIONARY_PAGE
	           ? read_dictionary(at, page, body)
	           : read_data(at, page, body);
}

int parquet_unpack(const struct parquet_column *column, struct packed *packed,
    unsigned char **room, const struct parquet_cells *cells, struct error *err)
{
	struct unpacking at = { .column = column,
		.packed = packed,
		.room = *room,
		.cells = cells,
		.err = err };
	struct span left = column->bytes;
	struct parquet_page page;
	int got = 0;

	if (parquet_packing(column->codec, &at.kind, err))
		return -1;
	if (column->leaf->max_rep > 0) {
		at.list_left = column->values;
		at.list = take_room(&at, column->values * column->leaf->width);
	}
	while (at.row < cells->rows &&
	       (got = parquet_next_page(&left, &page, err)) > 0)
		if (read_page(&at, &page))
			return -1;
	end_list(&at);
	if (at.row < cells->rows && got < 0)
		return -1;
	*room = at.room;
	if (at.row == cells->rows)
		return 0;
	return error_set(err, ERROR_DATA, "has %zu rows in a row group of %zu",
	    at.row, cells->rows);
}
