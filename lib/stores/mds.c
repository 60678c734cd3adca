/*
 * mds.c - MDS, the format of MosaicML Streaming (lib/formats/mds.h).
 *
 * A sample has the columns `key`, `label` (-1: none), and for each field NAME
 * its bytes and, if these are encoded, NAME.suffix. Images are bytes, not
 * `jpeg`: what readers get are the files, as from every other store. Tensors
 * are `ndarray` columns, and scalars numbers. Behind a filter, the NAME of a
 * tensor is FIELD.FILTER and its column is of bytes, so that no other reader
 * takes it for an array. Keys are text, see name_put_text.
 *
 * The columns of a chunk's samples are in its parts, after the block.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/mds.h"
#include "lib/formats/name.h"
#include "lib/sample/key.h"
#include "lib/stores/layout.h"
#include "lib/stores/store.h"

enum {
	COLUMNS_MOST = 2 * FIELDS_MAX + 2,
	COLUMN_NAME = NAME_COLUMN + 8, /* with ".suffix" */
};

static const char name_of_key[] = "key", name_of_label[] = "label";

enum role { ROLE_KEY, ROLE_LABEL, ROLE_BYTES, ROLE_SUFFIX };

struct column {
	char name[COLUMN_NAME];
	enum role role;
	unsigned field;
	bool is_fixed;
	uint32_t bytes; /* size of each value, if fixed */
};

static bool is_encoded(const struct type *type)
{
	return type->layout == LAYOUT_ENCODED;
}

static int mds_check(const struct schema *schema, struct error *err)
{
	if (schema_find(schema, name_of_key) < 0 &&
	    schema_find(schema, name_of_label) < 0)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "mds cannot keep a field that is called 'key' or 'label'");
}

/* ---- columns ---- */

/* Sets the bytes of each value, if the type tells them. */
static void set_size(struct column *column, const struct type *type)
{
	const int64_t bytes = type_bytes(type);

	column->is_fixed = !is_encoded(type) && !type_is_filtered(type) &&
	                   bytes > 0 && bytes <= UINT32_MAX;
	column->bytes = column->is_fixed ? (uint32_t)bytes : 0;
}

/* Adds a column at its place in the order of the names. */
static unsigned insert(struct column columns[COLUMNS_MOST], unsigned count,
    const struct column *column)
{
	unsigned at = count;

	for (; at > 0 && strcmp(columns[at - 1].name, column->name) > 0; at--)
		columns[at] = columns[at - 1];
	columns[at] = *column;
	return count + 1;
}

/* Lists the columns of a schema, sorted by name. Returns their number. */
static unsigned list_columns(
    const struct schema *schema, struct column columns[COLUMNS_MOST])
{
	struct column column = { .role = ROLE_KEY };
	unsigned count = 0;

	memcpy(column.name, name_of_key, sizeof(name_of_key));
	count = insert(columns, count, &column);
	column = (struct column){ .role = ROLE_LABEL, .is_fixed = true };
	column.bytes = sizeof(int64_t);
	memcpy(column.name, name_of_label, sizeof(name_of_label));
	count = insert(columns, count, &column);
	for (unsigned f = 0; f < schema->count; f++) {
		const struct field *field = &schema->fields[f];

		column = (struct column){ .role = ROLE_BYTES, .field = f };
		name_column(field, column.name);
		set_size(&column, &field->type);
		count = insert(columns, count, &column);
		if (!is_encoded(&field->type))
			continue;
		column = (struct column){ .role = ROLE_SUFFIX, .field = f };
		snprintf(
		    column.name, sizeof(column.name), "%s.suffix", field->name);
		count = insert(columns, count, &column);
	}
	return count;
}

/* Writes "ndarray:uint8:64,64,3", "ndarray:float32" or "int64". */
static void put_tensor(
    const struct type *type, bool is_fixed, char encoding[MDS_ENCODING])
{
	size_t len;

	if (type->shape.count == 0) {
		snprintf(encoding, MDS_ENCODING, "%s", dtype_name(type->dtype));
		return;
	}
	len = (size_t)snprintf(
	    encoding, MDS_ENCODING, "ndarray:%s", dtype_name(type->dtype));
	for (unsigned i = 0; is_fixed && i < type->shape.count; i++)
		len += (size_t)snprintf(encoding + len, MDS_ENCODING - len,
		    "%c%" PRId64, i ? ',' : ':', type->shape.dims[i]);
}

