/*
 * tfrecord.c - TFRecord files of tf.train.Example (record.h, example.h).
 *
 * A sample has the features "key"; "label" if it has one; and for each field
 * NAME its bytes: encoded bytes with NAME/suffix, or little-endian elements
 * with NAME/dtype and NAME/shape. Behind a filter, the NAME of a tensor is
 * FIELD.FILTER, such as data.delta; otherwise it is FIELD.
 *
 * The checksum of a record's length is verified; that of its data is not, since
 * the shard's block was verified with a faster one.
 *
 * The elements of the first tensor begin at a multiple of 64 in their block: a
 * padding field that readers skip moves them there. Other tensors may lie
 * unaligned.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/example.h"
#include "lib/formats/name.h"
#include "lib/formats/record.h"
#include "lib/sample/key.h"
#include "lib/stores/layout.h"
#include "lib/stores/store.h"

static const char feature_key[] = "key", feature_label[] = "label";

static bool is_encoded(const struct field *field)
{
	return field->type.layout == LAYOUT_ENCODED;
}

static int tfrecord_check(const struct schema *schema, struct error *err)
{
	if (schema_find(schema, feature_key) >= 0 ||
	    schema_find(schema, feature_label) >= 0)
		return error_set(err, ERROR_USAGE,
		    "tfrecord cannot keep a field that is called 'key' or "
		    "'label'");
	return 0;
}

static void add_field(struct example *example, const struct field *field,
    const struct tensor *tensor)
{
	const struct span bytes = { .data = tensor->data,
		.len = tensor->bytes };
	char name[NAME_COLUMN], part[EXAMPLE_NAME];

	example_add_bytes(example, name_column(field, name), bytes);
	if (is_encoded(field)) {
		snprintf(part, sizeof(part), "%s/suffix", name);
		example_add_bytes(example, part, span_text(tensor->suffix));
		return;
	}
	snprintf(part, sizeof(part), "%s/dtype", name);
	example_add_bytes(example, part, span_text(dtype_name(tensor->dtype)));
	snprintf(part, sizeof(part), "%s/shape", name);
	example_add_ints(
	    example, part, tensor->shape.dims, tensor->shape.count);
}

/* Returns the padding before the message that aligns the first tensor. */
static size_t padding(const struct schema *schema,
    const struct example *example, size_t message_at)
{
	for (unsigned i = 0; i < schema->count; i++) {
		const struct field *field = &schema->fields[i];
		char name[NAME_COLUMN];
		size_t len;

		if (is_encoded(field) || dtype_bytes(field->type.dtype) == 1)
			continue;
		len = -(message_at + example_content_at(
		                         example, name_column(field, name))) %
		      TENSOR_ALIGN;
		return len == 1 ? len + TENSOR_ALIGN : len;
	}
	return 0;
}

/* Makes room for `more` bytes, growing like buf_append. */
static int make_room(struct buf *block, size_t more, struct error *err)
{
	size_t need;

	if (size_add(block->len, more, &need))
		return error_memory(err, more);
	if (need > block->cap && need < 2 * block->cap)
		need = 2 * block->cap;
	return buf_reserve(block, need, err);
}

static int tfrecord_append(const struct schema *schema,
    const struct sample *sample, struct buf *block, struct error *err)
{
	struct example example;
	unsigned char *record;
	size_t message, pad;

	example.count = 0;
	example_add_bytes(&example, feature_key, sample->key);
	if (sample->label >= 0)
		example_add_ints(&example, feature_label, &sample->label, 1);
	for (unsigned i = 0; i < schema->count; i++)
		add_field(&example, &schema->fields[i], &sample->fields[i]);
	message = example_size(&example);
	pad = padding(schema, &example, block->len + RECORD_HEAD);
	if (make_room(block, RECORD_HEAD + pad + message + RECORD_TAIL, err))
		return -1;
	record = block->data + block->len;
	if (pad)
		example_write_padding(record + RECORD_HEAD, pad);
	example_write(&example, record + RECORD_HEAD + pad);
	record_frame(record, pad + message);
	block->len += RECORD_HEAD + pad + message + RECORD_TAIL;
	return 0;
}

/* ---- reading ---- */

struct found { /* features of one field in a record */
	bool has_bytes, has_shape;
	struct span bytes, dtype, suffix;
	struct shape shape;
};

struct record_parts {
	bool has_key;
	struct span key;
	int64_t label;
	struct span label_list; /* encoded */
	struct found fields[FIELDS_MAX];
};

