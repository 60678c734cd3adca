/*
 * lmdb_rows.c - see lmdb_rows.h.
 *
 * The part of a slice is a table of its samples, which are at other places of
 * chunk->stored. Keys and small values are copied from the leaves; large values
 * are mapped, or read (lmdb_values.c).
 */
#include "datasets/tables/lmdb_rows.h"

#include <inttypes.h>
#include <string.h>

#include "datasets/files/align.h"
#include "datasets/files/spread.h"
#include "datasets/tables/lmdb_gather.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/datum.h"
#include "lib/sample/key.h"

/* The head of a cell with the elements of a Datum. */
struct elements {
	int64_t dims[3];
	enum dtype dtype;
};

_Static_assert(sizeof(struct elements) <= PART_ALIGN, "it has the room");

/* ---- keys, and values in leaves ---- */

static uint64_t before_leaf(const void *before, size_t leaf)
{
	return ((const uint64_t *)before)[leaf];
}

/* Returns the leaf of a sample: the last that begins at or before it. */
static size_t find_leaf(const struct lmdb_gather *gather, uint64_t number)
{
	return spread_find(gather->list->before, gather->lmdb->leaf_count,
	    number, before_leaf);
}

static int add_row(struct lmdb_gather *gather, const struct lmdb_node *node,
    struct span key, struct error *err)
{
	struct buf *out = &gather->chunk->stored;
	struct lmdb_row row = { .key_at = out->len, .value_len = node->bytes };

	if (lmdb_put_key(gather->lmdb, key, out, err))
		return -1;
	row.key_len = out->len - row.key_at;
	if (!node->value.data) {
		row.page = node->page;
	} else {
		if (buf_grow(out, align_up(out->len) + node->value.len, err))
			return -1;
		row.value_at = out->len = align_up(out->len);
		memcpy(out->data + out->len, node->value.data, node->value.len);
		out->len += node->value.len;
	}
	*lmdb_row_at(gather, gather->rows++) = row;
	return 0;
}

/* A leaf, and those of its samples that are wanted. */
struct leaf {
	struct lmdb_page page;
	uint64_t samples;
	uint64_t skip; /* samples before the first that is wanted */
};

/*
 * Adds samples of a leaf until there are `wanted`, or their values have
 * TABLE_CHUNK bytes. A larger value is added if it is the first one.
 */
static int add_leaf(struct lmdb_gather *gather, struct leaf *leaf,
    uint64_t wanted, uint64_t *bytes, struct error *err)
{
	/* In most leaves all keys are samples, and need not be looked at. */
	const bool is_even =
	    leaf->samples == leaf->page.count && !gather->list->pattern[0];
	unsigned i = is_even ? (unsigned)leaf->skip : 0;
	struct lmdb_node node;

	for (; i < leaf->page.count && gather->rows < wanted; i++) {
		struct span key;

		if (lmdb_take_node(&leaf->page, i, &node, err))
			return -1;
		key = node.key;
		if (!is_even &&
		    !lmdb_is_sample(gather->lmdb, gather->list, &key))
			continue;
		if (!is_even && leaf->skip > 0) {
			leaf->skip--;
			continue;
		}
		*bytes += node.bytes;
		if (gather->rows > 0 && *bytes > TABLE_CHUNK)
			return 0;
		if (add_row(gather, &node, key, err))
			return -1;
	}
	return 0;
}

/* Adds up to `wanted` samples from `first` on, at least one. */
static int add_rows(struct lmdb_gather *gather, uint64_t first, uint64_t wanted,
    struct error *err)
{
	const struct lmdb *lmdb = gather->lmdb;
	const uint64_t *before = gather->list->before;
	const size_t end = find_leaf(gather, first + wanted - 1) + 1;
	uint64_t bytes = 0;