static const char *put_encoding(const struct schema *schema,
    const struct column *column, char encoding[MDS_ENCODING])
{
	const struct type *type = &schema->fields[column->field].type;

	if (column->role == ROLE_KEY || column->role == ROLE_SUFFIX)
		return "str";
	if (column->role == ROLE_LABEL)
		return "int";
	if (is_encoded(type) || type_is_filtered(type))
		return "bytes";
	put_tensor(type, column->is_fixed, encoding);
	return encoding;
}

/* Describes the columns for other readers. Returns their number, or 0. */
static unsigned describe(const struct schema *schema,
    struct mds_column described[COLUMNS_MOST], struct error *err)
{
	struct column columns[COLUMNS_MOST];
	const unsigned count = list_columns(schema, columns);
	char encoding[MDS_ENCODING];

	for (unsigned i = 0; i < count; i++)
		if (mds_column_set(&described[i], columns[i].name,
		        put_encoding(schema, &columns[i], encoding), err))
			return 0;
	return count;
}

/* ---- writing ---- */

/* The parts of one value. */
struct value {
	struct span head, data;
};

static void set_value(const struct schema *schema, const struct column *column,
    const struct sample *sample, struct span key,
    unsigned char head[MDS_ARRAY_HEAD], struct value *value)
{
	const struct tensor *tensor = &sample->fields[column->field];
	const struct type *type = &schema->fields[column->field].type;

	value->head = (struct span){ .data = head };
	switch (column->role) {
	case ROLE_KEY:
		value->data = key;
		break;
	case ROLE_LABEL:
		value->data.data = (const unsigned char *)&sample->label;
		value->data.len = sizeof(sample->label);
		break;
	case ROLE_SUFFIX:
		value->data = span_text(tensor->suffix);
		break;
	case ROLE_BYTES:
		value->data.data = tensor->data;
		value->data.len = tensor->bytes;
		if (!is_encoded(type) && !column->is_fixed)
			value->head.len = mds_array_head(&tensor->shape, head);
		break;
	}
}

static int check_size(const struct value *value, struct error *err)
{
	if (value->data.len <= UINT32_MAX - MDS_ARRAY_HEAD)
		return 0;
	return error_set(err, ERROR_LIMIT,
	    "a value of %zu bytes is too large for mds, which takes 4 GiB",
	    value->data.len);
}

static int append_values(const struct schema *schema,
    const struct sample *sample, struct span key, struct buf *block,
    struct error *err)
{
	struct column columns[COLUMNS_MOST];
	struct value values[COLUMNS_MOST];
	unsigned char heads[COLUMNS_MOST][MDS_ARRAY_HEAD];
	const unsigned count = list_columns(schema, columns);

	for (unsigned i = 0; i < count; i++) {
		uint32_t size;

		set_value(
		    schema, &columns[i], sample, key, heads[i], &values[i]);
		if (check_size(&values[i], err))
			return -1;
		size = (uint32_t)(values[i].head.len + values[i].data.len);
		if (!columns[i].is_fixed &&
		    buf_append(block, &size, sizeof(size), err))
			return -1;
	}
	for (unsigned i = 0; i < count; i++)
		if (buf_append(
		        block, values[i].head.data, values[i].head.len, err) ||
		    buf_append(
		        block, values[i].data.data, values[i].data.len, err))
			return -1;
	return 0;
}

static int mds_append(const struct schema *schema, const struct sample *sample,
    struct buf *block, struct error *err)
{
	struct buf key = BUF_INIT;
	int rc = -1;

	if (sample->key.len > KEY_MAX)
		return error_set(err, ERROR_DATA,
		    "the key has %zu bytes, more than %d", sample->key.len,
		    KEY_MAX);
	if (name_put_text(sample->key, &key, err) == 0)
		rc = append_values(schema, sample, buf_span(&key), block, err);
	buf_release(&key);
	return rc;
}

