/* array_scan.c - see array_scan.h. */
#include "datasets/arrays/array_scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/archives/archive.h"
#include "datasets/files/content.h"
#include "datasets/files/field_names.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"
#include "lib/sample/npy.h"

enum {
	HEAD_BYTES = 16 << 10, /* enough for the header of an array */
	STREAM_BYTES = 1 << 20,
	STREAM_RUNS = 256,
};

struct scan {
	struct array_set *set;
	struct schema *schema;
	const struct array_options *options;
	bool is_first;
	size_t file;
	/* The current file: */
	const char *path;
	unsigned has;  /* bit i: column i was found */
	uint64_t rows; /* rows of each of its arrays */
	uint64_t data; /* offset of the rows in a .npy file */
	unsigned char head[HEAD_BYTES];
};

/* ---- columns ---- */

static int add_column(
    struct scan *scan, const char *field, const char *name, struct error *err)
{
	const struct type unknown = { .dtype = DTYPE_U8 };
	struct array_set *set = scan->set;

	if (strlen(name) >= ARRAY_NAME)
		return error_set(err, ERROR_USAGE,
		    "the name of array '%.80s' is too long", name);
	if (schema_add(scan->schema, field, &unknown, err)) {
		err->code = ERROR_USAGE;
		return error_prefix(err, "give 'fields = FIELD:ARRAY'");
	}
	snprintf(set->columns[set->count++].name, ARRAY_NAME, "%s", name);
	return 0;
}

static int add_named(
    void *arg, const char *field, const char *name, struct error *err)
{
	return add_column(arg, field, name, err);
}

/* Adds the label's column behind the fields, which are known. */
static int add_label(struct scan *scan, struct error *err)
{
	struct array_set *set = scan->set;
	const char *label = scan->options->label;

	if (!label)
		return 0;
	if (strlen(label) >= ARRAY_NAME)
		return error_set(
		    err, ERROR_USAGE, "label: the name is too long");
	set->has_label = true;
	snprintf(set->columns[set->count].name, ARRAY_NAME, "%s", label);
	return 0;
}

/* Learns the type that a sample has in a column from the array's header. */
static int learn_type(struct scan *scan, unsigned column, enum dtype dtype,
    const struct shape *shape, struct error *err)
{
	struct array_set *set = scan->set;
	struct array_column *c = &set->columns[column];
	struct type *type = &c->type;
	const bool is_label = column >= set->count;
	int64_t bytes;

	if (is_label && dtype >= DTYPE_F16)
		return error_set(err, ERROR_DATA,
		    "labels are whole numbers, not %s", dtype_name(dtype));
	*type = (struct type){ .dtype = dtype, .shape = *shape };
	if (set->by_row && shape->count > 0) {
		type->shape.count--;
		memmove(type->shape.dims, shape->dims + 1,
		    type->shape.count * sizeof(shape->dims[0]));
	}
	type->layout = shape_is_image(&type->shape) ? LAYOUT_HWC : LAYOUT_PLAIN;
	bytes = type_bytes(type);
	if (bytes < 0)
		return error_set(err, ERROR_DATA, "its shape is too large");
	c->bytes = (size_t)bytes;
	for (unsigned d = 0; !set->by_row && d < type->shape.count; d++)
		type->shape.dims[d] = -1;
	if (!is_label)
		scan->schema->fields[column].type = *type;
	return 0;
}

/* Checks the header of an array; the first file sets the column's type. */
static int check_header(
    struct scan *scan, unsigned column, struct span head, struct error *err)
{
	struct array_set *set = scan->set;
	struct shape shape;
	enum dtype dtype;
	size_t data;

	if (npy_is_filtered(head))
		return error_set(err, ERROR_DATA,
		    "is a tensor filtered by presto: read its "
		    "folder with 'source = presto'");
	if (npy_read_header(head, false, &dtype, &shape, &data, err) ||
	    (scan->is_first && learn_type(scan, column, dtype, &shape, err)))
		return -1;
	if (!set->by_row) {
		scan->rows = 1;
		return 0;
	}
	if (array_check_rows(&set->columns[column], dtype, &shape, err))
		return -1;
	if (scan->has && scan->rows != (uint64_t)shape.dims[0])
		return error_set(err, ERROR_DATA,
		    "has %" PRId64 " rows, and another array %" PRIu64
		    ": 'sample = file' takes the file as a sample",
		    shape.dims[0], scan->rows);
	if (set->columns[column].bytes == 0)
		return error_set(err, ERROR_DATA,
		    "has empty rows: 'sample = file' takes the file "
		    "as a sample");
	scan->rows = (uint64_t)shape.dims[0];
	scan->data = data;
	return 0;
}

