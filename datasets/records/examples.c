/* examples.c - see examples.h. */
#include <string.h>

#include "datasets/files/content.h"
#include "datasets/records/examples.h"
#include "lib/base/error.h"
#include "lib/formats/example.h"
#include "lib/sample/labels.h"

enum { ROOM_ALIGN = 8 };

struct found {
	struct example_feature value, shape, dtype;
	bool has_value, has_shape, has_dtype;
};

struct record {
	struct found fields[FIELDS_MAX];
	struct example_feature label, key;
	bool has_label, has_key;
};

/* Removes `part` from the end of a name, if it is there. */
static bool ends_in(struct span *name, const char *part)
{
	const size_t len = strlen(part);

	if (name->len < len ||
	    memcmp(name->data + name->len - len, part, len) != 0)
		return false;
	name->len -= len;
	return true;
}

static void note_field(
    const char *feature, const struct example_feature *it, struct found *found)
{
	const size_t len = strlen(feature);
	struct span name = it->name;

	if (name.len < len || memcmp(name.data, feature, len) != 0)
		return;
	if (name.len == len) {
		found->value = *it;
		found->has_value = true;
	} else if (ends_in(&name, "/shape") && name.len == len) {
		found->shape = *it;
		found->has_shape = true;
	} else if (ends_in(&name, "/dtype") && name.len == len) {
		found->dtype = *it;
		found->has_dtype = true;
	}
}

static int find_features(const struct examples *examples, struct span payload,
    struct record *record, struct error *err)
{
	struct example_cursor cursor = { .message = payload };
	struct example_feature it;
	int got;

	memset(record, 0, sizeof(*record));
	while ((got = example_next(&cursor, &it, err)) > 0) {
		for (unsigned f = 0; f < examples->count; f++)
			note_field(examples->fields[f].feature, &it,
			    &record->fields[f]);
		if (*examples->label &&
		    span_equal(it.name, span_text(examples->label))) {
			record->label = it;
			record->has_label = true;
		}
		if (*examples->key &&
		    span_equal(it.name, span_text(examples->key))) {
			record->key = it;
			record->has_key = true;
		}
	}
	return got;
}

/* ---- values ---- */

static int missing(const char *feature, struct error *err)
{
	return error_set(err, ERROR_DATA, "feature '%s' is missing", feature);
}

static int view_tensor(
    const struct found *found, struct tensor *tensor, struct error *err)
{
	struct type type = { .dtype = DTYPE_U8 };
	struct span bytes, dtype;
	char word[16] = "";

	if (!found->has_shape || !found->has_dtype)
		return error_set(
		    err, ERROR_DATA, "its /dtype or /shape is missing");
	if (example_bytes(&found->value, &bytes, err) ||
	    example_bytes(&found->dtype, &dtype, err) ||
	    example_ints(&found->shape, type.shape.dims, SHAPE_MAX,
	        &type.shape.count, err))
		return -1;
	if (dtype.len < sizeof(word))
		memcpy(word, dtype.data, dtype.len);
	if (dtype_parse(word, &type.dtype))
		return error_set(
		    err, ERROR_DATA, "its dtype '%s' is not known", word);
	if (type_bytes(&type) != (int64_t)bytes.len)
		return error_set(err, ERROR_DATA,
		    "%zu bytes do not make its shape", bytes.len);
	tensor_view(tensor, type.dtype, &type.shape, bytes.data);
	return 0;
}

static int view_numbers(const struct example_feature *feature,
    enum feature_form form, struct buf *room, struct tensor *tensor,
    struct error *err)
{
	const enum dtype dtype = form == FEATURE_INTS ? DTYPE_I64 : DTYPE_F32;
	struct shape shape = { .count = 1 };
	struct span values;

