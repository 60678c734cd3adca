/* datum.c - see datum.h. */
#include "lib/formats/datum.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/formats/proto.h"

enum {
	DATUM_CHANNELS = 1,
	DATUM_HEIGHT = 2,
	DATUM_WIDTH = 3,
	DATUM_DATA = 4,
	DATUM_LABEL = 5,
	DATUM_FLOATS = 6,
	DATUM_ENCODED = 7,
};

enum { HEIGHT, WIDTH, CHANNELS }; /* dimensions of the shape */

/* Takes a dimension; one that does not fit counts as none. */
static void set_dim(struct datum *datum, unsigned dim, uint64_t value)
{
	datum->shape.dims[dim] = value <= INT32_MAX ? (int64_t)value : 0;
}

/* Adds the floats of a field to their number: 0, or -1. */
static int count_floats(const struct proto_field *field, uint64_t *floats)
{
	if (field->bytes.len % sizeof(float))
		return -1;
	*floats += field->bytes.len / sizeof(float);
	return 0;
}

/* Takes a field whose kind is that of its number: 0, or -1. */
static int take(
    struct datum *datum, const struct proto_field *field, uint64_t *floats)
{
	static const unsigned kinds[] = {
		[DATUM_CHANNELS] = PROTO_VARINT,
		[DATUM_HEIGHT] = PROTO_VARINT,
		[DATUM_WIDTH] = PROTO_VARINT,
		[DATUM_DATA] = PROTO_LEN,
		[DATUM_LABEL] = PROTO_VARINT,
		[DATUM_FLOATS] = PROTO_32,
		[DATUM_ENCODED] = PROTO_VARINT,
	};

	if (field->number < DATUM_CHANNELS || field->number > DATUM_ENCODED ||
	    (field->type != kinds[field->number] &&
	        !(field->number == DATUM_FLOATS && field->type == PROTO_LEN)))
		return -1;
	switch (field->number) {
	case DATUM_CHANNELS:
		set_dim(datum, CHANNELS, field->value);
		return 0;
	case DATUM_HEIGHT:
		set_dim(datum, HEIGHT, field->value);
		return 0;
	case DATUM_WIDTH:
		set_dim(datum, WIDTH, field->value);
		return 0;
	case DATUM_DATA:
		datum->data = field->bytes;
		return 0;
	case DATUM_LABEL:
		datum->label = (int32_t)(uint32_t)field->value;
		return 0;
	case DATUM_FLOATS:
		return count_floats(field, floats);
	default:
		datum->is_encoded = field->value != 0;
		return 0;
	}
}

/* Do so many elements fill the shape? */
static bool fills(const struct shape *shape, uint64_t elements)
{
	uint64_t plane;

	if (elements == 0 ||
	    __builtin_mul_overflow((uint64_t)shape->dims[HEIGHT],
	        (uint64_t)shape->dims[WIDTH], &plane) ||
	    __builtin_mul_overflow(
	        plane, (uint64_t)shape->dims[CHANNELS], &plane))
		return false;
	return plane == elements;
}

int datum_parse(struct span message, struct datum *datum, struct error *err)
{
	struct span rest = message;
	struct proto_field field;
	uint64_t floats = 0;
	int got;

	*datum = (struct datum){
		.message = message,
		.shape = { .count = 3 },
		.label = -1,
	};
	while ((got = proto_take_field(&rest, &field)) > 0)
		if (take(datum, &field, &floats))
			break;
	if (got)
		return error_set(
		    err, ERROR_DATA, "is no Datum: a field is wrong");
	if (datum->label < 0)
		datum->label = -1;
	if (datum->is_encoded && datum->data.len > 0 && floats == 0)
		return 0;
	if (!datum->is_encoded && (datum->data.len == 0) != (floats == 0) &&
	    fills(&datum->shape, datum->data.len + floats))
		return 0;
	return error_set(err, ERROR_DATA,
	    "is no Datum: %zu bytes and %" PRIu64 " floats for %" PRId64
	    " channels of %" PRId64 "x%" PRId64,
	    datum->data.len, floats, datum->shape.dims[CHANNELS],
	    datum->shape.dims[HEIGHT], datum->shape.dims[WIDTH]);
}

enum dtype datum_dtype(const struct datum *datum)
{
	return datum->data.len ? DTYPE_U8 : DTYPE_F32;
}

static void write_bytes(const struct datum *datum, unsigned char *out)
{
	const size_t channels = (size_t)datum->shape.dims[CHANNELS];
	const size_t plane = datum->data.len / channels;
	const unsigned char *from = datum->data.data;

	for (size_t c = 0; c < channels; c++)
		for (size_t i = 0; i < plane; i++)
			out[i * channels + c] = *from++;
}

/* Floats are packed in one field or have a field each, or any mixture. */
static void write_floats(const struct datum *datum, unsigned char *out)
{
	const size_t channels = (size_t)datum->shape.dims[CHANNELS];
	const size_t plane = (size_t)datum->shape.dims[HEIGHT] *
	                     (size_t)datum->shape.dims[WIDTH];
	struct span rest = datum->message;
	struct proto_field field;
	size_t c = 0, i = 0;

	while (proto_take_field(&rest, &field) > 0) {
		if (field.number != DATUM_FLOATS)
			continue;
		for (size_t at = 0; at < field.bytes.len; at += sizeof(float)) {
			memcpy(out + (i * channels + c) * sizeof(float),
			    field.bytes.data + at, sizeof(float));
			if (++i < plane)
				continue;
			i = 0;
			c++;
		}
	}
}

void datum_write(const struct datum *datum, unsigned char *out)
{
	if (datum->data.len)
		write_bytes(datum, out);
	else
		write_floats(datum, out);
}