/* Checks that an array of `size` bytes, with its header, has all rows. */
static int check_length(
    const struct scan *scan, unsigned column, uint64_t size, struct error *err)
{
	uint64_t rows;

	if (__builtin_mul_overflow(
	        scan->rows, scan->set->columns[column].bytes, &rows) ||
	    scan->data > size || rows > size - scan->data)
		return error_set(err, ERROR_DATA,
		    ".npy file is cut short: %" PRIu64 " bytes for %" PRIu64
		    " rows",
		    scan->data > size ? 0 : size - scan->data, scan->rows);
	return 0;
}

/* ---- files ---- */

static int scan_npy(struct scan *scan, struct error *err)
{
	struct medium_file *file =
	    medium_open(scan->set->medium, scan->path, err);
	struct span head = { .data = scan->head };
	uint64_t size;
	int rc = -1;

	if (!file)
		return -1;
	size = medium_size(file);
	head.len = size < HEAD_BYTES ? (size_t)size : HEAD_BYTES;
	if (medium_read_full(file, 0, scan->head, head.len, err) == 0)
		rc = check_header(scan, 0, head, err);
	medium_close(file);
	scan->has = 1;
	if (rc || !scan->set->by_row)
		return rc;
	return check_length(scan, 0, size, err);
}

/* Adds a field for an array of the first file, if no fields were given. */
static int add_any_array(
    struct scan *scan, const char *member, struct error *err)
{
	const char *label = scan->options->label;
	const size_t len = strlen(member);
	char name[ARRAY_NAME];

	if (len < 5 || strcmp(member + len - 4, ".npy") != 0)
		return 0;
	if (len - 4 >= sizeof(name))
		return error_set(err, ERROR_DATA,
		    "the name of array '%.80s' is too long", member);
	memcpy(name, member, len - 4);
	name[len - 4] = '\0';
	if (label && strcmp(label, name) == 0)
		return 0;
	return add_column(scan, name, name, err);
}

static int scan_member(struct scan *scan, struct archive_reader *archive,
    const struct archive_member *member, struct error *err)
{
	const int column = array_column_of(scan->set, member->name);
	struct span head = { .data = scan->head };

	if (column < 0 || scan->has & 1u << column)
		return 0;
	if (archive_reader_begin(
	        archive, scan->head, HEAD_BYTES, &head.len, err))
		return -1;
	if (check_header(scan, (unsigned)column, head, err) ||
	    (scan->set->by_row && member->bytes > 0 &&
	        check_length(scan, (unsigned)column, member->bytes, err)))
		return error_prefix(
		    err, "array '%s'", scan->set->columns[column].name);
	scan->has |= 1u << column;
	return 0;
}

/* Visits the arrays of a file, for their names or for their headers. */
static int each_member(struct scan *scan, bool names, struct error *err)
{
	const struct archive_part all = { .path = scan->path,
		.block_bytes = HEAD_BYTES };
	struct archive_reader *archive =
	    archive_reader_open(scan->set->medium, &all, err);
	struct archive_member member;
	int got = -1;

	while (
	    archive && (got = archive_reader_next(archive, &member, err)) > 0)
		if (names ? add_any_array(scan, member.name, err)
		          : scan_member(scan, archive, &member, err)) {
			got = -1;
			break;
		}
	archive_reader_close(archive);
	return got;
}

static int scan_npz(struct scan *scan, struct error *err)
{
	const struct array_set *set = scan->set;

	if (scan->is_first &&
	    ((set->count == 0 && each_member(scan, true, err)) ||
	        add_label(scan, err)))
		return -1;
	if (set->count == 0)
		return error_set(err, ERROR_DATA, "there is no array in it");
	if (each_member(scan, false, err))
		return -1;
	for (unsigned i = 0; i < array_columns(set); i++)
		if (!(scan->has & 1u << i))
			return error_set(err, ERROR_DATA,
			    "there is no array '%s'", set->columns[i].name);
	return 0;
}