	room->len = (room->len + ROOM_ALIGN - 1) & ~(size_t)(ROOM_ALIGN - 1);
	values.data = room->data + room->len;
	values.len = room->len;
	if (form == FEATURE_FLOATS
	        ? example_all_floats(feature, room, &values, err)
	        : example_all_ints(feature, room, err))
		return -1;
	if (form == FEATURE_INTS)
		values.len = room->len - values.len;
	shape.dims[0] = (int64_t)(values.len / dtype_bytes(dtype));
	tensor_view(tensor, dtype, &shape, values.data);
	return 0;
}

static int view_field(const struct found *found, enum feature_form form,
    const struct type *type, struct buf *room, struct tensor *tensor,
    struct error *err)
{
	struct span bytes;

	switch (form) {
	case FEATURE_BYTES:
		if (example_bytes(&found->value, &bytes, err))
			return -1;
		return content_view(bytes, "", type, tensor, err);
	case FEATURE_TENSOR:
		if (view_tensor(found, tensor, err))
			return -1;
		break;
	case FEATURE_FLOATS:
	case FEATURE_INTS:
		if (view_numbers(&found->value, form, room, tensor, err))
			return -1;
		break;
	}
	return tensor_check(tensor, type, err);
}

/* Takes a whole number, or a text that is one. */
static int take_label(
    const struct example_feature *feature, int64_t *label, struct error *err)
{
	struct span text;
	unsigned count = 0;

	if (feature->kind == EXAMPLE_KIND_INTS &&
	    example_ints(feature, label, 1, &count, err) == 0 && count == 1)
		return 0;
	if (feature->kind == EXAMPLE_KIND_BYTES &&
	    example_bytes(feature, &text, err) == 0 &&
	    label_parse(text, label) == 0)
		return 0;
	return error_set(err, ERROR_DATA,
	    "feature '%.*s' is not one whole number: give 'label = FEATURE', "
	    "or 'label = none'",
	    (int)(feature->name.len < FEATURE_MAX ? feature->name.len
	                                          : FEATURE_MAX),
	    (const char *)feature->name.data);
}

static int take_key(const struct record *record, const char *feature,
    struct span *key, struct error *err)
{
	if (!record->has_key)
		return missing(feature, err);
	if (example_bytes(&record->key, key, err))
		return -1;
	if (key->len > 0 && key->len <= KEY_MAX)
		return 0;
	return error_set(err, ERROR_DATA,
	    "feature '%s' has %zu bytes, and a key has 1 to %d", feature,
	    key->len, KEY_MAX);
}

size_t examples_room(
    const struct examples *examples, uint64_t samples, size_t bytes)
{
	size_t room = 0;

	/* An integer has at least one byte, and becomes eight. */
	for (unsigned f = 0; f < examples->count; f++) {
		if (examples->fields[f].form == FEATURE_INTS)
			room += bytes * sizeof(int64_t);
		else if (examples->fields[f].form == FEATURE_FLOATS)
			room += bytes;
	}
	return room ? room + (size_t)samples * examples->count * ROOM_ALIGN : 0;
}

int examples_view(const struct examples *examples, const struct schema *schema,
    struct span payload, struct buf *room, struct sample *sample,
    struct error *err)
{
	struct record record;

	if (find_features(examples, payload, &record, err))
		return -1;
	sample->label = -1;
	sample->count = schema->count;
	if (*examples->key &&
	    take_key(&record, examples->key, &sample->key, err))
		return -1;
	if (record.has_label) {
		if (take_label(&record.label, &sample->label, err))
			return -1;
	} else if (examples->is_label_wanted) {
		return missing(examples->label, err);
	}
	if (sample->label < 0)
		sample->label = -1;
	for (unsigned f = 0; f < schema->count; f++) {
		const char *feature = examples->fields[f].feature;

		if (!record.fields[f].has_value)
			return missing(feature, err);
		if (view_field(&record.fields[f], examples->fields[f].form,
		        &schema->fields[f].type, room, &sample->fields[f], err))
			return error_prefix(err, "feature '%s'", feature);
	}
	return 0;
}
