/* hdf5_files.c - see hdf5_files.h. */
#include <stdlib.h>
#include <string.h>

#include "datasets/arrays/hdf5_files.h"
#include "datasets/files/listing.h"
#include "datasets/files/spread.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/signal/hdf5_read.h"

enum { NAME_BYTES = 256 };

/* Names of the datasets: one for each field, in the schema's order. */
struct wish {
	unsigned count;
	char names[FIELDS_MAX][NAME_BYTES];
	const char *labels;
};

/* Parses "/x", "data:/x" or "data:/x,mask:/m". */
static int parse_fields(const char *text, struct wish *wish,
    struct schema *schema, struct error *err)
{
	const struct type unknown = { .dtype = DTYPE_U8 };

	if (!text || !*text)
		return error_set(err, ERROR_USAGE,
		    "fields must be given: data:/images, or /images");
	for (const char *at = text;; at++) {
		const size_t len = strcspn(at, ",");
		const char *colon = memchr(at, ':', len);
		const char *path = colon ? colon + 1 : at;
		const size_t path_len = len - (size_t)(path - at);
		char name[FIELD_NAME] = "data";

		if (colon && (size_t)(colon - at) < sizeof(name)) {
			memcpy(name, at, (size_t)(colon - at));
			name[colon - at] = '\0';
		}
		if (path_len == 0 || path_len >= NAME_BYTES)
			return error_set(err, ERROR_USAGE,
			    "fields must be like data:/images,mask:/masks, "
			    "got '%s'",
			    text);
		if (schema_add(schema, name, &unknown, err))
			return -1;
		memcpy(wish->names[wish->count], path, path_len);
		wish->names[wish->count++][path_len] = '\0';
		at += len;
		if (!*at)
			return 0;
	}
}

/* ---- labels ---- */

static int64_t label_at(enum dtype dtype, const void *data, size_t i)
{
	switch (dtype) {
	case DTYPE_U8:
		return ((const uint8_t *)data)[i];
	case DTYPE_I8:
		return ((const int8_t *)data)[i];
	case DTYPE_U16:
		return ((const uint16_t *)data)[i];
	case DTYPE_I16:
		return ((const int16_t *)data)[i];
	case DTYPE_U32:
		return ((const uint32_t *)data)[i];
	case DTYPE_I32:
		return ((const int32_t *)data)[i];
	default:
		return ((const int64_t *)data)[i];
	}
}

static int convert_labels(struct hdf5_part *part, enum dtype dtype,
    const void *data, const char *name, struct error *err)
{
	part->labels = malloc((size_t)part->rows * sizeof(int64_t) + 1);
	if (!part->labels)
		return error_memory(err, part->rows * sizeof(int64_t));
	for (size_t i = 0; i < part->rows; i++) {
		part->labels[i] = label_at(dtype, data, i);
		if (part->labels[i] < -1)
			return error_set(err, ERROR_DATA,
			    "'%s': row %zu has the label %lld: labels are 0 "
			    "and more, or -1",
			    name, i, (long long)part->labels[i]);
	}
	return 0;
}

static int read_labels(
    struct hdf5_part *part, const char *name, struct error *err)
{
	struct hdf5_dataset dataset = HDF5_DATASET_INIT;
	struct buf data = BUF_INIT;
	int rc = -1;

	if (hdf5_dataset_open(&dataset, &part->file, name, err))
		return -1;
	if ((uint64_t)dataset.shape.dims[0] != part->rows ||
	    dataset.row_bytes != dtype_bytes(dataset.dtype) ||
	    dataset.dtype >= DTYPE_F16)
		error_set(err, ERROR_DATA,
		    "'%s' must be whole numbers, one for each of %llu rows",
		    name, (unsigned long long)part->rows);
	else if (buf_reserve(
	             &data, (size_t)part->rows * dataset.row_bytes, err) == 0 &&
	         hdf5_read(&dataset, 0, part->rows, data.data, err) == 0)
		rc = convert_labels(part, dataset.dtype, data.data, name, err);
	buf_release(&data);
	hdf5_dataset_close(&dataset);
	return rc;
}

/* ---- files ---- */

static void part_free(struct hdf5_part *part)
{
	for (unsigned f = 0; f < FIELDS_MAX; f++)
		hdf5_dataset_close(&part->datasets[f]);
	hdf5_close(&part->file);
	medium_close(part->opened);
	free(part->labels);
	free(part->stem);
	free(part->path);
	free(part);
}

