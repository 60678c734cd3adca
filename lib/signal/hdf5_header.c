/* hdf5_header.c - see hdf5_header.h. */
#include "lib/signal/hdf5_header.h"

#include <string.h>

enum {
	MAGIC = 4,
	VERSION = 2,
	SIZE_BITS = 0x03, /* flags: size of the size field */
	HAS_PHASES = 0x10,
	HAS_TIMES = 0x20,
	PHASES = 4, /* bytes */
	TIMES = 16,
	CHECKSUM = 4,
	BLOCK = 12, /* bytes per round of the checksum */
};

/* Version 1: a head, then messages, each with a head of its own. */
enum {
	OLD_HEAD = 16,
	OLD_MESSAGE = 8,
	DATASPACE = 1, /* types of messages */
	LAYOUT = 8,
	CHUNKED = 2,
	EARLY_SIDES = 16, /* where a layout before version 3 has them */
};

static uint64_t number(const unsigned char *at, size_t bytes)
{
	uint64_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | at[bytes];
	return value;
}

static uint32_t turned(uint32_t x, unsigned bits)
{
	return x << bits | x >> (32 - bits);
}

static void mix(uint32_t s[3])
{
	static const unsigned char bits[] = { 4, 6, 8, 16, 19, 4 };

	for (unsigned i = 0; i < 6; i++) {
		uint32_t *a = &s[i % 3], *b = &s[(i + 1) % 3];
		const uint32_t c = s[(i + 2) % 3];

		*a -= c;
		*a ^= turned(c, bits[i]);
		s[(i + 2) % 3] = c + *b;
	}
}

static void mix_last(uint32_t s[3])
{
	static const unsigned char bits[] = { 14, 11, 25, 16, 4, 14, 24 };

	/* Rotates in turn c by b, a by c, b by a, and so on. */
	for (unsigned i = 0; i < 7; i++) {
		uint32_t *to = &s[(i + 2) % 3];
		const uint32_t by = s[(i + 1) % 3];

		*to ^= by;
		*to -= turned(by, bits[i]);
	}
}

uint32_t hdf5_checksum(struct span bytes)
{
	const uint32_t begin = 0xdeadbeef + (uint32_t)bytes.len;
	uint32_t s[3] = { begin, begin, begin };
	unsigned char last[BLOCK] = { 0 };

	if (bytes.len == 0)
		return begin;
	for (; bytes.len > BLOCK; bytes.len -= BLOCK, bytes.data += BLOCK) {
		for (unsigned i = 0; i < 3; i++)
			s[i] += (uint32_t)number(bytes.data + 4 * i, 4);
		mix(s);
	}
	memcpy(last, bytes.data, bytes.len);
	for (unsigned i = 0; i < 3; i++)
		s[i] += (uint32_t)number(last + 4 * i, 4);
	mix_last(s);
	return s[2];
}

uint64_t hdf5_header_bytes(struct span begin)
{
	size_t at = MAGIC + 2, wide;
	unsigned flags;
	uint64_t bytes;

	if (begin.len < HDF5_HEADER_LEAST ||
	    memcmp(begin.data, "OHDR", MAGIC) != 0 ||
	    begin.data[MAGIC] != VERSION)
		return 0;
	flags = begin.data[MAGIC + 1];
	wide = (size_t)1 << (flags & SIZE_BITS);
	at += (flags & HAS_TIMES ? TIMES : 0) +
	      (flags & HAS_PHASES ? (size_t)PHASES : 0);
	if (begin.len < at + wide)
		return 0;
	bytes = number(begin.data + at, wide);
	if (bytes > UINT64_MAX / 2)
		return UINT64_MAX / 2;
	return at + wide + bytes + CHECKSUM;
}

bool hdf5_header_is_whole(struct span header)
{
	const struct span summed = { header.data, header.len - CHECKSUM };

	return hdf5_checksum(summed) == number(header.data + summed.len, 4);
}

static bool is_old(struct span header)
{
	const unsigned char *head = header.data;

	return header.len >= OLD_HEAD && head[0] == 1 && head[1] == 0 &&
	       number(head + 4, 4) > 0 && number(head + 8, 4) % 8 == 0 &&
	       number(head + 12, 4) == 0;
}

/*
 * Returns the dimensions of chunks, one more than the dataset's; 0: the first
 * one is 0; -1: it has no chunks.  Layouts before version 3 have another order.
 */
static int chunk_dimensions(const unsigned char *layout, size_t len)
{
	const bool is_early = len > 2 && layout[0] < 3;

	if (len < 3 || layout[0] > 3 || layout[is_early ? 2 : 1] != CHUNKED)
		return -1;
	if (!is_early)
		return layout[2];
	if (len < EARLY_SIDES + 4 || number(layout + EARLY_SIDES, 4) == 0)
		return 0;
	return layout[1];
}

bool hdf5_header_misfits(struct span header)
{
	int dataset = -1, chunks = -1;
	size_t len;

	if (!is_old(header))
		return false;
	for (size_t at = OLD_HEAD; at + OLD_MESSAGE <= header.len; at += len) {
		const uint64_t type = number(header.data + at, 2);
		const unsigned char *body = header.data + at + OLD_MESSAGE;

		len = (size_t)number(header.data + at + 2, 2);
		at += OLD_MESSAGE;
		if (len > header.len - at)
			break;
		if (type == DATASPACE && len > 1)
			dataset = body[1];
		if (type == LAYOUT)
			chunks = chunk_dimensions(body, len);
	}
	return dataset >= 0 && chunks >= 0 && chunks != dataset + 1;
}
