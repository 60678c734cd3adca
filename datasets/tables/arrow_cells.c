/* arrow_cells.c - see arrow_cells.h. */
#include "datasets/tables/arrow_cells.h"

#include <inttypes.h>
#include <string.h>

#include "datasets/files/align.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

enum { PACKED_HEAD = 8 }; /* a compressed buffer begins with its length */

/* Most bytes that a compressed batch is unpacked to. */
#define UNPACKED_MAX ((uint64_t)2 << 30)

static const struct arrow_group *group_of(
    const struct table *table, const struct run *run)
{
	const struct arrow *arrow = table->own;

	return &arrow->groups[run->start];
}

static const struct arrow_column *columns_of(
    const struct table *table, const struct run *run)
{
	const struct arrow *arrow = table->own;

	return arrow->files[run->file]->columns;
}

static int damaged(
    const struct table *table, unsigned column, struct error *err)
{
	return error_set(err, ERROR_DATA, "column '%s' is damaged",
	    table->chosen[column].name);
}

static uint64_t offset_at(
    const unsigned char *offsets, unsigned bytes, size_t i)
{
	uint64_t offset = 0;

	memcpy(&offset, offsets + i * bytes, bytes);
	return offset;
}

/* ---- fetching ---- */

/* A slice of a plain batch that is being fetched. */
struct fetching {
	const struct table *table;
	const struct table_file *file;
	const struct arrow_group *group;
	const struct arrow_column *columns;
	struct table_slice *slice;
	struct chunk *chunk;
	size_t first; /* its first part */
};

static int read_buffer(const struct fetching *at,
    const struct arrow_buffer *buffer, uint64_t from, uint64_t bytes,
    struct error *err)
{
	if (from > buffer->bytes || bytes > buffer->bytes - from)
		return error_set(err, ERROR_DATA, "a record batch is damaged");
	return table_read(at->file, at->group->body + buffer->offset + from,
	    bytes, at->chunk, err);
}

static int fetch_offsets(const struct fetching *at, struct error *err)
{
	for (unsigned c = 0; c < at->table->count; c++) {
		const unsigned bytes = at->columns[c].offset_bytes;

		if (bytes && read_buffer(at, &at->group->places[c].offsets,
		                 at->slice->row * bytes,
		                 (at->slice->rows + 1) * bytes, err))
			return -1;
	}
	return 0;
}

/* Sets the offsets of each column; NULL: it has none. */
static void get_offsets(
    const struct fetching *at, const unsigned char *offsets[TABLE_CHOSEN])
{
	size_t part = at->first;

	for (unsigned c = 0; c < at->table->count; c++)
		offsets[c] = at->columns[c].offset_bytes
		                 ? at->chunk->stored.data +
		                       at->chunk->parts[part++].offset
		                 : NULL;
}

/* Returns the bytes of the first `rows` rows of a column. */
static uint64_t bytes_of_rows(const struct arrow_column *column,
    const unsigned char *offsets, uint64_t rows)
{
	if (!offsets)
		return column->is_flag ? rows : rows * column->width;
	return (offset_at(offsets, column->offset_bytes, (size_t)rows) -
	           offset_at(offsets, column->offset_bytes, 0)) *
	       column->width;
}

/* Shortens the slice to about TABLE_CHUNK bytes. */
static void shorten(
    const struct fetching *at, const unsigned char *offsets[TABLE_CHOSEN])
{
	uint64_t rows = 1;

	for (; rows < at->slice->rows; rows++) {
		uint64_t bytes = 0;

		for (unsigned c = 0; c < at->table->count; c++)
			bytes += bytes_of_rows(
			    &at->columns[c], offsets[c], rows + 1);
		if (bytes > TABLE_CHUNK)
			break;
	}
	at->slice->rows = rows;
}

/* Reads the bits of rows, from the byte that has the first one. */
static int fetch_bits(const struct fetching *at,
    const struct arrow_buffer *buffer, struct error *err)
{
	const uint64_t first = at->slice->row / 8;
	const uint64_t end = (at->slice->row + at->slice->rows + 7) / 8;

	return read_buffer(at, buffer, first, end - first, err);
}

/* `offsets` are in memory that moves with the first read. */
static int fetch_values(const struct fetching *at, unsigned c,
    const unsigned char *offsets, struct error *err)
{
	const struct arrow_column *column = &at->columns[c];
	const struct arrow_place *place = &at->group->places[c];
	const uint64_t rows = at->slice->rows;
	uint64_t first = at->slice->row, end = first + rows;

	if (offsets) {
		first = offset_at(offsets, column->offset_bytes, 0);
		end = offset_at(offsets, column->offset_bytes, (size_t)rows);
		if (first > end || end > place->data.bytes / column->width)
			return damaged(at->table, c, err);
	}

	for (unsigned i = 0; i < place->valids; i++)
		if (fetch_bits(at, &place->valid[i], err))
			return -1;
	if (column->is_flag)
		return fetch_bits(at, &place->data, err);
	return read_buffer(at, &place->data, first * column->width,
	    (end - first) * column->width, err);
}

