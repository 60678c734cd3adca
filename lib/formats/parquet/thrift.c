/* thrift.c - see thrift.h. */
#include "lib/formats/parquet/thrift.h"

#include <string.h>

#include "lib/base/error.h"

enum { DEPTH_MAX = 24, VARINT_BITS = 63 };

/* ---- reading ---- */

static void fail(struct thrift_reader *reader)
{
	reader->failed = true;
	reader->left.len = 0;
}

static unsigned take_byte(struct thrift_reader *reader)
{
	if (reader->left.len == 0) {
		fail(reader);
		return 0;
	}
	reader->left.len--;
	return *reader->left.data++;
}

static uint64_t take_varint(struct thrift_reader *reader)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift <= VARINT_BITS; shift += 7) {
		const unsigned byte = take_byte(reader);

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	fail(reader);
	return 0;
}

static int64_t take_zigzag(struct thrift_reader *reader)
{
	const uint64_t value = take_varint(reader);

	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

bool thrift_next(struct thrift_reader *reader, struct thrift_field *field)
{
	const unsigned head = take_byte(reader);
	int64_t id;

	field->type = (enum thrift_type)(head & 15);
	if (reader->failed || field->type == THRIFT_STOP)
		return false;
	id = head >> 4 ? field->id + (int64_t)(head >> 4) : take_zigzag(reader);
	if (id < INT16_MIN || id > INT16_MAX)
		fail(reader);
	field->id = (int)id;
	return !reader->failed;
}

static void drop(struct thrift_reader *reader, uint64_t bytes)
{
	if (bytes > reader->left.len) {
		fail(reader);
		return;
	}
	reader->left.data += bytes;
	reader->left.len -= (size_t)bytes;
}

/* Takes the type and the number of a list's items, each of 1 byte or more. */
static uint32_t take_list(struct thrift_reader *reader, enum thrift_type *type)
{
	const unsigned head = take_byte(reader);
	const uint64_t count =
	    head >> 4 == 15 ? take_varint(reader) : head >> 4;

	*type = (enum thrift_type)(head & 15);
	if (count > reader->left.len) {
		fail(reader);
		return 0;
	}
	return (uint32_t)count;
}

static void skip(
    struct thrift_reader *reader, enum thrift_type type, unsigned depth);

static void skip_struct(struct thrift_reader *reader, unsigned depth)
{
	struct thrift_field field = { .id = 0 };

	while (thrift_next(reader, &field))
		skip(reader, field.type, depth);
}

/* Flags in lists have a byte each; as fields they have none. */
static void skip_item(
    struct thrift_reader *reader, enum thrift_type type, unsigned depth)
{
	if (type == THRIFT_TRUE || type == THRIFT_FALSE)
		drop(reader, 1);
	else
		skip(reader, type, depth);
}

static void skip_list(struct thrift_reader *reader, unsigned depth)
{
	enum thrift_type type;
	const uint32_t count = take_list(reader, &type);

	for (uint32_t i = 0; i < count && !reader->failed; i++)
		skip_item(reader, type, depth);
}

static void skip_map(struct thrift_reader *reader, unsigned depth)
{
	const uint64_t count = take_varint(reader);
	const unsigned types = count ? take_byte(reader) : 0;

	for (uint64_t i = 0; i < count && !reader->failed; i++) {
		skip_item(reader, (enum thrift_type)(types >> 4), depth);
		skip_item(reader, (enum thrift_type)(types & 15), depth);
	}
}

static void skip(
    struct thrift_reader *reader, enum thrift_type type, unsigned depth)
{
	if (depth == DEPTH_MAX) {
		fail(reader);
		return;
	}
	switch (type) {
	case THRIFT_TRUE:
	case THRIFT_FALSE:
		break;
	case THRIFT_BYTE:
		drop(reader, 1);
		break;
	case THRIFT_I16:
	case THRIFT_I32:
	case THRIFT_I64:
		take_varint(reader);
		break;
	case THRIFT_DOUBLE:
		drop(reader, sizeof(double));
		break;
	case THRIFT_BINARY:
		drop(reader, take_varint(reader));
		break;
	case THRIFT_LIST:
	case THRIFT_SET:
		skip_list(reader, depth + 1);
		break;
	case THRIFT_MAP:
		skip_map(reader, depth + 1);
		break;
	case THRIFT_STRUCT:
		skip_struct(reader, depth + 1);
		break;
	case THRIFT_STOP:
	default:
		fail(reader);
	}
}

void thrift_skip(struct thrift_reader *reader, enum thrift_type type)
{
	skip(reader, type, 0);
}

int64_t thrift_integer(
    struct thrift_reader *reader, const struct thrift_field *field)
{
	switch (field->type) {
	case THRIFT_BYTE:
		return (signed char)take_byte(reader);
	case THRIFT_I16:
	case THRIFT_I32:
	case THRIFT_I64:
		return take_zigzag(reader);
	default:
		thrift_skip(reader, field->type);
		return 0;
	}
}

struct span thrift_binary(
    struct thrift_reader *reader, const struct thrift_field *field)
{
	struct span value = { .data = reader->left.data };
	uint64_t len;

	if (field->type != THRIFT_BINARY) {
		thrift_skip(reader, field->type);
		return value;
	}
	len = take_varint(reader);
	value.data = reader->left.data;
	drop(reader, len);
	value.len = reader->failed ? 0 : (size_t)len;
	return value;
}

bool thrift_flag(const struct thrift_field *field)
{
	return field->type == THRIFT_TRUE;
}

bool thrift_begin(
    struct thrift_reader *reader, const struct thrift_field *field)
{
	if (field->type == THRIFT_STRUCT)
		return true;
	thrift_skip(reader, field->type);
	return false;
}

uint32_t thrift_list(struct thrift_reader *reader,
    const struct thrift_field *field, enum thrift_type type)
{
	enum thrift_type is;
	uint32_t count;

	if (field->type != THRIFT_LIST) {
		thrift_skip(reader, field->type);
		return 0;
	}
	count = take_list(reader, &is);
	if (count == 0 || is == type)
		return count;
	for (uint32_t i = 0; i < count && !reader->failed; i++)
		skip_item(reader, is, 1);
	return 0;
}

/* ---- writing ---- */

static void put(struct thrift_writer *writer, const void *data, size_t len)
{
	if (!writer->failed && buf_append(writer->out, data, len, writer->err))
		writer->failed = true;
}

static void put_varint(struct thrift_writer *writer, uint64_t value)
{
	unsigned char bytes[10];
	size_t len = 0;

	do {
		bytes[len] = (unsigned char)(value & 0x7f);
		value >>= 7;
		if (value)
			bytes[len] |= 0x80;
		len++;
	} while (value);
	put(writer, bytes, len);
}

static void put_zigzag(struct thrift_writer *writer, int64_t value)
{
	put_varint(writer, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* Begins a field. The numbers here grow by less than 16. */
static void put_head(
    struct thrift_writer *writer, int id, enum thrift_type type)
{
	const unsigned char head =
	    (unsigned char)((id - writer->last) << 4 | (int)type);

	put(writer, &head, 1);
	writer->last = id;
}

void thrift_put_integer(
    struct thrift_writer *writer, int id, enum thrift_type type, int64_t value)
{
	put_head(writer, id, type);
	put_zigzag(writer, value);
}

static void put_bytes(struct thrift_writer *writer, struct span value)
{
	put_varint(writer, value.len);
	put(writer, value.data, value.len);
}

void thrift_put_binary(struct thrift_writer *writer, int id, struct span value)
{
	put_head(writer, id, THRIFT_BINARY);
	put_bytes(writer, value);
}

void thrift_put_text(struct thrift_writer *writer, int id, const char *value)
{
	thrift_put_binary(writer, id, span_text(value));
}

void thrift_put_list(
    struct thrift_writer *writer, int id, enum thrift_type type, uint32_t count)
{
	const unsigned char head =
	    (unsigned char)((count < 15 ? count : 15) << 4 | type);

	put_head(writer, id, THRIFT_LIST);
	put(writer, &head, 1);
	if (count >= 15)
		put_varint(writer, count);
}

int thrift_put_begin(struct thrift_writer *writer, int id)
{
	int before;

	if (id)
		put_head(writer, id, THRIFT_STRUCT);
	before = writer->last;
	writer->last = 0;
	return before;
}

void thrift_put_end(struct thrift_writer *writer, int before)
{
	static const unsigned char stop = THRIFT_STOP;

	put(writer, &stop, 1);
	writer->last = before;
}

void thrift_put_item(struct thrift_writer *writer, int64_t value)
{
	put_zigzag(writer, value);
}

void thrift_put_item_text(struct thrift_writer *writer, const char *value)
{
	put_bytes(writer, span_text(value));
}
