/* example_read.c - see example.h: reading. Unknown fields are skipped. */
#include <string.h>

#include "lib/base/error.h"
#include "lib/formats/example.h"
#include "lib/formats/proto.h"

static int damaged(struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "damaged tf.train.Example: a length or tag is wrong");
}

/* Parses a Feature. Its last list counts, as in every parser. */
static int parse_value(struct span message, struct example_feature *feature)
{
	struct proto_field field;
	int got;

	while ((got = proto_take_field(&message, &field)) > 0) {
		if (field.type != PROTO_LEN ||
		    field.number < EXAMPLE_KIND_BYTES ||
		    field.number > EXAMPLE_KIND_INTS)
			continue;
		feature->kind = (enum example_kind)field.number;
		feature->list = field.bytes;
	}
	return got;
}

/* Parses an entry of the map: field 1 is the name, 2 the Feature. */
static int parse_entry(struct span message, struct example_feature *feature)
{
	struct proto_field field;
	int got;

	*feature = (struct example_feature){ .name = span_text("") };
	while ((got = proto_take_field(&message, &field)) > 0) {
		if (field.type != PROTO_LEN)
			continue;
		if (field.number == 1)
			feature->name = field.bytes;
		else if (field.number == 2 && parse_value(field.bytes, feature))
			return -1;
	}
	return got;
}

int example_next(struct example_cursor *cursor, struct example_feature *feature,
    struct error *err)
{
	struct proto_field field;
	int got;

	for (;;) {
		while (
		    (got = proto_take_field(&cursor->features, &field)) > 0) {
			if (field.number != 1 || field.type != PROTO_LEN)
				continue;
			return parse_entry(field.bytes, feature) ? damaged(err)
			                                         : 1;
		}
		if (got < 0)
			return damaged(err);
		got = proto_take_field(&cursor->message, &field);
		if (got <= 0)
			return got ? damaged(err) : 0;
		if (field.number == 1 && field.type == PROTO_LEN)
			cursor->features = field.bytes;
	}
}

static int wrong(
    const struct example_feature *feature, const char *what, struct error *err)
{
	return error_set(err, ERROR_DATA, "feature '%.*s' is not %s",
	    (int)(feature->name.len < EXAMPLE_NAME ? feature->name.len
	                                           : EXAMPLE_NAME),
	    (const char *)feature->name.data, what);
}

int example_bytes(const struct example_feature *feature, struct span *value,
    struct error *err)
{
	struct span list = feature->list;
	struct proto_field field;
	unsigned count = 0;
	int got;

	while ((got = proto_take_field(&list, &field)) > 0) {
		if (field.number != 1 || field.type != PROTO_LEN)
			continue;
		*value = field.bytes;
		count++;
	}
	if (got < 0)
		return damaged(err);
	if (feature->kind != EXAMPLE_KIND_BYTES || count != 1)
		return wrong(feature, "one run of bytes", err);
	return 0;
}

/* Adds a value if there is room; *count tells the caller if there was not. */
static void add_int(
    int64_t *values, unsigned most, unsigned *count, uint64_t value)
{
	if (*count < most)
		values[*count] = (int64_t)value;
	if (*count <= most)
		(*count)++;
}

int example_ints(const struct example_feature *feature, int64_t *values,
    unsigned most, unsigned *count, struct error *err)
{
	struct span list = feature->list;
	struct proto_field field;
	uint64_t value;
	int got;

	*count = 0;
	while ((got = proto_take_field(&list, &field)) > 0) {
		if (field.number != 1)
			continue;
		if (field.type == PROTO_VARINT)
			add_int(values, most, count, field.value);
		while (field.type == PROTO_LEN && field.bytes.len > 0) {
			if (proto_take_varint(&field.bytes, &value))
				return damaged(err);
			add_int(values, most, count, value);
		}
	}
	if (got < 0)
		return damaged(err);
	if (feature->kind != EXAMPLE_KIND_INTS || *count > most)
		return wrong(feature, "a short list of integers", err);
	return 0;
}

int example_all_ints(
    const struct example_feature *feature, struct buf *out, struct error *err)
{
	struct span list = feature->list;
	struct proto_field field;
	int got;

	if (feature->kind != EXAMPLE_KIND_INTS)
		return wrong(feature, "a list of integers", err);
	while ((got = proto_take_field(&list, &field)) > 0) {
		if (field.number != 1)
			continue;
		if (field.type == PROTO_VARINT &&
		    buf_append(out, &field.value, sizeof(field.value), err))
			return -1;
		while (field.type == PROTO_LEN && field.bytes.len > 0) {
			uint64_t value;

			if (proto_take_varint(&field.bytes, &value))
				return damaged(err);
			if (buf_append(out, &value, sizeof(value), err))
				return -1;
		}
	}
	return got < 0 ? damaged(err) : 0;
}

/* Takes the next run of floats in a list: 1, 0 at its end, or -1. */
static int take_floats(struct span *list, struct span *piece)
{
	struct proto_field field;
	int got;

	while ((got = proto_take_field(list, &field)) > 0) {
		if (field.number != 1 ||
		    (field.type != PROTO_32 && field.type != PROTO_LEN))
			continue;
		*piece = field.bytes;
		return piece->len % sizeof(float) ? -1 : 1;
	}
	return got;
}

int example_all_floats(const struct example_feature *feature, struct buf *out,
    struct span *values, struct error *err)
{
	struct span list = feature->list, piece = { .len = 0 };
	const size_t start = out->len;
	unsigned pieces = 0;
	int got;

	if (feature->kind != EXAMPLE_KIND_FLOATS)
		return wrong(feature, "a list of floats", err);
	*values = piece;
	while ((got = take_floats(&list, &piece)) > 0) {
		if (pieces++ == 0) {
			*values = piece;
			continue;
		}
		if (pieces == 2 &&
		    buf_append(out, values->data, values->len, err))
			return -1;
		if (buf_append(out, piece.data, piece.len, err))
			return -1;
	}
	if (got < 0)
		return damaged(err);
	if (pieces > 1) {
		values->data = out->data + start;
		values->len = out->len - start;
	}
	return 0;
}