/* Reads whole buffers; they are compressed. */
static int fetch_packed(const struct fetching *at, struct error *err)
{
	const struct arrow_place *places = at->group->places;

	for (unsigned c = 0; c < at->table->count; c++)
		if (at->columns[c].offset_bytes &&
		    read_buffer(at, &places[c].offsets, 0,
		        places[c].offsets.bytes, err))
			return -1;
	for (unsigned c = 0; c < at->table->count; c++) {
		for (unsigned i = 0; i < places[c].valids; i++)
			if (read_buffer(at, &places[c].valid[i], 0,
			        places[c].valid[i].bytes, err))
				return -1;
		if (read_buffer(
		        at, &places[c].data, 0, places[c].data.bytes, err))
			return -1;
	}
	return 0;
}

int arrow_fetch(const struct table *table, struct table_file *file,
    struct table_slice *slice, struct chunk *chunk, struct error *err)
{
	const struct fetching at = { table, file, group_of(table, slice->run),
		columns_of(table, slice->run), slice, chunk,
		chunk->part_count };
	const unsigned char *offsets[TABLE_CHOSEN];

	if (at.group->batch.packed != PACKED_NONE)
		return fetch_packed(&at, err);
	if (slice->rows > TABLE_CHUNK_ROWS)
		slice->rows = TABLE_CHUNK_ROWS;
	if (fetch_offsets(&at, err))
		return -1;
	get_offsets(&at, offsets);
	shorten(&at, offsets);
	for (unsigned c = 0; c < table->count; c++) {
		get_offsets(&at, offsets);
		if (fetch_values(&at, c, offsets[c], err))
			return -1;
	}
	return 0;
}

/* ---- unpacking ---- */

static struct span part_span(const struct chunk *chunk, size_t part)
{
	return (struct span){ chunk->stored.data + chunk->parts[part].offset,
		chunk->parts[part].len };
}

/*
 * Takes the length in front of a compressed buffer: -1 means that it is not
 * compressed after all, and it is then that of the rest.
 */
static int take_length(struct span *buffer, uint64_t *bytes, bool *is_plain)
{
	int64_t length;

	*bytes = 0;
	*is_plain = true;
	if (buffer->len == 0)
		return 0;
	if (buffer->len < PACKED_HEAD)
		return -1;
	memcpy(&length, buffer->data, sizeof(length));
	buffer->data += PACKED_HEAD;
	buffer->len -= PACKED_HEAD;
	*is_plain = length == -1;
	*bytes = *is_plain ? buffer->len : (uint64_t)length;
	return *bytes > UNPACKED_MAX ? -1 : 0;
}

/* Adds the bytes of a compressed batch, whose parts begin with `part`. */
static int add_packed(
    const struct chunk *chunk, size_t part, uint64_t *need, struct error *err)
{
	for (; part < chunk->part_count; part++) {
		struct span packed = part_span(chunk, part);
		uint64_t length;
		bool is_plain;

		if (take_length(&packed, &length, &is_plain))
			return error_set(
			    err, ERROR_DATA, "a compressed buffer is damaged");
		if (!is_plain)
			*need += align_up((size_t)length);
		if (*need > UNPACKED_MAX)
			return error_set(err, ERROR_LIMIT,
			    "a record batch unpacks to more than 2 GiB: write "
			    "smaller ones");
	}
	return 0;
}

int arrow_measure(const struct table *table, struct packed *packed,
    const struct chunk *chunk, size_t *bytes, struct error *err)
{
	const size_t slices = chunk->picked ? (size_t)chunk->samples : 1;
	uint64_t need = 0;

	UNUSED(packed);
	for (size_t i = 0; i < slices; i++) {
		const struct chunk_part *slice = &chunk->parts[i];
		const struct run *run = &table->runs.at[slice->file];

		for (unsigned c = 0; c < table->count; c++)
			if (columns_of(table, run)[c].is_flag)
				need += align_up(slice->len);
		if (group_of(table, run)->batch.packed != PACKED_NONE &&
		    add_packed(chunk, slice->offset, &need, err))
			return -1;
	}
	*bytes += (size_t)need;
	return 0;
}