	for (size_t i = find_leaf(gather, first);
	     i < end && gather->rows < wanted && bytes <= TABLE_CHUNK; i++) {
		struct leaf leaf = {
			.samples = before[i + 1] - before[i],
			.skip = first + gather->rows - before[i],
		};

		if (lmdb_get_page(lmdb, gather->file->opened, &lmdb->leaves[i],
		        end - i, &gather->file->scratch, &leaf.page, err) ||
		    add_leaf(gather, &leaf, wanted, &bytes, err))
			return -1;
	}
	if (gather->rows > 0)
		return 0;
	return error_set(err, ERROR_DATA,
	    "was written to since it was opened: sample %" PRIu64 " has gone",
	    first);
}

/* Is this slice the chunk's last one? */
static bool is_last(const struct chunk *chunk)
{
	return !chunk->picked || chunk->part_count == 2 * chunk->samples;
}

static void choose_field(
    struct lmdb_gather *gather, unsigned field, size_t rows_at)
{
	gather->list = &gather->lmdb->lists[field];
	gather->rows_at = rows_at;
}

/*
 * Fetches as many samples as have room in a chunk. Keys and small values tell
 * how many these are, so they are first, and the large values of all fields
 * follow.
 */
static int fetch_fields(struct lmdb_gather *gather, uint64_t first,
    uint64_t *rows, struct error *err)
{
	const unsigned fields = gather->lmdb->list_count;
	const size_t rows_at = gather->rows_at;
	const size_t stride = (size_t)*rows * LMDB_ROW;

	for (unsigned i = 0; i < fields; i++) {
		choose_field(gather, i, rows_at + i * stride);
		gather->rows = 0;
		if (add_rows(gather, first, *rows, err))
			return -1;
		*rows = gather->rows;
	}
	for (unsigned i = 0; i < fields; i++) {
		choose_field(gather, i, rows_at + i * stride);
		if (lmdb_get_values(gather, err))
			return -1;
	}
	return 0;
}

int lmdb_fetch(const struct table *table, struct table_file *file,
    struct table_slice *slice, struct chunk *chunk, struct error *err)
{
	struct lmdb_gather gather = {
		.lmdb = table->own,
		.file = file,
		.chunk = chunk,
		.rows_at = align_up(chunk->stored.len),
	};
	const size_t at = gather.rows_at;
	uint64_t rows =
	    slice->rows < TABLE_CHUNK_ROWS ? slice->rows : TABLE_CHUNK_ROWS;
	const size_t room = gather.lmdb->list_count * (size_t)rows * LMDB_ROW;
	int rc;

	if (buf_grow(&chunk->stored, at + room, err))
		return -1;
	chunk->stored.len = at + room;
	rc = fetch_fields(&gather, slice->run->first + slice->row, &rows, err);
	if (rc == 0)
		rc = chunk_add_part(chunk, at, room, 0, err);
	slice->rows = rows;
	return rc || is_last(chunk)
	           ? lmdb_file_judge(gather.lmdb, file->opened, rc, err)
	           : 0;
}

int lmdb_judge(const struct table *table, struct error *err)
{
	const struct lmdb *lmdb = table->own;

	if (!atomic_load_explicit(&lmdb->is_mapped, memory_order_relaxed))
		return 0;
	return lmdb_file_judge(lmdb, lmdb->watched, 0, err);
}

/* ---- unpacking ---- */

static struct lmdb_row *rows_of(const struct chunk *chunk, size_t part)
{
	return (struct lmdb_row *)(void *)(chunk->stored.data +
	                                   chunk->parts[part].offset);
}

static struct span value_of(
    const struct chunk *chunk, const struct lmdb_row *row)
{
	return (struct span){
		.data = row->mapped ? row->mapped
		                    : chunk->stored.data + row->value_at,
		.len = (size_t)row->value_len,
	};
}

struct span lmdb_first_value(const struct chunk *chunk)
{
	return value_of(chunk, rows_of(chunk, 0));
}