static bool take_text(struct span *name, const char *text)
{
	const size_t len = strlen(text);

	if (name->len < len || memcmp(name->data, text, len) != 0)
		return false;
	name->data += len;
	name->len -= len;
	return true;
}

/* Takes a name that feature_name wrote. */
static bool take_name(struct span *name, const struct field *field)
{
	if (!take_text(name, field->name))
		return false;
	return !type_is_filtered(&field->type) ||
	       (take_text(name, ".") && take_text(name, field->type.suffix));
}

/* Finds the field of a feature NAME or NAME/PART; -1 when there is none. */
static int field_of(
    const struct schema *schema, struct span name, struct span *part)
{
	for (unsigned i = 0; i < schema->count; i++) {
		*part = name;
		if (take_name(part, &schema->fields[i]) &&
		    (part->len == 0 || part->data[0] == '/'))
			return (int)i;
	}
	return -1;
}

static int take_shape(const struct example_feature *feature,
    struct found *found, struct error *err)
{
	if (example_ints(feature, found->shape.dims, SHAPE_MAX,
	        &found->shape.count, err))
		return -1;
	found->has_shape = true;
	return 0;
}

static int take_part(const struct example_feature *feature, struct span part,
    struct found *found, struct error *err)
{
	if (part.len == 0) {
		found->has_bytes = true;
		return example_bytes(feature, &found->bytes, err);
	}
	if (span_equal(part, span_text("/shape")))
		return take_shape(feature, found, err);
	if (span_equal(part, span_text("/dtype")))
		return example_bytes(feature, &found->dtype, err);
	if (span_equal(part, span_text("/suffix")))
		return example_bytes(feature, &found->suffix, err);
	return 0;
}

static int take_feature(const struct schema *schema,
    const struct example_feature *feature, struct record_parts *parts,
    struct error *err)
{
	struct span part;
	unsigned count;
	int field;

	if (span_equal(feature->name, span_text(feature_key))) {
		parts->has_key = true;
		return example_bytes(feature, &parts->key, err);
	}
	if (span_equal(feature->name, span_text(feature_label))) {
		parts->label_list = feature->list;
		parts->label = -1; /* the last list counts */
		return example_ints(feature, &parts->label, 1, &count, err);
	}
	field = field_of(schema, feature->name, &part);
	if (field < 0)
		return 0;
	return take_part(feature, part, &parts->fields[field], err);
}

static int parse(const struct schema *schema, struct span payload,
    struct record_parts *parts, struct error *err)
{
	struct example_cursor cursor = { .message = payload };
	struct example_feature feature;
	int got;

	parts->has_key = false;
	parts->label = -1;
	parts->label_list.len = 0;
	memset(parts->fields, 0, schema->count * sizeof(parts->fields[0]));
	while ((got = example_next(&cursor, &feature, err)) > 0)
		if (take_feature(schema, &feature, parts, err))
			return -1;
	if (got == 0 && !parts->has_key)
		return error_set(err, ERROR_DATA, "feature 'key' is missing");
	return got;
}

/* Do the bytes fill this shape? */
static bool is_whole(const struct found *found, enum dtype dtype)
{
	size_t bytes = dtype_bytes(dtype);

	for (unsigned i = 0; i < found->shape.count; i++)
		if (found->shape.dims[i] < 0 ||
		    size_mul(bytes, (size_t)found->shape.dims[i], &bytes))
			return false;
	return bytes == found->bytes.len;
}

static int view_tensor(const struct field *field, const struct found *found,
    struct tensor *tensor, struct error *err)
{
	const enum dtype dtype = field->type.dtype;
	char text[KEY_TEXT];

	if (!span_equal(found->dtype, span_text(dtype_name(dtype))))
		return error_set(err, ERROR_DATA, "expected %s, got dtype '%s'",
		    dtype_name(dtype), key_text(found->dtype, text));
	if (!found->has_shape || !is_whole(found, dtype))
		return error_set(err, ERROR_DATA,
		    "%zu bytes do not make its shape", found->bytes.len);
	tensor_view(tensor, dtype, &found->shape, found->bytes.data);
	return 0;
}

