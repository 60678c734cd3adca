/*
 * lmdb.c - LMDB files: a key is a sample, and its value the bytes; or patterns
 * tell the keys of each field.
 *
 * The file is read through the medium by a reader of its own
 * (lib/formats/lmdb.h): in liblmdb a damaged page would end presto, and it
 * takes no far files. Opening reads all keys. A stream is about 4 MiB of
 * neighbouring samples.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/content.h"
#include "datasets/files/field_names.h"
#include "datasets/source.h"
#include "datasets/tables/lmdb_file.h"
#include "datasets/tables/lmdb_rows.h"
#include "datasets/tables/lmdb_scan.h"
#include "datasets/tables/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/path.h"
#include "lib/formats/datum.h"
#include "lib/media/medium.h"

#define FILE_NAME "data.mdb"

static const struct option options[] = {
	OPTION(TEXT, "database", 0, struct lmdb_options, database, "NAME",
	    "name of a database in the file (default: the main one)"),
	OPTION(TEXT, "fields", 0, struct lmdb_options, table.fields, "LIST",
	    "patterns of the keys, by field: data:image-*,text:label-*"),
	OPTION(TEXT, "label", 0, struct lmdb_options, table.label,
	    "directory|none|REGEX",
	    "label from the key (default: that of a Datum, else none)"),
	OPTION(TEXT, "match", 0, struct lmdb_options, table.match, "GLOB",
	    "pattern of the keys that are samples"),
	OPTION_TABLE_END,
};

/* ---- the file ---- */

/* Lists the file of the path: a folder's data.mdb, or the path itself. */
static int list_file(
    struct table *table, const struct source_plan *plan, struct error *err)
{
	struct listing *listing = &table->listing;
	struct error ignored = ERROR_INIT;
	char *inside = path_join(plan->path, FILE_NAME, err);
	const bool is_folder = inside && medium_exists(table->medium, inside);
	struct medium_status status = { .kind = MEDIUM_NOTHING };
	int rc = -1;

	listing->root =
	    is_folder ? strdup(plan->path) : path_dir(plan->path, err);
	if (!inside || !listing->root)
		error_memory(err, strlen(plan->path));
	else if (!is_folder &&
	         medium_get_status(
	             table->medium, plan->path, &status, &ignored) == 0 &&
	         status.kind == MEDIUM_FOLDER)
		error_set(err, ERROR_DATA, "has no %s", FILE_NAME);
	else
		rc = listing_add(listing,
		    is_folder ? FILE_NAME : path_base(plan->path), 0, err);
	free(inside);
	return rc;
}

/* ---- kinds of values ---- */

/* Python's pickles begin with their version and end with a dot. */
static bool is_pickle(struct span value)
{
	return value.len > 3 && value.data[0] == 0x80 && value.data[1] >= 2 &&
	       value.data[1] <= 5 && value.data[value.len - 1] == '.';
}

static int learn_kind(struct lmdb *lmdb, struct span value, struct error *err)
{
	struct datum datum;
	struct error ignored = ERROR_INIT;
	struct type type;

	if (is_pickle(value))
		return error_set(err, ERROR_DATA,
		    "its first value is a Python pickle, which is not read: "
		    "write the bytes of the files as values, or leave keys "
		    "out by 'match'");
	if (lmdb->lists[0].pattern[0]) /* a Datum would be all of a sample */
		return 0;
	if (content_type(value, "", &type, err))
		return -1;
	if (type.layout != LAYOUT_ENCODED || type.suffix[0] ||
	    datum_parse(value, &datum, &ignored))
		lmdb->kind = LMDB_VALUES;
	else
		lmdb->kind =
		    datum.is_encoded ? LMDB_DATUM_FILES : LMDB_DATUM_ARRAYS;
	return 0;
}