static int mds_front(const struct store_form *form, const uint32_t *lengths,
    uint64_t samples, struct buf *out, struct error *err)
{
	struct mds_column columns[COLUMNS_MOST];
	const unsigned count = describe(&form->schema, columns, err);

	if (count == 0)
		return -1;
	return mds_put_front(columns, count, lengths, samples, out, err);
}

/* ---- index.json ---- */

static int mds_list_begin(struct buf *text, struct error *err)
{
	return buf_printf(text, err, "{\"shards\": [");
}

static int put_data(const char *name, const char *file, size_t len,
    uint64_t bytes, struct buf *text, struct error *err)
{
	return buf_printf(text, err,
	    "\"%s\": {\"basename\": \"%.*s\", \"bytes\": %" PRIu64
	    ", \"hashes\": {}}, ",
	    name, (int)len, file, bytes);
}

/* A compressed shard has a second name: the one that readers unpack it to. */
static int put_files(const struct store_form *form,
    const struct store_listed *shard, uint64_t front, struct buf *text,
    struct error *err)
{
	const struct codec_ops *codec = form->codec.ops;
	const char *file = shard->file;
	const size_t len = strlen(file) - strlen(codec->suffix);

	if (!codec->encode)
		return put_data(
		           "raw_data", file, len, shard->stored, text, err) ||
		       buf_printf(text, err,
		           "\"compression\": null, \"zip_data\": null");
	return put_data(
	           "raw_data", file, len, front + shard->unpacked, text, err) ||
	       put_data(
	           "zip_data", file, strlen(file), shard->stored, text, err) ||
	       buf_printf(text, err, "\"compression\": \"%s:%d\"", codec->name,
	           form->codec.level);
}

static int mds_list_add(const struct store_form *form,
    const struct store_listed *shard, struct buf *text, struct error *err)
{
	struct mds_column columns[COLUMNS_MOST];
	const unsigned count = describe(&form->schema, columns, err);
	struct buf front = BUF_INIT;
	int rc = -1;

	if (count > 0 &&
	    mds_put_front(columns, count, NULL, shard->samples, &front, err) ==
	        0 &&
	    buf_printf(text, err, "%s\n{", shard->number ? "," : "") == 0 &&
	    mds_put_columns(columns, count, text, err) == 0 &&
	    buf_printf(text, err,
	        ", \"format\": \"mds\", \"hashes\": [], \"samples\": %" PRIu64
	        ", \"size_limit\": null, \"version\": %d, ",
	        shard->samples, MDS_VERSION) == 0 &&
	    put_files(form, shard, front.len, text, err) == 0)
		rc = buf_printf(text, err, "}");
	buf_release(&front);
	return rc;
}

static int mds_list_end(struct buf *text, struct error *err)
{
	return buf_printf(text, err, "\n], \"version\": %d}\n", MDS_VERSION);
}

static const struct store_list mds_list = {
	.name = MDS_INDEX_NAME,
	.is_packed = true,
	.begin = mds_list_begin,
	.add = mds_list_add,
	.end = mds_list_end,
};

/* ---- reading ---- */

enum { VARIABLE = -1, FIELD_BITS = 8 };

/* Puts the columns into the chunk's parts. */
static int note_columns(
    const struct schema *schema, struct chunk *chunk, struct error *err)
{
	struct column columns[COLUMNS_MOST];
	const unsigned count = list_columns(schema, columns);

	if (chunk->part_count == 0 && chunk_add_part(chunk, 0, 0, 0, err))
		return -1;
	for (unsigned i = 0; i < count; i++) {
		const struct column *column = &columns[i];
		const size_t what =
		    (size_t)column->role << FIELD_BITS | column->field;
		const size_t bytes =
		    column->is_fixed ? column->bytes : SIZE_MAX;

		if (chunk_add_part(chunk, what, bytes, 0, err))
			return -1;
	}
	return 0;
}

