/* mds.c - see mds.h. */
#include "lib/formats/mds.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

/* ---- columns ---- */

struct encoding {
	const char *name;
	enum mds_kind kind;
	const char *suffix;
};

static const struct encoding encodings[] = {
	{ "bytes", MDS_BYTES, "" },
	{ "jpeg", MDS_BYTES, "jpg" },
	{ "json", MDS_TEXT, "json" },
	{ "ndarray", MDS_ARRAY, "" },
	{ "png", MDS_BYTES, "png" },
	{ "str", MDS_TEXT, "txt" },
	{ "str_decimal", MDS_TEXT, "txt" },
	{ "str_float", MDS_TEXT, "txt" },
	{ "str_int", MDS_TEXT, "txt" },
};

static int unreadable(const struct mds_column *column, struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "column '%s': its encoding '%.64s' cannot be read", column->name,
	    column->encoding);
}

/* Parses "2,3" as dimensions of at least 1. */
static int parse_dims(struct mds_column *column, const char *text)
{
	struct shape *shape = &column->type.shape;
	uint64_t bytes = dtype_bytes(column->type.dtype);

	for (;;) {
		char *end;
		unsigned long long dim;

		if (*text < '0' || *text > '9' || shape->count == SHAPE_MAX)
			return -1;
		dim = strtoull(text, &end, 10);
		if (dim < 1 || dim > UINT32_MAX ||
		    __builtin_mul_overflow(bytes, dim, &bytes) ||
		    bytes > UINT32_MAX)
			return -1;
		shape->dims[shape->count++] = (int64_t)dim;
		if (!*end)
			break;
		if (*end != ',')
			return -1;
		text = end + 1;
	}
	column->has_shape = true;
	column->is_fixed = true;
	column->bytes = (uint32_t)bytes;
	return 0;
}

/* Parses what follows "ndarray". */
static int parse_array(
    struct mds_column *column, const char *rest, struct error *err)
{
	char word[16];
	size_t len;

	column->type.layout = LAYOUT_PLAIN;
	if (!*rest)
		return 0;
	len = strcspn(rest + 1, ":");
	if (*rest != ':' || len >= sizeof(word))
		return unreadable(column, err);
	memcpy(word, rest + 1, len);
	word[len] = '\0';
	if (dtype_parse(word, &column->type.dtype))
		return unreadable(column, err);
	column->has_dtype = true;
	rest += 1 + len;
	if (*rest && parse_dims(column, rest + 1))
		return unreadable(column, err);
	if (column->has_shape && shape_is_image(&column->type.shape))
		column->type.layout = LAYOUT_HWC;
	return 0;
}

static void set_number(struct mds_column *column, enum dtype dtype)
{
	column->kind = MDS_NUMBER;
	column->type = (struct type){ .dtype = dtype };
	column->is_fixed = true;
	column->bytes = (uint32_t)dtype_bytes(dtype);
}

static int copy_name(char *to, size_t size, const char *from, struct error *err)
{
	if (*from && strlen(from) < size) {
		memcpy(to, from, strlen(from) + 1);
		return 0;
	}
	return error_set(err, ERROR_DATA,
	    "'%.64s': names and encodings of columns have 1 to %zu bytes", from,
	    size - 1);
}

int mds_column_set(struct mds_column *column, const char *name,
    const char *encoding, struct error *err)
{
	const size_t len = strcspn(encoding, ":");
	enum dtype dtype;

	*column = (struct mds_column){ .kind = MDS_OTHER };
	if (copy_name(column->name, sizeof(column->name), name, err) ||
	    copy_name(
	        column->encoding, sizeof(column->encoding), encoding, err))
		return -1;
	if (strcmp(encoding, "int") == 0) {
		set_number(column, DTYPE_I64);
		return 0;
	}
	if (dtype_parse(encoding, &dtype) == 0) {
		set_number(column, dtype);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(encodings); i++) {
		const struct encoding *e = &encodings[i];

		if (strlen(e->name) != len ||
		    memcmp(e->name, encoding, len) != 0)
			continue;
		column->kind = e->kind;
		snprintf(column->suffix, SUFFIX_MAX, "%s", e->suffix);
		if (e->kind == MDS_ARRAY)
			return parse_array(column, encoding + len, err);
	}
	return 0;
}

/* ---- reading ---- */

uint64_t mds_table_bytes(uint64_t samples)
{
	return sizeof(uint32_t) * (samples + 2);
}

static size_t too_short(size_t len, struct error *err)
{
	error_set(err, ERROR_DATA,
	    "the record of a sample is damaged: its %zu bytes are too few for "
	    "its values",
	    len);
	return 0;
}

size_t mds_split(const struct mds_column *columns, unsigned count,
    struct span record, struct span *values, struct error *err)
{
	size_t at = 0;

	for (unsigned i = 0; i < count; i++) {
		uint32_t bytes = columns[i].bytes;

		if (!columns[i].is_fixed) {
			if (record.len - at < sizeof(bytes))
				return too_short(record.len, err);
			memcpy(&bytes, record.data + at, sizeof(bytes));
			at += sizeof(bytes);
		}
		values[i].len = bytes;
	}
	for (unsigned i = 0; i < count; i++) {
		if (record.len - at < values[i].len)
			return too_short(record.len, err);
		values[i].data = record.data + at;
		at += values[i].len;
	}
	if (at == 0)
		return too_short(record.len, err);
	return at;
}

static int bad_value(const struct mds_column *column, struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "column '%s': the value is no array, or not of '%.64s'",
	    column->name, column->encoding);
}