static int look_at_first(
    struct table *table, struct medium_file *opened, struct error *err)
{
	struct table_slice slice = { &table->runs.at[0], 0, 1 };
	struct table_file file = { .opened = opened };
	struct chunk chunk = CHUNK_INIT;
	int rc = lmdb_fetch(table, &file, &slice, &chunk, err);

	if (rc == 0)
		rc = learn_kind(table->own, lmdb_first_value(&chunk), err);
	chunk_release(&chunk);
	buf_release(&file.scratch);
	return rc;
}

/* ---- fields and columns ---- */

/* Adds a field whose type is that of its first value (table_rows.c). */
static int add_field(
    void *arg, const char *field, const char *pattern, struct error *err)
{
	const struct type unknown = { .layout = LAYOUT_ENCODED };
	struct reader *reader = arg;
	struct table *table = reader->priv;
	struct lmdb *lmdb = table->own;
	struct lmdb_list *list = &lmdb->lists[lmdb->list_count];
	const char *star = strchr(pattern, '*');

	if (*pattern && (!star || strchr(star + 1, '*')))
		return error_set(err, ERROR_USAGE,
		    "'%s' must have one '*', for the key of the sample",
		    pattern);
	if (schema_add(&reader->schema, field, &unknown, err)) {
		err->code = ERROR_USAGE;
		return -1;
	}
	snprintf(list->pattern, sizeof(list->pattern), "%s", pattern);
	list->star = star ? (size_t)(star - pattern) : 0;
	lmdb->list_count++;
	return 0;
}

static int add_fields(struct reader *reader, const char *fields,
    const char *match, struct error *err)
{
	if (!fields)
		return add_field(reader, "data", "", err);
	if (match)
		return error_set(
		    err, ERROR_USAGE, "give 'fields' or 'match', not both");
	return field_names_parse(fields, add_field, reader, err);
}

static void add_column(
    struct table *table, const char *name, enum table_kind kind)
{
	struct table_column *column = &table->chosen[table->count++];

	*column = (struct table_column){ .kind = kind };
	snprintf(column->name, sizeof(column->name), "%s", name);
}

static void add_value(struct table *table, unsigned field)
{
	const struct lmdb *lmdb = table->own;
	const struct lmdb_list *list = &lmdb->lists[field];
	struct table_column *column = &table->chosen[table->count];
	const bool is_array = lmdb->kind == LMDB_DATUM_ARRAYS;

	table->fields[field] = (int)table->count;
	/* The key may be the name of a file, with its extension. */
	table->paths[field] =
	    lmdb->kind == LMDB_VALUES && !list->pattern[0] ? LMDB_KEY : -1;
	add_column(table, list->pattern[0] ? list->pattern : "value",
	    is_array ? TABLE_ARRAY : TABLE_BYTES);
	snprintf(column->suffix, sizeof(column->suffix), "%.15s",
	    content_extension(list->pattern));
	if (is_array)
		column->type.shape =
		    (struct shape){ .count = 3, .dims = { -1, -1, -1 } };
}

static void set_columns(struct table *table, bool has_label)
{
	const struct lmdb *lmdb = table->own;

	table->key = LMDB_KEY;
	add_column(table, "key", TABLE_BYTES);
	for (unsigned i = 0; i < lmdb->list_count; i++)
		add_value(table, i);
	if (!has_label)
		return;
	table->label = (int)table->count;
	add_column(table, "label", TABLE_NUMBER);
	table->chosen[table->label].type.dtype = DTYPE_I64;
}

/* ---- opening ---- */

static int note_skipped(
    struct reader *reader, const struct lmdb *lmdb, struct error *err)
{
	char text[128];

	if (!lmdb->skipped)
		return 0;
	snprintf(text, sizeof(text),
	    "%llu key%s of bookkeeping (__NAME__) %s no sample",
	    (unsigned long long)lmdb->skipped, lmdb->skipped == 1 ? "" : "s",
	    lmdb->skipped == 1 ? "is" : "are");
	return reader_add_note(reader, text, err);
}

