/*
 * example_read.c - see example.h: reading.
 *
 * Every length is checked against the rest of the enclosing message. Unknown
 * fields are skipped; groups, which nobody writes any more, are refused.
 */
#include <string.h>

#include "lib/base/error.h"
#include "lib/formats/example.h"

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LEN = 2, WIRE_32 = 5 };

static int damaged(struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "damaged tf.train.Example: a length or tag is wrong");
}

static int take_varint(struct span *from, uint64_t *value)
{
	/* Most numbers have one byte. */
	if (from->len > 0 && *from->data < 128) {
		*value = *from->data++;
		from->len--;
		return 0;
	}
	*value = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		unsigned char c;

		if (from->len == 0)
			return -1;
		c = *from->data++;
		from->len--;
		*value |= (uint64_t)(c & 127) << shift;
		if (c < 128)
			return 0;
	}
	return -1;
}

static int take_bytes(struct span *from, uint64_t len, struct span *bytes)
{
	if (len > from->len)
		return -1;
	bytes->data = from->data;
	bytes->len = (size_t)len;
	from->data += len;
	from->len -= (size_t)len;
	return 0;
}

struct wire {
	uint64_t field;
	unsigned type;
	uint64_t number;   /* value of a WIRE_VARINT */
	struct span bytes; /* value of the other types */
};

/* The same for any field. */
static int take_any_field(struct span *message, struct wire *wire)
{
	uint64_t tag, len;

	if (take_varint(message, &tag))
		return -1;
	wire->field = tag >> 3;
	wire->type = tag & 7;
	switch (wire->type) {
	case WIRE_VARINT:
		return take_varint(message, &wire->number) ? -1 : 1;
	case WIRE_LEN:
		if (take_varint(message, &len))
			return -1;
		break;
	case WIRE_64:
		len = 8;
		break;
	case WIRE_32:
		len = 4;
		break;
	default:
		return -1;
	}
	return take_bytes(message, len, &wire->bytes) ? -1 : 1;
}

/* Takes the next field of a message: 1, 0 at its end, or -1. */
static inline int take_field(struct span *message, struct wire *wire)
{
	const unsigned char *at = message->data;
	size_t len;

	if (message->len == 0)
		return 0;
	/* Most are a few bytes behind a tag and a length of a byte each. */
	if (message->len < 2 || (at[0] | at[1]) >= 128 ||
	    (at[0] & 7) != WIRE_LEN || at[1] > message->len - 2)
		return take_any_field(message, wire);
	len = at[1];
	wire->field = at[0] >> 3;
	wire->type = WIRE_LEN;
	wire->bytes = (struct span){ at + 2, len };
	message->data += 2 + len;
	message->len -= 2 + len;
	return 1;
}

/* Parses a Feature. Its last list counts, as in every parser. */
static int parse_value(struct span message, struct example_feature *feature)
{
	struct wire wire;
	int got;

	while ((got = take_field(&message, &wire)) > 0) {
		if (wire.type != WIRE_LEN || wire.field < EXAMPLE_KIND_BYTES ||
		    wire.field > EXAMPLE_KIND_INTS)
			continue;
		feature->kind = (enum example_kind)wire.field;
		feature->list = wire.bytes;
	}
	return got;
}

/* Parses an entry of the map: field 1 is the name, 2 the Feature. */
static int parse_entry(struct span message, struct example_feature *feature)
{
	struct wire wire;
	int got;

	*feature = (struct example_feature){ .name = span_text("") };
	while ((got = take_field(&message, &wire)) > 0) {
		if (wire.type != WIRE_LEN)
			continue;
		if (wire.field == 1)
			feature->name = wire.bytes;
		else if (wire.field == 2 && parse_value(wire.bytes, feature))
			return -1;
	}
	return got;
}

int example_next(struct example_cursor *cursor, struct example_feature *feature,
    struct error *err)
{
	struct wire wire;
	int got;

	for (;;) {
		while ((got = take_field(&cursor->features, &wire)) > 0) {
			if (wire.field != 1 || wire.type != WIRE_LEN)
				continue;
			return parse_entry(wire.bytes, feature) ? damaged(err)
			                                        : 1;
		}
		if (got < 0)
			return damaged(err);
		got = take_field(&cursor->message, &wire);
		if (got <= 0)
			return got ? damaged(err) : 0;
		if (wire.field == 1 && wire.type == WIRE_LEN)
			cursor->features = wire.bytes;
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
	struct wire wire;
	unsigned count = 0;
	int got;

	while ((got = take_field(&list, &wire)) > 0) {
		if (wire.field != 1 || wire.type != WIRE_LEN)
			continue;
		*value = wire.bytes;
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
	struct wire wire;
	uint64_t value;
	int got;

	*count = 0;
	while ((got = take_field(&list, &wire)) > 0) {
		if (wire.field != 1)
			continue;
		if (wire.type == WIRE_VARINT)
			add_int(values, most, count, wire.number);
		while (wire.type == WIRE_LEN && wire.bytes.len > 0) {
			if (take_varint(&wire.bytes, &value))
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
	struct wire wire;
	int got;

	if (feature->kind != EXAMPLE_KIND_INTS)
		return wrong(feature, "a list of integers", err);
	while ((got = take_field(&list, &wire)) > 0) {
		if (wire.field != 1)
			continue;
		if (wire.type == WIRE_VARINT &&
		    buf_append(out, &wire.number, sizeof(wire.number), err))
			return -1;
		while (wire.type == WIRE_LEN && wire.bytes.len > 0) {
			uint64_t value;

			if (take_varint(&wire.bytes, &value))
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
	struct wire wire;
	int got;

	while ((got = take_field(list, &wire)) > 0) {
		if (wire.field != 1 ||
		    (wire.type != WIRE_32 && wire.type != WIRE_LEN))
			continue;
		*piece = wire.bytes;
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
