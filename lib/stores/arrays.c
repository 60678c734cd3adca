/* arrays.c - see arrays.h: names of the files, and checks of the index. */
#include "lib/stores/arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/stored.h"

enum { NAME_BYTES = 128 };

/* Writes a file's name: "shard-000000.FIELD.npy", "shard-000000.delta-npy". */
static void put_name(
    const struct shard_place *place, unsigned part, char name[NAME_BYTES])
{
	const struct store_form *form = place->form;
	const struct field *field = &form->schema.fields[part];
	const bool is_only = form->schema.count == 1;
	const bool filtered = type_is_filtered(&field->type);
	char shard[SHARD_NAME];

	snprintf(name, NAME_BYTES, "%s%s%s.%s%snpy%s",
	    shard_name(place->number, shard), is_only ? "" : ".",
	    is_only ? "" : field->name, filtered ? field->type.suffix : "",
	    filtered ? "-" : "", form->codec.ops->suffix);
}

char *arrays_path(
    const struct shard_place *place, unsigned part, struct error *err)
{
	const struct store_form *form = place->form;
	char name[NAME_BYTES], shard[SHARD_NAME];

	shard_name(place->number, shard);
	if (part == arrays_labels(form))
		snprintf(name, sizeof(name), "%s.labels.npy", shard);
	else if (part == arrays_keys(form))
		snprintf(name, sizeof(name), "%s.keys.txt", shard);
	else
		put_name(place, part, name);
	return path_join(place->dir, name, err);
}

size_t arrays_header(const struct store_form *form, unsigned part,
    const struct shape *row, uint64_t rows,
    unsigned char header[NPY_HEADER_MAX])
{
	const struct shape scalar = { .count = 0 };
	const struct type *type;
	size_t len;

	if (part == arrays_keys(form))
		return 0;
	if (part == arrays_labels(form))
		return npy_header_of_rows(DTYPE_I64, rows, &scalar, header);
	type = &form->schema.fields[part].type;
	len = npy_header_of_rows(type->dtype, rows, row, header);
	if (type_is_filtered(type))
		npy_set_filtered(header);
	return len;
}

/* ---- keys ---- */

int arrays_put_key(struct span key, struct buf *lines, struct error *err)
{
	static const char digits[] = "0123456789ABCDEF";
	unsigned char *out;

	if (buf_reserve(lines, lines->len + 3 * key.len + 1, err))
		return -1;
	out = lines->data + lines->len;
	for (size_t i = 0; i < key.len; i++) {
		const unsigned char c = key.data[i];

		if (c > ' ' && c < 0x7f && c != '%') {
			*out++ = c;
			continue;
		}
		*out++ = '%';
		*out++ = (unsigned char)digits[c >> 4];
		*out++ = (unsigned char)digits[c & 15];
	}
	*out++ = '\n';
	lines->len = (size_t)(out - lines->data);
	return 0;
}