/* A file that was written through a map is as large as the map. */
static int note_size(
    struct reader *reader, const struct lmdb *lmdb, struct error *err)
{
	const uint64_t page = lmdb->meta.page_bytes;
	char text[256], used[UNITS_TEXT], all[UNITS_TEXT];

	if (lmdb->file_pages / 2 <= lmdb->meta.pages)
		return 0;
	snprintf(text, sizeof(text),
	    "the file has %s, and LMDB uses %s of it: sizes and cache figures "
	    "count all; copy it with mdb_copy",
	    units_bytes((double)(lmdb->file_pages * page), all),
	    units_bytes((double)(lmdb->meta.pages * page), used));
	return reader_add_note(reader, text, err);
}

/* Reads the keys, with what the options say of them. */
static int read_keys(struct reader *reader, struct medium_file *opened,
    const struct lmdb_options *wanted, struct error *err)
{
	struct table *table = reader->priv;
	struct lmdb *lmdb = table->own;
	const char *label = wanted->table.label;
	const bool has_rule = label && strcmp(label, "none") != 0;
	int rc;

	if (add_fields(
	        reader, wanted->table.fields, wanted->table.match, err) ||
	    (wanted->table.match &&
	        glob_list_set(&lmdb->match, wanted->table.match, err)) ||
	    lmdb_file_open(lmdb, opened, err))
		return -1;
	rc = lmdb_scan(
	    reader, opened, wanted->database, has_rule ? label : NULL, err);
	if (lmdb_file_judge(lmdb, opened, rc, err))
		return -1;
	if (table->runs.count > 0)
		return 0;
	return error_set(err, ERROR_DATA, "%s",
	    wanted->table.match || wanted->table.fields
	        ? "has no keys that match"
	        : "has no keys");
}

static int scan_file(
    struct reader *reader, struct medium_file *opened, struct error *err)
{
	struct table *table = reader->priv;
	const struct lmdb_options *wanted = (const void *)table->options;
	struct lmdb *lmdb = table->own;

	table->listing.files[0].bytes = medium_size(opened);
	if (read_keys(reader, opened, wanted, err) ||
	    note_size(reader, lmdb, err) || note_skipped(reader, lmdb, err) ||
	    look_at_first(table, opened, err))
		return -1;
	set_columns(table, lmdb->labels || (!wanted->table.label &&
	                                       lmdb->kind != LMDB_VALUES));
	return 0;
}

static int find(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	struct table *table = reader->priv;
	struct lmdb *lmdb = memory_zeroed(sizeof(*lmdb), err);
	struct medium_file *opened;
	char *path;
	int rc = -1;

	table->own = lmdb;
	if (!lmdb || list_file(table, plan, err))
		return -1;
	path = listing_path(&table->listing, 0, err);
	if (!path)
		return -1;
	lmdb->is_far = medium_is_far(table->medium, path);
	opened = medium_open(table->medium, path, err);
	if (opened)
		rc = scan_file(reader, opened, err);
	/* To ask an emulated storage would take a request each time. */
	if (lmdb->is_far || storage_limits_any(medium_limits(table->medium)))
		medium_close(opened);
	else
		lmdb->watched = opened;
	free(path);
	return rc;
}

static void release(struct table *table)
{
	struct lmdb *lmdb = table->own;

	if (!lmdb)
		return;
	medium_close(lmdb->watched);
	lmdb_release(lmdb);
	free(lmdb);
}

static const struct table_format format = {
	.find = find,
	.fetch = lmdb_fetch,
	.measure = lmdb_measure,
	.unpack = lmdb_unpack,
	.view = lmdb_view,
	.judge = lmdb_judge,
	.release = release,
	.can_pick = true,
};

const struct source_ops source_lmdb = {
	.name = "lmdb",
	.summary = "LMDB files: keys, and files or Caffe's Datum as values",
	.options = options,
	.options_size = sizeof(struct lmdb_options),
	.format = &format,
	TABLE_SOURCE,
};