/* The numbers by which MDS knows element types. */
static const struct {
	unsigned char number;
	enum dtype dtype;
} dtypes[] = {
	{ 8, DTYPE_U8 },
	{ 9, DTYPE_I8 },
	{ 16, DTYPE_U16 },
	{ 17, DTYPE_I16 },
	{ 18, DTYPE_F16 },
	{ 32, DTYPE_U32 },
	{ 33, DTYPE_I32 },
	{ 34, DTYPE_F32 },
	{ 64, DTYPE_U64 },
	{ 65, DTYPE_I64 },
	{ 66, DTYPE_F64 },
};

static int take_dtype(struct span *value, enum dtype *dtype)
{
	if (value->len == 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(dtypes); i++) {
		if (dtypes[i].number != value->data[0])
			continue;
		*dtype = dtypes[i].dtype;
		value->data++;
		value->len--;
		return 0;
	}
	return -1;
}

/* Takes a byte with number and size of the dimensions, and these. */
static int take_shape(struct span *value, struct shape *shape)
{
	size_t size;

	if (value->len == 0)
		return -1;
	shape->count = value->data[0] >> 2;
	size = (size_t)1 << (value->data[0] & 3);
	if (shape->count > SHAPE_MAX || value->len - 1 < shape->count * size)
		return -1;
	for (unsigned i = 0; i < shape->count; i++) {
		uint64_t dim = 0;

		memcpy(&dim, value->data + 1 + i * size, size);
		if (dim > INT64_MAX)
			return -1;
		shape->dims[i] = (int64_t)dim;
	}
	value->data += 1 + shape->count * size;
	value->len -= 1 + shape->count * size;
	return 0;
}

int mds_view(const struct mds_column *column, struct span value,
    struct tensor *tensor, struct error *err)
{
	struct type type = column->type;

	if (column->kind == MDS_ARRAY) {
		if (!column->has_dtype && take_dtype(&value, &type.dtype))
			return bad_value(column, err);
		if (!column->has_shape && take_shape(&value, &type.shape))
			return bad_value(column, err);
	}
	if (type_bytes(&type) != (int64_t)value.len)
		return bad_value(column, err);
	tensor_view(tensor, type.dtype, &type.shape, value.data);
	return 0;
}

/* ---- writing ---- */

size_t mds_array_head(
    const struct shape *shape, unsigned char head[MDS_ARRAY_HEAD])
{
	int64_t most = 0;
	unsigned code = 0;
	size_t size;

	for (unsigned i = 0; i < shape->count; i++)
		if (shape->dims[i] > most)
			most = shape->dims[i];
	while (code < 3 && most >> (8 << code))
		code++;
	size = (size_t)1 << code;
	head[0] = (unsigned char)(shape->count << 2 | code);
	for (unsigned i = 0; i < shape->count; i++)
		memcpy(head + 1 + i * size, &shape->dims[i], size);
	return 1 + shape->count * size;
}

static int put_u32(struct buf *out, uint64_t number, struct error *err)
{
	const uint32_t word = (uint32_t)number;

	if (number > UINT32_MAX)
		return error_set(err, ERROR_LIMIT,
		    "a shard of MDS has at most 4 GiB; ask for more shards");
	return buf_append(out, &word, sizeof(word), err);
}

static int put_list(const struct mds_column *columns, unsigned count,
    const char *name, size_t member, struct buf *out, struct error *err)
{
	if (buf_printf(out, err, "\"%s\": [", name))
		return -1;
	for (unsigned i = 0; i < count; i++)
		if (buf_printf(out, err, "%s\"%s\"", i ? ", " : "",
		        (const char *)&columns[i] + member))
			return -1;
	return buf_printf(out, err, "], ");
}

int mds_put_columns(const struct mds_column *columns, unsigned count,
    struct buf *out, struct error *err)
{
	if (put_list(columns, count, "column_encodings",
	        offsetof(struct mds_column, encoding), out, err) ||
	    put_list(columns, count, "column_names",
	        offsetof(struct mds_column, name), out, err) ||
	    buf_printf(out, err, "\"column_sizes\": ["))
		return -1;
	for (unsigned i = 0; i < count; i++) {
		const struct mds_column *column = &columns[i];
		const char *comma = i ? ", " : "";

		if (column->is_fixed ? buf_printf(out, err, "%s%" PRIu32, comma,
		                           column->bytes)
		                     : buf_printf(out, err, "%snull", comma))
			return -1;
	}
	return buf_printf(out, err, "]");
}

/* The offsets, of records that begin at `offset`. */
static int put_offsets(const uint32_t *lengths, uint64_t samples,
    uint64_t offset, struct buf *out, struct error *err)
{
	if (put_u32(out, samples, err) || put_u32(out, offset, err))
		return -1;
	for (uint64_t i = 0; i < samples; i++) {
		offset += lengths ? lengths[i] : 0;
		if (put_u32(out, offset, err))
			return -1;
	}
	return 0;
}

int mds_put_front(const struct mds_column *columns, unsigned count,
    const uint32_t *lengths, uint64_t samples, struct buf *out,
    struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = -1;

	if (buf_printf(&text, err, "{") == 0 &&
	    mds_put_columns(columns, count, &text, err) == 0 &&
	    buf_printf(&text, err,
	        ", \"compression\": null, \"format\": \"mds\", "
	        "\"hashes\": [], \"size_limit\": null, \"version\": %d}",
	        MDS_VERSION) == 0 &&
	    put_offsets(lengths, samples, mds_table_bytes(samples) + text.len,
	        out, err) == 0)
		rc = buf_append(out, text.data, text.len, err);
	buf_release(&text);
	return rc;
}
