/* rle.c - see rle.h. */
#include "lib/formats/parquet/rle.h"

#include <string.h>

enum { WIDTH_MAX = 32 };

void rle_begin(struct rle *rle, struct span bytes, unsigned width)
{
	*rle = (struct rle){ .left = bytes, .width = width };
}

static int take_varint(struct span *in, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 35 && in->len; shift += 7) {
		const unsigned char byte = *in->data++;

		in->len--;
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return 0;
	}
	return -1;
}

/* Begins the next run. */
static int begin_run(struct rle *rle)
{
	const size_t bytes = (rle->width + 7) / 8;
	uint64_t head;

	if (take_varint(&rle->left, &head))
		return -1;
	rle->is_packed = head & 1;
	head >>= 1;
	if (!rle->is_packed) {
		if (rle->left.len < bytes)
			return -1;
		rle->value = 0;
		memcpy(&rle->value, rle->left.data, bytes);
		rle->left.data += bytes;
		rle->left.len -= bytes;
		rle->run = head;
		return 0;
	}
	/* The last group may be cut behind the last number. */
	rle->packed = rle->left;
	if (head * rle->width < rle->packed.len)
		rle->packed.len = (size_t)head * rle->width;
	rle->left.data += rle->packed.len;
	rle->left.len -= rle->packed.len;
	rle->run = head * 8;
	rle->bit = 0;
	return 0;
}

static int take_packed(struct rle *rle, uint32_t *number)
{
	const size_t at = (size_t)(rle->bit / 8);
	const size_t bytes = ((rle->bit % 8) + rle->width + 7) / 8;
	uint64_t word = 0;

	if (at + bytes > rle->packed.len)
		return -1;
	memcpy(&word, rle->packed.data + at, bytes);
	word >>= rle->bit % 8;
	*number = (uint32_t)(word & (((uint64_t)1 << rle->width) - 1));
	rle->bit += rle->width;
	return 0;
}

int rle_next(struct rle *rle, uint32_t *number)
{
	*number = 0;
	if (rle->width == 0)
		return 0;
	if (rle->width > WIDTH_MAX)
		return -1;
	while (rle->run == 0)
		if (begin_run(rle))
			return -1;
	rle->run--;
	if (rle->is_packed)
		return take_packed(rle, number);
	*number = rle->value;
	return 0;
}

unsigned rle_width(uint32_t most)
{
	unsigned width = 0;

	for (; most; most >>= 1)
		width++;
	return width;
}
