/*
 * proto.h - the fields of protocol buffers, taken in place one after the other.
 *
 * Every length is checked against the rest of the enclosing message. Groups,
 * which nobody writes any more, are refused.
 */
#ifndef LIB_FORMATS_PROTO_H
#define LIB_FORMATS_PROTO_H

#include <stdint.h>

#include "lib/base/bytes.h"

enum { PROTO_VARINT = 0, PROTO_64 = 1, PROTO_LEN = 2, PROTO_32 = 5 };

struct proto_field {
	uint64_t number;
	unsigned type;
	uint64_t value;    /* if it is a PROTO_VARINT */
	struct span bytes; /* if it is another type */
};

/* Takes a number of several bytes; see proto_take_varint. */
int proto_take_long_varint(struct span *from, uint64_t *value);
/* Takes a field of any kind; see proto_take_field. */
int proto_take_any_field(struct span *message, struct proto_field *field);

/* Takes a number: 0, or -1 if it does not end. */
static inline int proto_take_varint(struct span *from, uint64_t *value)
{
	/* Most numbers have one byte. */
	if (from->len == 0 || *from->data >= 128)
		return proto_take_long_varint(from, value);
	*value = *from->data++;
	from->len--;
	return 0;
}

/* Takes the next field of a message: 1, 0 at its end, or -1. */
static inline int proto_take_field(
    struct span *message, struct proto_field *field)
{
	const unsigned char *at = message->data;
	size_t len;

	if (message->len == 0)
		return 0;
	/* Most are a few bytes behind a tag and a length of a byte each. */
	if (message->len < 2 || (at[0] | at[1]) >= 128 ||
	    (at[0] & 7) != PROTO_LEN || at[1] > message->len - 2)
		return proto_take_any_field(message, field);
	len = at[1];
	field->number = at[0] >> 3;
	field->type = PROTO_LEN;
	field->bytes = (struct span){ at + 2, len };
	message->data += 2 + len;
	message->len -= 2 + len;
	return 1;
}

#endif