static int view_bytes(const struct field *field, struct span value,
    bool is_fixed, struct tensor *tensor, struct error *err)
{
	const struct mds_column column = {
		.kind = MDS_ARRAY,
		.has_dtype = true,
		.has_shape = is_fixed,
		.type = field->type,
	};
	struct mds_column open = column;

	if (is_encoded(&field->type)) {
		tensor_view_encoded(tensor, value.data, value.len, "");
		return 0;
	}
	if (!is_fixed)
		open.type.shape.count = 0;
	snprintf(open.name, sizeof(open.name), "%s", field->name);
	snprintf(open.encoding, sizeof(open.encoding), "ndarray:%s",
	    dtype_name(field->type.dtype));
	return mds_view(&open, value, tensor, err);
}

static int set_suffix(
    struct tensor *tensor, struct span value, struct error *err)
{
	if (value.len >= SUFFIX_MAX)
		return error_set(err, ERROR_DATA,
		    "its suffix has %zu bytes, more than %d", value.len,
		    SUFFIX_MAX - 1);
	memcpy(tensor->suffix, value.data, value.len);
	tensor->suffix[value.len] = '\0';
	return 0;
}

/* Takes a value. NAME comes before NAME.suffix, as the names are sorted. */
static int take_value(const struct schema *schema,
    const struct chunk_part *part, struct span value, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const unsigned f = part->offset & ((1U << FIELD_BITS) - 1);
	struct tensor *tensor = &sample->fields[f];
	int rc = 0;

	switch ((enum role)(part->offset >> FIELD_BITS)) {
	case ROLE_KEY:
		sample->key = name_key(chunk, value);
		return 0;
	case ROLE_LABEL:
		memcpy(&sample->label, value.data, sizeof(sample->label));
		if (sample->label < 0)
			sample->label = -1;
		return 0;
	case ROLE_SUFFIX:
		rc = set_suffix(tensor, value, err);
		break;
	case ROLE_BYTES:
		rc = view_bytes(&schema->fields[f], value,
		    part->len != SIZE_MAX, tensor, err);
		if (rc == 0)
			rc = tensor_check(tensor, &schema->fields[f].type, err);
		break;
	}
	return rc ? error_prefix(err, "field %s", schema->fields[f].name) : 0;
}

static int too_short(const struct chunk *chunk, struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "the record at byte %zu of the block is longer than the block",
	    chunk->at);
}

/* Takes the bytes of each value from the start of a record. */
static int take_sizes(
    struct chunk *chunk, size_t *at, size_t *sizes, struct error *err)
{
	const struct span bytes = chunk->bytes;

	for (size_t i = 1; i < chunk->part_count; i++) {
		uint32_t size;

		sizes[i] = chunk->parts[i].len;
		if (sizes[i] != SIZE_MAX)
			continue;
		if (bytes.len - *at < sizeof(size))
			return too_short(chunk, err);
		memcpy(&size, bytes.data + *at, sizeof(size));
		*at += sizeof(size);
		sizes[i] = size;
	}
	return 0;
}

static int mds_next(const struct schema *schema, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	size_t at = chunk->at, sizes[COLUMNS_MOST + 1];

	if (at == chunk->bytes.len)
		return 0;
	if (chunk->part_count <= 1 && note_columns(schema, chunk, err))
		return -1;
	sample->count = schema->count;
	if (take_sizes(chunk, &at, sizes, err))
		return -1;
	for (size_t i = 1; i < chunk->part_count; i++) {
		const struct span value = { chunk->bytes.data + at, sizes[i] };

		if (chunk->bytes.len - at < sizes[i])
			return too_short(chunk, err);
		if (take_value(
		        schema, &chunk->parts[i], value, chunk, sample, err))
			return error_prefix(
			    err, "record at byte %zu", chunk->at);
		at += sizes[i];
	}
	chunk->at = at;
	return 1;
}

/* Readers of MDS unpack zstd; they do not know zlib and lz4. */
static bool mds_takes(const struct codec_ops *codec)
{
	return !codec->encode || strcmp(codec->name, "zstd") == 0;
}

const struct store_ops store_mds = {
	.name = "mds",
	.summary = "MDS, the shards of MosaicML Streaming",
	.suffix = ".mds",
	.layout = &layout_file,
	.check = mds_check,
	.takes = mds_takes,
	.compressions = "none or zstd",
	.append = mds_append,
	.front = mds_front,
	.next = mds_next,
	.list = &mds_list,
};