/* Cuts the rows of a .npy file into runs; other files are one run. */
static int add_runs(struct scan *scan, struct error *err)
{
	struct array_set *set = scan->set;
	const uint64_t bytes = set->listing.files[scan->file].bytes;
	const size_t row = set->columns[0].bytes;
	struct run run = {
		.file = scan->file,
		.samples = scan->rows,
		.bytes = bytes,
	};
	uint64_t most = scan->rows;

	if (set->by_row && !set->is_npz)
		most = row < STREAM_BYTES && row > 0 ? STREAM_BYTES / row : 1;
	for (; run.first < scan->rows; run.first += run.samples) {
		run.samples = scan->rows - run.first;
		if (run.samples > most)
			run.samples = most;
		if (set->by_row && !set->is_npz) {
			run.start = scan->data + run.first * row;
			run.bytes = run.samples * row;
		}
		if (runs_add(&set->runs, &run, err))
			return -1;
	}
	return 0;
}

static int scan_file(struct scan *scan, struct error *err)
{
	struct array_set *set = scan->set;
	const size_t stem = array_stem(set, scan->file).len;
	char *path = listing_path(&set->listing, scan->file, err);
	int rc = -1;

	if (!path)
		return -1;
	if (stem > set->stem_max)
		set->stem_max = stem;
	scan->path = path;
	scan->has = 0;
	scan->rows = 1;
	scan->is_first = scan->file == 0;
	/* Where files are samples, only the first is opened. */
	if (!scan->is_first && !set->by_row)
		rc = 0;
	else
		rc = set->is_npz ? scan_npz(scan, err) : scan_npy(scan, err);
	if (rc == 0)
		rc = add_runs(scan, err);
	if (rc && strncmp(err->text, path, strlen(path)) != 0)
		error_prefix(err, "%s", path);
	free(path);
	return rc;
}

/* ---- streams ---- */

/* Cuts the runs into streams; small files share one. */
static int cut_streams(struct reader *reader, struct error *err)
{
	struct array_set *set = reader->priv;
	struct runs *runs = &set->runs;
	uint64_t bytes = 0;
	size_t first = 0;

	for (size_t i = 0; i < runs->count; i++) {
		if (i == 0 || i - first == STREAM_RUNS ||
		    bytes + runs->at[i].bytes > STREAM_BYTES) {
			if (cuts_add(&runs->streams, i, err))
				return -1;
			reader->streams++;
			first = i;
			bytes = 0;
		}
		bytes += runs->at[i].bytes;
	}
	return cuts_add(&runs->streams, runs->count, err);
}

static int plan(struct reader *reader, uint64_t limit, struct error *err)
{
	struct array_set *set = reader->priv;

	if (set->runs.samples == 0)
		return error_set(err, ERROR_DATA, "holds no samples");
	runs_select(&set->runs, &set->listing, limit, reader);
	for (unsigned i = 0; set->by_row && i < array_columns(set); i++)
		reader->picked_bytes += set->columns[i].bytes;
	reader->costly_picks = set->by_row && set->is_npz;
	return cut_streams(reader, err);
}

/* Is the path a file, and not a folder or a list? */
static bool is_one_file(const struct array_set *set, const char *path)
{
	return set->listing.count == 1 &&
	       strcmp(path_base(path),
	           path_base(listing_name(&set->listing, 0))) == 0;
}

int array_scan(struct reader *reader, const char *path,
    const struct array_options *options, uint64_t limit, struct error *err)
{
	struct array_set *set = reader->priv;
	struct scan *scan = calloc(1, sizeof(*scan));
	int rc = -1;

	if (!scan)
		return error_memory(err, sizeof(*scan));
	scan->set = set;
	scan->schema = &reader->schema;
	scan->options = options;
	if ((options->fields &&
	        field_names_parse(options->fields, add_named, scan, err)) ||
	    listing_find(
	        &set->listing, set->medium, path, options->match, err) ||
	    passed_by_tell(&set->listing.passed, reader, err))
		goto done;
	set->by_row = options->sample == ARRAY_ROW ||
	              (options->sample == ARRAY_AUTO && is_one_file(set, path));
	if (!set->is_npz && add_column(scan, "data", "data", err))
		goto done;
	for (rc = 0; rc == 0 && scan->file < set->listing.count; scan->file++)
		rc = scan_file(scan, err);
	if (rc == 0)
		rc = plan(reader, limit, err);
done:
	free(scan);
	return rc;
}