/* Elements have at most as many bytes as their message. */
int lmdb_measure(const struct table *table, struct packed *packed,
    const struct chunk *chunk, size_t *bytes, struct error *err)
{
	const struct lmdb *lmdb = table->own;
	const size_t slices = chunk->picked ? (size_t)chunk->samples : 1;

	UNUSED(packed);
	UNUSED(err);
	if (lmdb->kind != LMDB_DATUM_ARRAYS)
		return 0;
	for (size_t i = 0; i < slices; i++) {
		const struct chunk_part *slice = &chunk->parts[i];
		const struct lmdb_row *rows = rows_of(chunk, slice->offset);

		for (size_t r = 0; r < slice->len; r++)
			*bytes +=
			    PART_ALIGN + align_up((size_t)rows[r].value_len);
	}
	return 0;
}

static void write_elements(
    const struct datum *datum, struct table_unpack *at, struct span *cell)
{
	const size_t bytes =
	    shape_elements(&datum->shape) * dtype_bytes(datum_dtype(datum));
	struct elements head = { .dtype = datum_dtype(datum) };

	memcpy(head.dims, datum->shape.dims, sizeof(head.dims));
	memcpy(at->room, &head, sizeof(head));
	datum_write(datum, at->room + PART_ALIGN);
	*cell = (struct span){ at->room, PART_ALIGN + bytes };
	at->room += align_up(cell->len);
}

static int unpack_datum(const struct lmdb *lmdb, struct table_unpack *at,
    struct lmdb_row *row, struct span *cell, struct error *err)
{
	struct datum datum;

	if (datum_parse(*cell, &datum, err))
		return -1;
	row->label = datum.label;
	if (datum.is_encoded != (lmdb->kind == LMDB_DATUM_FILES))
		return error_set(err, ERROR_DATA,
		    "has %s, unlike the first Datum",
		    datum.is_encoded ? "a file" : "elements");
	if (datum.is_encoded)
		*cell = datum.data;
	else
		write_elements(&datum, at, cell);
	return 0;
}

/* Makes the cells of a sample, whose rows are `stride` apart. */
static int unpack_row(const struct table *table, struct table_unpack *at,
    struct lmdb_row *row, size_t stride, struct span *cells, struct error *err)
{
	const struct lmdb *lmdb = table->own;
	const struct chunk *chunk = at->chunk;
	char text[KEY_TEXT];

	cells[LMDB_KEY] = (struct span){ chunk->stored.data + row->key_at,
		(size_t)row->key_len };
	for (unsigned i = 0; i < lmdb->list_count; i++)
		cells[LMDB_VALUE + i] = value_of(chunk, &row[i * stride]);
	if (lmdb->kind != LMDB_VALUES &&
	    unpack_datum(lmdb, at, row, &cells[LMDB_VALUE], err))
		return error_prefix(
		    err, "key %s", key_text(cells[LMDB_KEY], text));
	return 0;
}

int lmdb_unpack(
    const struct table *table, struct table_unpack *at, struct error *err)
{
	const struct lmdb *lmdb = table->own;
	const struct chunk_part *part = &at->chunk->parts[at->part];
	const size_t stride = part->len / LMDB_ROW / lmdb->list_count;
	struct lmdb_row *rows = rows_of(at->chunk, at->part);
	const int64_t *labels = lmdb->labels;

	if (labels)
		labels += at->run->first + at->row;
	for (size_t i = 0; i < at->rows; i++) {
		struct span *cells = &at->cells[i * table->count];

		if (unpack_row(table, at, &rows[i], stride, cells, err))
			return -1;
		if (table->label < 0)
			continue;
		cells[table->label] = (struct span){
			(const void *)(labels ? &labels[i] : &rows[i].label),
			sizeof(rows[i].label)
		};
	}
	return 0;
}

int lmdb_view(const struct table *table, unsigned id, struct span value,
    struct tensor *tensor, struct error *err)
{
	struct shape shape = { .count = 3 };
	struct elements head;

	UNUSED(table);
	UNUSED(id);
	UNUSED(err);
	memcpy(&head, value.data, sizeof(head));
	memcpy(shape.dims, head.dims, sizeof(head.dims));
	tensor_view(tensor, head.dtype, &shape, value.data + PART_ALIGN);
	return 0;
}
