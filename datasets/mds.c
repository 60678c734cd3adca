/*
 * mds.c - MDS, the shards of MosaicML Streaming (lib/formats/mds.h).
 *
 * index.json lists the shards. A shard is a group of rows. Of a shard that is
 * not compressed, rows are read by its table of offsets; a compressed one is
 * one chunk. The list of files ends with index.json.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/align.h"
#include "datasets/source.h"
#include "datasets/tables/mds_index.h"
#include "datasets/tables/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"

/* ---- columns and groups ---- */

static void set_column(
    const struct mds_column *from, unsigned id, struct table_column *column)
{
	static const enum table_kind kinds[] = {
		[MDS_BYTES] = TABLE_BYTES,
		[MDS_TEXT] = TABLE_TEXT,
		[MDS_NUMBER] = TABLE_NUMBER,
		[MDS_ARRAY] = TABLE_ARRAY,
		[MDS_OTHER] = TABLE_OTHER,
	};

	*column = (struct table_column){
		.kind = kinds[from->kind],
		.type = from->type,
		.what = from->encoding,
		.id = id,
	};
	if (from->kind == MDS_ARRAY && !from->has_shape)
		column->type.shape =
		    (struct shape){ .count = 1, .dims = { -1 } };
	memcpy(column->name, from->name, sizeof(column->name));
	memcpy(column->suffix, from->suffix, sizeof(column->suffix));
}

_Static_assert((int)MDS_NAME <= (int)TABLE_NAME, "names of columns fit");

static int add_rows(struct reader *reader, struct error *err)
{
	struct table *table = reader->priv;
	const struct mds *mds = table->own;
	struct table_column columns[MDS_COLUMNS];
	unsigned ids[TABLE_CHOSEN];

	for (unsigned i = 0; i < mds->count; i++)
		set_column(&mds->columns[i], i, &columns[i]);
	if (table_choose(reader, columns, mds->count, ids, err))
		return -1;
	for (size_t i = 0; i < mds->shard_count; i++)
		if (table_add_group(reader, i, i, mds->shards[i].samples, err))
			return -1;
	return 0;
}

/* Says of a folder without an index that its folders may have some. */
static void hint_at_splits(
    const struct table *table, const char *path, struct error *err)
{
	const struct mds *mds = table->own;
	struct error ignored = ERROR_INIT;
	struct medium_status status;

	if (medium_get_status(table->medium, path, &status, &ignored) == 0 &&
	    status.kind == MEDIUM_NOTHING)
		error_set(err, ERROR_SYSTEM,
		    "has no " MDS_INDEX_NAME "; a dataset of several splits "
		    "has one in the folder of each: give that of one, such as "
		    "%s/train",
		    mds->dir);
}

/* The path is the folder, or its index.json. */
static int find(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	struct table *table = reader->priv;
	struct mds *mds = memory_zeroed(sizeof(*mds), err);
	const bool is_index =
	    strcmp(path_base(plan->path), MDS_INDEX_NAME) == 0;
	char *path;
	int rc = -1;

	table->own = mds;
	if (!mds)
		return -1;
	mds->dir = is_index ? path_dir(plan->path, err) : strdup(plan->path);
	if (!mds->dir)
		return error_memory(err, strlen(plan->path));
	table->listing.root = strdup(mds->dir);
	path = path_join(mds->dir, MDS_INDEX_NAME, err);
	if (path && table->listing.root)
		rc = mds_index_read(reader, path, err);
	if (rc && path && !is_index)
		hint_at_splits(table, path, err);
	free(path);
	return rc ? rc : add_rows(reader, err);
}

static void release(struct table *table)
{
	struct mds *mds = table->own;

	if (!mds)
		return;
	free(mds->shards);
	free(mds->dir);
	free(mds);
}

/* ---- rows ---- */

static const struct mds_shard *shard_of(
    const struct table *table, const struct run *run)
{
	const struct mds *mds = table->own;

	return &mds->shards[run->start];
}

static uint32_t offset_at(const unsigned char *offsets, uint64_t i)
{
	uint32_t offset;

	memcpy(&offset, offsets + i * sizeof(offset), sizeof(offset));
	return offset;
}

/* Checks `rows` + 1 offsets of a shard with so many bytes. */
static int check_offsets(const struct mds_shard *shard,
    const unsigned char *offsets, uint64_t rows, struct error *err)
{
	uint64_t least = mds_table_bytes(shard->samples);

	for (uint64_t i = 0; i <= rows; i++) {
		const uint32_t offset = offset_at(offsets, i);

		if (offset < least || offset > shard->raw)
			return error_set(err, ERROR_DATA,
			    "the table of offsets is damaged: %" PRIu32
			    " where %" PRIu64 " to %" PRIu64 " can be",
			    offset, least, shard->raw);
		least = offset;
	}
	return 0;
}

