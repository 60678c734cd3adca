/*
 * snappy.c - see packed.h: reads Snappy's format without frames.
 *
 * It begins with the length as a varint. Then come elements, whose first byte
 * has the kind in its lowest two bits: 0 is a run of literal bytes, others copy
 * earlier output, whose distance has 11, 16 or 32 bits.
 */
#include <stdint.h>
#include <string.h>

#include "lib/codecs/packed.h"

enum { KIND_LITERAL, KIND_NEAR, KIND_FAR, KIND_FARTHEST };

struct output {
	unsigned char *data;
	size_t len, at;
};

static int take_length(struct span *in, uint64_t *len)
{
	*len = 0;
	for (unsigned shift = 0; shift < 35 && in->len; shift += 7) {
		const unsigned char byte = *in->data++;

		in->len--;
		*len |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return 0;
	}
	return -1;
}

/* Takes a little-endian number of 1 to 4 bytes. */
static int take_number(struct span *in, unsigned bytes, size_t *number)
{
	*number = 0;
	if (in->len < bytes)
		return -1;
	for (unsigned i = 0; i < bytes; i++)
		*number |= (size_t)in->data[i] << 8 * i;
	in->data += bytes;
	in->len -= bytes;
	return 0;
}

static int put_literal(struct span *in, unsigned tag, struct output *out)
{
	size_t len = tag >> 2;

	if (len >= 60 && take_number(in, (unsigned)len - 59, &len))
		return -1;
	len++;
	if (len > in->len || len > out->len - out->at)
		return -1;
	memcpy(out->data + out->at, in->data, len);
	out->at += len;
	in->data += len;
	in->len -= len;
	return 0;
}

/* Copies earlier output; a distance below the length repeats it. */
static int put_copy(struct span *in, unsigned tag, struct output *out)
{
	size_t len = (tag >> 2) + 1, distance;
	unsigned bytes = 2;

	if ((tag & 3) == KIND_NEAR) {
		len = (tag >> 2 & 7) + 4;
		bytes = 1;
	} else if ((tag & 3) == KIND_FARTHEST) {
		bytes = 4;
	}
	if (take_number(in, bytes, &distance))
		return -1;
	if ((tag & 3) == KIND_NEAR)
		distance |= (size_t)(tag >> 5) << 8;
	if (distance == 0 || distance > out->at || len > out->len - out->at)
		return -1;
	if (distance >= len) {
		memcpy(
		    out->data + out->at, out->data + out->at - distance, len);
		out->at += len;
		return 0;
	}
	for (; len; len--, out->at++)
		out->data[out->at] = out->data[out->at - distance];
	return 0;
}

int snappy_unpack(struct span in, void *to, size_t len)
{
	struct output out = { .data = to, .len = len };
	uint64_t is;

	if (take_length(&in, &is) || is != len)
		return -1;
	while (in.len > 0) {
		const unsigned tag = *in.data++;

		in.len--;
		if ((tag & 3) == KIND_LITERAL ? put_literal(&in, tag, &out)
		                              : put_copy(&in, tag, &out))
			return -1;
	}
	return out.at == len ? 0 : -1;
}
