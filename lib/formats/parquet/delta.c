/* delta.c - see delta.h. */
#include "lib/formats/parquet/delta.h"

#include <string.h>

enum { WIDTH_MAX = 64, BLOCK_MAX = 1 << 20 };

static int take_varint(struct span *in, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 64 && in->len; shift += 7) {
		const unsigned char byte = *in->data++;

		in->len--;
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return 0;
	}
	return -1;
}

static int take_zigzag(struct span *in, uint64_t *value)
{
	if (take_varint(in, value))
		return -1;
	*value = *value >> 1 ^ (0 - (*value & 1));
	return 0;
}

static int take_bytes(struct span *in, uint64_t len, struct span *bytes)
{
	if (len > in->len)
		return -1;
	*bytes = (struct span){ in->data, (size_t)len };
	in->data += len;
	in->len -= (size_t)len;
	return 0;
}

int delta_begin(struct delta *delta, struct span bytes)
{
	*delta = (struct delta){ .left = bytes, .is_first = 1 };
	if (take_varint(&delta->left, &delta->block) ||
	    take_varint(&delta->left, &delta->miniblocks) ||
	    take_varint(&delta->left, &delta->count) ||
	    take_zigzag(&delta->left, &delta->value))
		return -1;
	/* Parts have a multiple of 32 numbers. */
	if (delta->block == 0 || delta->block > BLOCK_MAX ||
	    delta->miniblocks == 0 || delta->block % delta->miniblocks ||
	    delta->block / delta->miniblocks % 32)
		return -1;
	return 0;
}

/* Begins the next part of a block, or the next block. */
static int begin_part(struct delta *delta)
{
	const uint64_t size = delta->block / delta->miniblocks;
	uint64_t part;

	if (delta->in_block == delta->block)
		delta->in_block = 0;
	if (delta->in_block == 0 &&
	    (take_zigzag(&delta->left, &delta->least) ||
	        take_bytes(&delta->left, delta->miniblocks, &delta->widths)))
		return -1;
	part = delta->in_block / size;
	delta->width = delta->widths.data[part];
	delta->bit = 0;
	if (delta->width > WIDTH_MAX)
		return -1;
	return take_bytes(
	    &delta->left, size * delta->width / 8, &delta->packed);
}

static uint64_t take_bits(struct delta *delta)
{
	uint64_t value = 0;

	for (unsigned done = 0; done < delta->width;) {
		const size_t at = (size_t)(delta->bit / 8);
		const unsigned shift = (unsigned)(delta->bit % 8);
		unsigned bits = 8 - shift;

		if (bits > delta->width - done)
			bits = delta->width - done;
		value |= (uint64_t)(delta->packed.data[at] >> shift &
		                    ((1U << bits) - 1))
		         << done;
		done += bits;
		delta->bit += bits;
	}
	return value;
}

int delta_next(struct delta *delta, uint64_t *number)
{
	const uint64_t size = delta->block / delta->miniblocks;

	if (delta->count == 0)
		return -1;
	if (!delta->is_first) {
		if (delta->in_block % size == 0 && begin_part(delta))
			return -1;
		delta->value += delta->least + take_bits(delta);
		delta->in_block++;
	}
	delta->is_first = 0;
	delta->count--;
	*number = delta->value;
	return 0;
}

struct span delta_rest(const struct delta *delta)
{
	return delta->left;
}

int delta_numbers(struct span bytes, unsigned width, unsigned char *out,
    size_t room, size_t *len)
{
	struct delta delta;
	uint64_t number;

	*len = 0;
	if (delta_begin(&delta, bytes) || delta.count > room / width)
		return -1;
	while (delta.count) {
		if (delta_next(&delta, &number))
			return -1;
		memcpy(out + *len, &number, width);
		*len += width;
	}
	return 0;
}

/* Skips all numbers, so that the rest is known. */
static int skip(struct delta *delta)
{
	uint64_t number;

	while (delta->count)
		if (delta_next(delta, &number))
			return -1;
	return 0;
}

