/* mds_index.c - see mds_index.h. */
#include "datasets/tables/mds_index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/tables/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/formats/name.h"
#include "lib/media/medium.h"
#include "lib/syntax/json.h"

static int get_columns(const struct json_t *at, struct mds_column *columns,
    unsigned *count, struct error *err)
{
	struct json_t *names, *encodings;

	if (json_get_array(at, "column_names", &names, err) ||
	    json_get_array(at, "column_encodings", &encodings, err))
		return -1;
	*count = (unsigned)json_count(names);
	if (json_count(names) > MDS_COLUMNS ||
	    json_count(names) != json_count(encodings) || *count == 0)
		return error_set(err, ERROR_DATA,
		    "'column_names' must have 1 to %d names, and "
		    "'column_encodings' as many",
		    MDS_COLUMNS);
	for (unsigned i = 0; i < *count; i++) {
		const char *name = json_item_text(names, i);
		const char *encoding = json_item_text(encodings, i);

		if (!name || !encoding)
			return error_set(err, ERROR_DATA,
			    "names and encodings of columns must be texts");
		if (mds_column_set(&columns[i], name, encoding, err))
			return -1;
	}
	return 0;
}

/* Takes the sizes of columns that other encodings have. */
static int get_sizes(const struct json_t *at, struct mds_column *columns,
    unsigned count, struct error *err)
{
	struct json_t *sizes;

	if (json_get_array(at, "column_sizes", &sizes, err))
		return -1;
	for (unsigned i = 0; i < count; i++) {
		int64_t size;

		if (json_item_size(sizes, i, &size) || size > UINT32_MAX ||
		    (columns[i].is_fixed && size != (int64_t)columns[i].bytes))
			return error_set(err, ERROR_DATA,
			    "'column_sizes' does not fit column '%s'",
			    columns[i].name);
		columns[i].is_fixed = size >= 0;
		columns[i].bytes = size >= 0 ? (uint32_t)size : 0;
		if (size < 0 || columns[i].kind != MDS_ARRAY)
			continue;
		if (!columns[i].has_shape)
			columns[i].kind = MDS_OTHER;
	}
	return 0;
}

static bool columns_equal(
    const struct mds *mds, const struct mds_column *columns, unsigned count)
{
	if (count != mds->count)
		return false;
	for (unsigned i = 0; i < count; i++)
		if (strcmp(columns[i].name, mds->columns[i].name) != 0 ||
		    strcmp(columns[i].encoding, mds->columns[i].encoding) !=
		        0 ||
		    columns[i].bytes != mds->columns[i].bytes)
			return false;
	return true;
}

static int check_columns(
    struct mds *mds, const struct json_t *at, struct error *err)
{
	struct mds_column columns[MDS_COLUMNS];
	unsigned count;

	if (get_columns(at, columns, &count, err) ||
	    get_sizes(at, columns, count, err))
		return -1;
	if (mds->count == 0) {
		memcpy(mds->columns, columns, count * sizeof(*columns));
		mds->count = count;
	}
	if (columns_equal(mds, columns, count))
		return 0;
	return error_set(
	    err, ERROR_DATA, "its columns are not those of the first shard");
}

static int get_packing(
    const struct json_t *at, enum packed_kind *packed, struct error *err)
{
	const char *text;
	size_t len;

	if (json_get_text(at, "compression", &text, err))
		return -1;
	len = strcspn(text, ":");
	*packed = len == 4 && memcmp(text, "zstd", len) == 0 ? PACKED_ZSTD
	          : len == 2 && memcmp(text, "gz", len) == 0 ? PACKED_GZIP
	                                                     : PACKED_NONE;
	if (*packed != PACKED_NONE)
		return 0;
	return error_set(err, ERROR_DATA,
	    "the compression '%.40s' is not read; zstd and gz are", text);
}

/* A file of a shard, as the index describes it. */
static int get_file(const struct json_t *at, const char *key, const char **name,
    uint64_t *bytes, struct error *err)
{
	struct json_t *data;

	if (json_get_object(at, key, &data, err) ||
	    json_get_text(data, "basename", name, err) ||
	    json_get_uint(data, "bytes", bytes, err))
		return -1;
	return name_check_path(span_text(*name), err)
	           ? error_prefix(err, "'basename'")
	           : 0;
}

/* Is the uncompressed form of a shard there, too? */
static bool is_there(
    const struct table *table, const char *dir, const char *name)
{
	struct error ignored;
	char *path = path_join(dir, name, &ignored);
	const bool is = path && medium_exists(table->medium, path);

	free(path);
	return is;
}

static int add_shard(
    struct reader *reader, const struct json_t *at, struct error *err)
{
	struct table *table = reader->priv;
	struct mds *mds = table->own;
	struct mds_shard shard = { .packed = PACKED_NONE }, *shards;
	const char *name;
	uint64_t bytes;

	if (get_file(at, "raw_data", &name, &shard.raw, err) ||
	    json_get_uint(at, "samples", &shard.samples, err) ||
	    check_columns(mds, at, err))
		return -1;
	bytes = shard.raw;
	if (shard.raw > UINT32_MAX ||
	    mds_table_bytes(shard.samples) > shard.raw)
		return error_set(err, ERROR_DATA,
		    "%" PRIu64 " samples do not fit into a shard of %" PRIu64
		    " bytes",
		    shard.samples, shard.raw);
	if (json_has(at, "zip_data") && !is_there(table, mds->dir, name)) {
		if (shard.raw > INT32_MAX)
			return error_set(err, ERROR_LIMIT,
			    "unpacks to more than 2 GiB, and is read as a "
			    "whole: write smaller shards");
		if (get_packing(at, &shard.packed, err) ||
		    get_file(at, "zip_data", &name, &bytes, err))
			return -1;
		reader->in_order_only = true;
	}
	shards = array_grow(mds->shards, &mds->capacity, mds->shard_count + 1,
	    sizeof(*shards), err);
	if (!shards)
		return -1;
	mds->shards = shards;
	shards[mds->shard_count++] = shard;
	return listing_add(&table->listing, name, bytes, err);
}

static int add_shards(
    struct reader *reader, const struct json_t *root, struct error *err)
{
	struct json_t *shards;

	if (json_get_array(root, "shards", &shards, err))
		return -1;
	for (size_t i = 0; i < json_count(shards); i++) {
		const struct json_t *at = json_item(shards, i);

		if (!at)
			return error_set(
			    err, ERROR_DATA, "shard %zu is no object", i);
		if (add_shard(reader, at, err))
			return error_prefix(err, "shard %zu", i);
	}
	return json_count(shards) ? 0
	                          : error_set(err, ERROR_DATA, "has no shards");
}

int mds_index_read(struct reader *reader, const char *path, struct error *err)
{
	struct table *table = reader->priv;
	struct json_doc doc = { .root = NULL };
	struct buf text = BUF_INIT;
	int rc = -1;

	if (medium_slurp(table->medium, path, &text, err) == 0 &&
	    json_doc_parse(&doc, path, buf_span(&text), err) == 0) {
		rc = add_shards(reader, doc.root, err);
		if (rc == 0)
			rc = listing_add(
			    &table->listing, MDS_INDEX_NAME, text.len, err);
		if (rc)
			error_prefix(err, "%s", path);
	}
	json_doc_release(&doc);
	buf_release(&text);
	return rc;
}