/* Returns the rows that make a chunk: at least one. */
static uint64_t rows_of_chunk(const unsigned char *offsets, uint64_t rows)
{
	uint64_t n = 1;

	while (n < rows &&
	       offset_at(offsets, n + 1) - offset_at(offsets, 0) <= TABLE_CHUNK)
		n++;
	return n;
}

/* Fetches two parts: offsets and records; a compressed shard is one. */
static int fetch(const struct table *table, struct table_file *file,
    struct table_slice *slice, struct chunk *chunk, struct error *err)
{
	const struct mds_shard *shard = shard_of(table, slice->run);
	const uint64_t size = medium_size(file->opened);
	unsigned char *offsets;
	uint32_t first;

	if (size != table->listing.files[slice->run->file].bytes)
		return error_set(err, ERROR_DATA,
		    "has %" PRIu64 " bytes, and index.json says %" PRIu64, size,
		    table->listing.files[slice->run->file].bytes);
	if (shard->packed != PACKED_NONE)
		return table_read(file, 0, size, chunk, err);
	if (slice->rows > TABLE_CHUNK_ROWS)
		slice->rows = TABLE_CHUNK_ROWS;
	if (table_read(file, sizeof(uint32_t) * (1 + slice->row),
	        sizeof(uint32_t) * (slice->rows + 1), chunk, err))
		return -1;
	offsets =
	    chunk->stored.data + chunk->parts[chunk->part_count - 1].offset;
	if (check_offsets(shard, offsets, slice->rows, err))
		return -1;
	slice->rows = rows_of_chunk(offsets, slice->rows);
	first = offset_at(offsets, 0);
	return table_read(
	    file, first, offset_at(offsets, slice->rows) - first, chunk, err);
}

static int measure(const struct table *table, struct packed *packed,
    const struct chunk *chunk, size_t *bytes, struct error *err)
{
	const struct run *run = &table->runs.at[chunk->parts[0].file];
	const struct mds_shard *shard = shard_of(table, run);

	UNUSED(packed);
	UNUSED(err);
	if (shard->packed != PACKED_NONE)
		*bytes += align_up((size_t)shard->raw);
	return 0;
}

/* Makes the cells of rows whose first record is at `records`. */
static int split_rows(const struct table *table, struct table_unpack *at,
    const unsigned char *offsets, const unsigned char *records,
    struct error *err)
{
	const struct mds *mds = table->own;
	const uint32_t first = offset_at(offsets, 0);
	struct span values[MDS_COLUMNS];

	for (size_t i = 0; i < at->rows; i++) {
		const uint32_t start = offset_at(offsets, i);
		const struct span record = { records + (start - first),
			offset_at(offsets, i + 1) - start };
		struct span *cells = &at->cells[i * table->count];

		if (mds_split(mds->columns, mds->count, record, values, err) ==
		    0)
			return -1;
		for (unsigned c = 0; c < table->count; c++)
			cells[c] = values[table->chosen[c].id];
	}
	return 0;
}

/* Unpacks a whole shard, whose number of samples must be that of the index. */
static int unpack_shard(const struct table *table, struct table_unpack *at,
    const struct mds_shard *shard, struct span packed, struct error *err)
{
	const unsigned char *offsets = at->room + sizeof(uint32_t);

	if (packed_decode(at->packed, shard->packed, packed, at->room,
	        (size_t)shard->raw, err))
		return -1;
	if (offset_at(at->room, 0) != shard->samples)
		return error_set(err, ERROR_DATA,
		    "has %" PRIu32 " samples, and index.json says %" PRIu64,
		    offset_at(at->room, 0), shard->samples);
	if (check_offsets(shard, offsets, shard->samples, err))
		return -1;
	return split_rows(
	    table, at, offsets, at->room + offset_at(offsets, 0), err);
}

static int unpack(
    const struct table *table, struct table_unpack *at, struct error *err)
{
	const struct mds_shard *shard = shard_of(table, at->run);
	const struct chunk *chunk = at->chunk;
	const struct chunk_part *part = &chunk->parts[at->part];
	const unsigned char *data = chunk->stored.data;

	if (shard->packed != PACKED_NONE)
		return unpack_shard(table, at, shard,
		    (struct span){ data + part->offset, part->len }, err);
	return split_rows(
	    table, at, data + part[0].offset, data + part[1].offset, err);
}

static int view(const struct table *table, unsigned id, struct span value,
    struct tensor *tensor, struct error *err)
{
	const struct mds *mds = table->own;

	return mds_view(&mds->columns[id], value, tensor, err);
}

static const struct table_format format = {
	.find = find,
	.fetch = fetch,
	.measure = measure,
	.unpack = unpack,
	.view = view,
	.release = release,
	.can_pick = true,
};

const struct source_ops source_mds = {
	.name = "mds",
	.summary = "shards of MosaicML Streaming, with their index.json",
	.options = table_options_indexed,
	.format = &format,
	.options_size = sizeof(struct table_options),
	TABLE_SOURCE,
};