/* Writes a length, and moves `out` behind it and so many bytes. */
static int put_length(
    unsigned char *out, size_t room, uint64_t length, size_t *len)
{
	const uint32_t word = (uint32_t)length;

	if (length > INT32_MAX || room - *len < sizeof(word) ||
	    length > room - *len - sizeof(word))
		return -1;
	memcpy(out + *len, &word, sizeof(word));
	*len += sizeof(word);
	return 0;
}

int delta_lengths(
    struct span bytes, unsigned char *out, size_t room, size_t *len)
{
	struct delta lengths, all;
	struct span data, value;
	uint64_t length;

	*len = 0;
	/* A few bytes can stand for many numbers; each length takes room. */
	if (delta_begin(&lengths, bytes) ||
	    lengths.count > room / sizeof(uint32_t))
		return -1;
	all = lengths;
	if (skip(&all))
		return -1;
	data = delta_rest(&all);
	while (lengths.count) {
		if (delta_next(&lengths, &length) ||
		    take_bytes(&data, length, &value) ||
		    put_length(out, room, length, len))
			return -1;
		memcpy(out + *len, value.data, value.len);
		*len += value.len;
	}
	return 0;
}

/* The parts of DELTA_BYTE_ARRAY: lengths of prefixes, of suffixes, suffixes. */
struct strings {
	struct delta prefixes, suffixes;
	struct span data;
};

/* `room`: bytes for the strings, each with its length. */
static int begin_strings(
    struct strings *strings, struct span bytes, uint64_t room)
{
	struct delta all;

	if (delta_begin(&strings->prefixes, bytes) ||
	    strings->prefixes.count > room / sizeof(uint32_t))
		return -1;
	all = strings->prefixes;
	if (skip(&all) || delta_begin(&strings->suffixes, delta_rest(&all)) ||
	    strings->suffixes.count != strings->prefixes.count)
		return -1;
	all = strings->suffixes;
	if (skip(&all))
		return -1;
	strings->data = delta_rest(&all);
	return 0;
}

int delta_strings_room(struct span bytes, uint64_t most, uint64_t *room)
{
	struct strings strings;
	uint64_t prefix, suffix;

	*room = 0;
	if (begin_strings(&strings, bytes, most))
		return -1;
	while (strings.prefixes.count) {
		if (delta_next(&strings.prefixes, &prefix) ||
		    delta_next(&strings.suffixes, &suffix) ||
		    prefix > INT32_MAX || suffix > INT32_MAX)
			return -1;
		*room += sizeof(uint32_t) + prefix + suffix;
		if (*room > most)
			return -1;
	}
	return 0;
}

int delta_strings(
    struct span bytes, unsigned char *out, size_t room, size_t *len)
{
	struct strings strings;
	uint64_t prefix, suffix, before = 0;
	size_t last = 0; /* where the value before is */
	struct span value;

	*len = 0;
	if (begin_strings(&strings, bytes, room))
		return -1;
	while (strings.prefixes.count) {
		if (delta_next(&strings.prefixes, &prefix) ||
		    delta_next(&strings.suffixes, &suffix) || prefix > before ||
		    suffix > INT32_MAX ||
		    take_bytes(&strings.data, suffix, &value) ||
		    put_length(out, room, prefix + suffix, len))
			return -1;
		memcpy(out + *len, out + last, (size_t)prefix);
		memcpy(out + *len + prefix, value.data, value.len);
		last = *len;
		before = prefix + suffix;
		*len += (size_t)before;
	}
	return 0;
}

int split_streams(struct span bytes, unsigned width, unsigned char *out,
    size_t room, size_t *len)
{
	const size_t count = bytes.len / width;

	*len = count * width;
	if (bytes.len % width || *len > room)
		return -1;
	for (size_t i = 0; i < count; i++)
		for (unsigned b = 0; b < width; b++)
			out[i * width + b] = bytes.data[b * count + i];
	return 0;
}