static int view_encoded(
    const struct found *found, struct tensor *tensor, struct error *err)
{
	char suffix[SUFFIX_MAX] = "";

	if (found->suffix.len >= SUFFIX_MAX)
		return error_set(err, ERROR_DATA,
		    "its suffix has %zu bytes, more than %d", found->suffix.len,
		    SUFFIX_MAX - 1);
	if (found->suffix.len)
		memcpy(suffix, found->suffix.data, found->suffix.len);
	tensor_view_encoded(
	    tensor, found->bytes.data, found->bytes.len, suffix);
	return 0;
}

static int view_field(const struct field *field, const struct found *found,
    struct tensor *tensor, struct error *err)
{
	int rc;

	if (!found->has_bytes)
		return error_set(
		    err, ERROR_DATA, "feature '%s' is missing", field->name);
	if (is_encoded(field))
		rc = view_encoded(found, tensor, err);
	else
		rc = view_tensor(field, found, tensor, err);
	if (rc || tensor_check(tensor, &field->type, err))
		return error_prefix(err, "field %s", field->name);
	return 0;
}

/* Adds a gap to those that are in order. */
static void add_gap(struct span *gaps, unsigned *count, struct span gap)
{
	unsigned at = *count;

	for (; at > 0 && gaps[at - 1].data > gap.data; at--)
		gaps[at] = gaps[at - 1];
	gaps[at] = gap;
	++*count;
}

/* Notes a record: all of it but its key, label, elements and last checksum. */
static void note(struct alike *alike, struct span payload,
    const struct record_parts *parts, const struct sample *sample)
{
	struct span gaps[FIELDS_MAX + 2] = { 0 };
	const unsigned char *at = payload.data - RECORD_HEAD;
	const unsigned char *end = payload.data + payload.len;
	unsigned count = 0;

	add_gap(gaps, &count, parts->key);
	for (unsigned i = 0; i < sample->count; i++)
		add_gap(gaps, &count, parts->fields[i].bytes);
	if (parts->label_list.len) {
		add_gap(gaps, &count, parts->label_list);
		alike_set_label(alike, parts->label_list);
	}
	for (unsigned i = 0; i < count; i++) {
		alike_add(alike, at, gaps[i].data);
		at = gaps[i].data + gaps[i].len;
	}
	alike_add(alike, at, end);
	alike_end(alike, (size_t)(end - alike->memory) + RECORD_TAIL, sample);
}

/* Takes the next sample if it is like the one noted. */
static bool take_alike(struct chunk *chunk, struct sample *sample)
{
	struct example_feature label = { .kind = EXAMPLE_KIND_INTS };
	struct error ignored;
	unsigned count;

	if (!alike_take(&chunk->alike, chunk->bytes, chunk->at, sample))
		return false;
	label.list = alike_label(&chunk->alike, chunk->at);
	if (label.list.len &&
	    example_ints(&label, &sample->label, 1, &count, &ignored))
		return false;
	chunk->at += chunk->alike.len;
	return true;
}

static int tfrecord_next(const struct schema *schema, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	struct record_parts parts;
	struct span payload;
	size_t next;
	int got;

	if (take_alike(chunk, sample))
		return 1;
	got = record_view(chunk->bytes, chunk->at, false, &payload, &next, err);
	if (got < 0)
		return error_prefix(err, "TFRecord at byte %zu", chunk->at);
	if (got == 0)
		return 0;
	if (parse(schema, payload, &parts, err))
		return error_prefix(err, "record at byte %zu", chunk->at);
	sample->key = parts.key;
	sample->label = parts.label;
	sample->count = schema->count;
	alike_begin(&chunk->alike, chunk->bytes.data, chunk->at);
	for (unsigned i = 0; i < schema->count; i++)
		if (view_field(&schema->fields[i], &parts.fields[i],
		        &sample->fields[i], err))
			return error_prefix(
			    err, "record at byte %zu", chunk->at);
	note(&chunk->alike, payload, &parts, sample);
	chunk->at = next;
	return 1;
}

/* The format of DALI's tfrecord2idx: offset and length of the whole record. */
static int tfrecord_idx_line(
    struct span record, uint64_t offset, struct buf *lines, struct error *err)
{
	return buf_printf(lines, err, "%" PRIu64 " %zu\n", offset, record.len);
}

const struct store_ops store_tfrecord = {
	.name = "tfrecord",
	.summary = "TFRecord files of tf.train.Example",
	.suffix = ".tfrecord",
	.layout = &layout_file,
	.check = tfrecord_check,
	.append = tfrecord_append,
	.next = tfrecord_next,
	.idx_line = tfrecord_idx_line,
};
