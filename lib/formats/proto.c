/* proto.c - see proto.h. */
#include "lib/formats/proto.h"

int proto_take_long_varint(struct span *from, uint64_t *value)
{
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

int proto_take_any_field(struct span *message, struct proto_field *field)
{
	uint64_t tag, len;

	if (proto_take_varint(message, &tag))
		return -1;
	field->number = tag >> 3;
	field->type = tag & 7;
	switch (field->type) {
	case PROTO_VARINT:
		return proto_take_varint(message, &field->value) ? -1 : 1;
	case PROTO_LEN:
		if (proto_take_varint(message, &len))
			return -1;
		break;
	case PROTO_64:
		len = 8;
		break;
	case PROTO_32:
		len = 4;
		break;
	default:
		return -1;
	}
	return take_bytes(message, len, &field->bytes) ? -1 : 1;
}