/* A column's rows in memory. */
struct view {
	struct span valid[ARROW_PARENTS + 1];
	struct span offsets, data;
	uint64_t first; /* the row that the buffers begin with, modulo 8 */
	uint64_t base;  /* byte of the column's data that `data` begins with */
};

/* Takes the next part; a compressed one is unpacked. */
static int take_part(struct table_unpack *at, size_t part,
    enum packed_kind kind, struct span *out, struct error *err)
{
	uint64_t length;
	bool is_plain;

	*out = part_span(at->chunk, part);
	if (kind == PACKED_NONE)
		return 0;
	if (take_length(out, &length, &is_plain))
		return error_set(
		    err, ERROR_DATA, "a compressed buffer is damaged");
	if (is_plain)
		return 0;
	if (packed_decode(
	        at->packed, kind, *out, at->room, (size_t)length, err))
		return -1;
	*out = (struct span){ at->room, (size_t)length };
	at->room += align_up((size_t)length);
	return 0;
}

static bool is_valid(
    const struct arrow_place *place, const struct view *view, size_t row)
{
	const uint64_t bit = view->first + row;

	for (unsigned i = 0; i < place->valids; i++)
		if (!(view->valid[i].data[bit / 8] >> bit % 8 & 1))
			return false;
	return true;
}

/* Are the buffers large enough for the rows? Compressed ones may not be. */
static bool is_whole(const struct arrow_column *column,
    const struct arrow_place *place, const struct view *view, size_t rows)
{
	const uint64_t bits = (view->first + rows + 7) / 8;

	for (unsigned i = 0; i < place->valids; i++)
		if (view->valid[i].len < bits)
			return false;
	if (column->offset_bytes)
		return view->offsets.len / column->offset_bytes > rows;
	if (column->is_flag)
		return view->data.len >= bits;
	return view->data.len / column->width >= rows;
}

static int set_cells(const struct arrow_column *column,
    const struct arrow_place *place, const struct view *view,
    struct table_unpack *at, struct span *cells, size_t stride)
{
	const struct span data = view->data;
	unsigned char *flags = at->room;

	if (column->is_flag)
		at->room += align_up(at->rows);
	for (size_t i = 0; i < at->rows; i++, cells += stride) {
		const uint64_t bit = view->first + i;
		uint64_t from = i * column->width, end = from + column->width;

		if (column->offset_bytes) {
			from = offset_at(view->offsets.data,
			           column->offset_bytes, i) *
			       column->width;
			end = offset_at(view->offsets.data,
			          column->offset_bytes, i + 1) *
			      column->width;
			if (from < view->base || end < from ||
			    end - view->base > data.len)
				return -1;
			from -= view->base;
			end -= view->base;
		}
		if (!is_valid(place, view, i))
			continue;
		*cells =
		    (struct span){ data.data + from, (size_t)(end - from) };
		if (column->is_flag) {
			flags[i] = data.data[bit / 8] >> bit % 8 & 1;
			*cells = (struct span){ flags + i, 1 };
		}
	}
	return 0;
}

/* Takes a column; *part is that of its bits, *offsets that of its offsets. */
static int unpack_column(const struct table *table, struct table_unpack *at,
    unsigned c, size_t *offsets, size_t *part, struct error *err)
{
	const struct arrow_group *group = group_of(table, at->run);
	const struct arrow_column *column = &columns_of(table, at->run)[c];
	const struct arrow_place *place = &group->places[c];
	const enum packed_kind kind = group->batch.packed;
	struct view view = { .first = 0 };

	if (kind == PACKED_NONE)
		view.first = at->row % 8;
	if (column->offset_bytes &&
	    take_part(at, (*offsets)++, kind, &view.offsets, err))
		return -1;
	for (unsigned i = 0; i < place->valids; i++)
		if (take_part(at, (*part)++, kind, &view.valid[i], err))
			return -1;
	if (take_part(at, (*part)++, kind, &view.data, err))
		return -1;
	if (!is_whole(column, place, &view, at->rows))
		return damaged(table, c, err);
	if (column->offset_bytes && kind == PACKED_NONE)
		view.base =
		    offset_at(view.offsets.data, column->offset_bytes, 0) *
		    column->width;
	return set_cells(column, place, &view, at, at->cells + c, table->count)
	           ? damaged(table, c, err)
	           : 0;
}

int arrow_unpack(
    const struct table *table, struct table_unpack *at, struct error *err)
{
	const struct arrow_column *columns = columns_of(table, at->run);
	size_t offsets = at->part, part = offsets;

	for (unsigned c = 0; c < table->count; c++)
		part += columns[c].offset_bytes > 0;
	for (unsigned c = 0; c < table->count; c++)
		if (unpack_column(table, at, c, &offsets, &part, err))
			return -1;
	return 0;
}