static int digit(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int arrays_take_key(unsigned char *line, size_t *len)
{
	size_t to = 0;

	for (size_t i = 0; i < *len; i++) {
		int high, low;

		if (line[i] != '%') {
			line[to++] = line[i];
			continue;
		}
		if (*len - i < 3)
			return -1;
		high = digit(line[i + 1]);
		low = digit(line[i + 2]);
		if (high < 0 || low < 0)
			return -1;
		line[to++] = (unsigned char)(high << 4 | low);
		i += 2;
	}
	*len = to;
	return 0;
}

/* ---- checks of the index ---- */

static int wrong(struct error *err, const char *what)
{
	return error_set(
	    err, ERROR_DATA, "the index of the shard has %s", what);
}

/* Returns the bytes of a row of fields or labels; keys differ in length. */
static int64_t row_bytes(const struct store_form *form, unsigned part,
    const struct shard_index *index)
{
	struct type type = { .dtype = DTYPE_I64 };

	if (part < form->schema.count) {
		type.dtype = form->schema.fields[part].type.dtype;
		type.shape = index->rows[part];
	}
	return type_bytes(&type);
}

/* Checks that the rows have the type of the field. */
static int check_rows(const struct store_form *form, unsigned part,
    const struct shard_index *index, struct error *err)
{
	const struct field *field = &form->schema.fields[part];
	const struct tensor row = {
		.dtype = field->type.dtype,
		.shape = index->rows[part],
	};

	if (row.shape.count >= SHAPE_MAX)
		return wrong(err, "rows with too many dimensions");
	if (tensor_check(&row, &field->type, err))
		return error_prefix(err, "field %s", field->name);
	return 0;
}

/* Checks a part's size: its rows, and in the first part the header. */
static int check_part(const struct store_form *form, unsigned part,
    const struct shard_index *index, size_t block, struct error *err)
{
	const struct index_part *p =
	    &index->parts[block * index_parts(&index->form) + part];
	const uint64_t samples = index->blocks[block].samples;
	const int64_t row = row_bytes(form, part, index);
	unsigned char header[NPY_HEADER_MAX];
	uint64_t want;

	if (part >= form->schema.count || !form->codec.ops->encode)
		if (p->stored != p->unpacked)
			return wrong(err, "a part with two sizes");
	if (part == arrays_keys(form))
		return p->unpacked < samples ? wrong(err, "too few keys") : 0;
	if (row < 0 || __builtin_mul_overflow(samples, (uint64_t)row, &want))
		return wrong(err, "rows that are too large");
	if (block == 0 &&
	    __builtin_add_overflow(want,
	        arrays_header(form, part, &index->rows[part], 0, header),
	        &want))
		return wrong(err, "rows that are too large");
	return p->unpacked == want ? 0 : wrong(err, "a part of a wrong size");
}

static bool has_labels(
    const struct store_form *form, const struct shard_index *index)
{
	return index->count > 0 && index->parts[arrays_labels(form)].stored > 0;
}

static int check_blocks(const struct store_form *form, unsigned part,
    const struct shard_index *index, struct error *err)
{
	const unsigned count = index_parts(&index->form);

	for (size_t b = 0; b < index->count; b++) {
		if (part != arrays_labels(form) || has_labels(form, index)) {
			if (check_part(form, part, index, b, err))
				return -1;
		} else if (index->parts[b * count + part].stored > 0) {
			return wrong(err, "labels for some samples only");
		}
	}
	return 0;
}

/* Sets the bytes of the codec at both ends of a part's file. */
static int file_ends(const struct store_form *form, unsigned part,
    struct unpacker *ends, struct error *err)
{
	*ends = (struct unpacker){ .head = 0 };
	if (part >= form->schema.count)
		return 0;
	return stored_measure_ends(&form->codec, ends, err);
}

int arrays_check_index(const struct store_form *form,
    const struct shard_index *index, uint64_t bytes[PARTS_MAX],
    struct error *err)
{
	const unsigned count = index_parts(&index->form);
	const struct index_part *last;
	uint64_t sum = 0;
	struct unpacker ends;

	if (index->count == 0)
		return wrong(err, "no block");
	last = &index->parts[(index->count - 1) * count];
	for (unsigned i = 0; i < count; i++) {
		if ((i < form->schema.count &&
		        check_rows(form, i, index, err)) ||
		    check_blocks(form, i, index, err) ||
		    file_ends(form, i, &ends, err))
			return -1;
		if (index->parts[i].offset != ends.head)
			return wrong(err, "a part at a wrong offset");
		bytes[i] = last[i].offset + last[i].stored + ends.tail;
		sum += bytes[i];
	}
	return sum == index->stored ? 0 : wrong(err, "files of wrong sizes");
}

int arrays_check(const struct shard_place *place,
    const struct shard_index *index, bool all, struct error *err)
{
	const unsigned count = index_parts(&index->form);
	const unsigned labels = arrays_labels(place->form);
	uint64_t bytes[PARTS_MAX];
	int rc = arrays_check_index(place->form, index, bytes, err);

	UNUSED(all);
	for (unsigned i = 0; rc == 0 && i < count; i++) {
		char *path = arrays_path(place, i, err);

		rc = path ? 0 : -1;
		if (path && (i != labels || bytes[i] > 0))
			rc = layout_check_file(
			    place->medium, path, bytes[i], err);
		free(path);
	}
	return rc;
}

int arrays_each_file(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err)
{
	const struct shard_place place = { stored->medium, stored->dir,
		&stored->manifest.form, (unsigned)shard };
	struct shard_index index = SHARD_INDEX_INIT;
	uint64_t bytes[PARTS_MAX], index_bytes;
	int rc = stored_read_index(stored, shard, &index, &index_bytes, err);

	if (rc == 0)
		rc = arrays_check_index(place.form, &index, bytes, err);
	for (unsigned i = 0; rc == 0 && i < index_parts(&index.form); i++) {
		char *path = arrays_path(&place, i, err);

		rc = path ? 0 : -1;
		if (path && (i != arrays_labels(place.form) || bytes[i] > 0))
			rc = visit(arg, path, bytes[i], err);
		free(path);
	}
	shard_index_release(&index);
	return rc;
}