static int open_datasets(
    struct hdf5_part *part, const struct wish *wish, struct error *err)
{
	for (unsigned f = 0; f < wish->count; f++) {
		struct hdf5_dataset *dataset = &part->datasets[f];

		if (hdf5_dataset_open(
		        dataset, &part->file, wish->names[f], err))
			return -1;
		if (f == 0)
			part->rows = (uint64_t)dataset->shape.dims[0];
		if ((uint64_t)dataset->shape.dims[0] != part->rows)
			return error_set(err, ERROR_DATA,
			    "'%s' has %lld rows, but '%s' has %llu",
			    wish->names[f], (long long)dataset->shape.dims[0],
			    wish->names[0], (unsigned long long)part->rows);
	}
	return wish->labels ? read_labels(part, wish->labels, err) : 0;
}

static bool rows_equal(
    const struct hdf5_dataset *a, const struct hdf5_dataset *b)
{
	struct shape x = a->shape, y = b->shape;

	x.dims[0] = y.dims[0] = 0;
	return a->dtype == b->dtype && shape_equal(&x, &y);
}

static int check_alike(const struct hdf5_part *first,
    const struct hdf5_part *part, const struct wish *wish, struct error *err)
{
	for (unsigned f = 0; f < wish->count; f++)
		if (!rows_equal(&first->datasets[f], &part->datasets[f]))
			return error_set(err, ERROR_DATA,
			    "rows of '%s' differ from those in %s",
			    wish->names[f], first->path);
	return 0;
}

static int fill_part(struct hdf5_files *files, struct hdf5_part *part,
    const char *name, const struct wish *wish, struct medium *medium,
    struct error *err)
{
	const char *dot = strrchr(path_base(name), '.');
	const size_t stem = dot ? (size_t)(dot - name) : strlen(name);

	part->stem = strndup(name, stem);
	if (!part->stem)
		return error_memory(err, stem);
	part->opened = medium_open(medium, part->path, err);
	if (!part->opened)
		return -1;
	if (hdf5_open_medium(&part->file, part->opened, err) ||
	    open_datasets(part, wish, err) ||
	    check_alike(files->parts[0], part, wish, err))
		return error_prefix(err, "%s", part->path);
	part->first = files->rows;
	files->rows += part->rows;
	if (stem > files->stem_max)
		files->stem_max = stem;
	return 0;
}

/* Adds a file; `name` is below the folder. Takes `path`, which may be NULL. */
static int add_part(struct hdf5_files *files, char *path, const char *name,
    const struct wish *wish, struct medium *medium, struct error *err)
{
	struct hdf5_part *part = calloc(1, sizeof(*part));
	struct hdf5_part **parts;

	if (!part || !path) {
		if (!part)
			error_memory(err, sizeof(*part));
		free(part);
		free(path);
		return -1;
	}
	part->path = path;
	parts = array_grow(files->parts, &files->capacity, files->count + 1,
	    sizeof(*parts), err);
	if (!parts) {
		part_free(part);
		return -1;
	}
	files->parts = parts;
	files->parts[files->count++] = part;
	return fill_part(files, part, name, wish, medium, err);
}

static int add_parts(struct hdf5_files *files, const char *path,
    const char *match, const struct wish *wish, struct medium *medium,
    struct error *err)
{
	struct listing listing = LISTING_INIT;
	int rc = listing_find(&listing, medium, path, match, err);

	for (size_t i = 0; rc == 0 && i < listing.count; i++) {
		rc = add_part(files, listing_path(&listing, i, err),
		    listing_name(&listing, i), wish, medium, err);
	}
	passed_by_move(&files->passed, &listing.passed);
	listing_release(&listing);
	return rc;
}

int hdf5_files_open(struct hdf5_files *files, const char *path,
    const struct hdf5_source_options *wanted, struct medium *medium,
    struct schema *schema, struct error *err)
{
	struct wish wish = { .labels = wanted->labels };
	int rc;

	if (parse_fields(wanted->fields, &wish, schema, err))
		return -1;
	rc = add_parts(files, path, wanted->match, &wish, medium, err);
	if (rc == 0 && files->rows == 0)
		rc = error_set(err, ERROR_DATA, "there are no rows");
	return rc;
}

static uint64_t first_row(const void *parts, size_t part)
{
	const struct hdf5_part *const *list = parts;

	return list[part]->first;
}

const struct hdf5_part *hdf5_files_find(
    const struct hdf5_files *files, uint64_t row)
{
	return files
	    ->parts[spread_find(files->parts, files->count, row, first_row)];
}

void hdf5_files_release(struct hdf5_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		part_free(files->parts[i]);
	free(files->parts);
	passed_by_release(&files->passed);
	*files = (struct hdf5_files){ .count = 0 };
}
