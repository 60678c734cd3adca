/*
 * utf8.c - see utf8.h.
 *
 * Most text is mostly ASCII: blocks of it are skipped at the speed of memory.
 * The rest is decoded code point by code point.
 */
#include "lib/base/utf8.h"
#include "lib/base/cpu.h"
#include "lib/base/error.h"

enum {
	BLOCK = 64,   /* bytes looked at together */
	REPLACED = 3, /* bytes of U+FFFD */
};

static const unsigned char replacement[REPLACED] = { 0xef, 0xbf, 0xbd };

/* The bytes that may follow a lead byte: number, and range of the first. */
struct lead {
	unsigned char more, low, high;
};

static struct lead lead_of(unsigned char byte)
{
	if (byte < 0xc2 || byte > 0xf4)
		return (struct lead){ 0, 0, 0 };
	if (byte < 0xe0)
		return (struct lead){ 1, 0x80, 0xbf };
	if (byte < 0xf0)
		return (struct lead){ 2, byte == 0xe0 ? 0xa0 : 0x80,
			byte == 0xed ? 0x9f : 0xbf };
	return (struct lead){ 3, byte == 0xf0 ? 0x90 : 0x80,
		byte == 0xf4 ? 0x8f : 0xbf };
}

int32_t utf8_decode(
    const unsigned char *at, const unsigned char *end, unsigned *bytes)
{
	struct lead lead;
	int32_t code;

	*bytes = 1;
	if (at[0] < 0x80)
		return at[0];
	lead = lead_of(at[0]);
	if (!lead.more)
		return UTF8_BAD;
	code = at[0] & (0x3f >> lead.more);
	for (unsigned i = 1; i <= lead.more; i++) {
		if (at + i == end || at[i] < lead.low || at[i] > lead.high) {
			*bytes = i;
			return UTF8_BAD;
		}
		code = code << 6 | (at[i] & 0x3f);
		lead.low = 0x80;
		lead.high = 0xbf;
	}
	*bytes = lead.more + 1u;
	return code;
}

unsigned utf8_encode(uint32_t code, unsigned char out[UTF8_BYTES])
{
	if (code < 0x80) {
		out[0] = (unsigned char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (unsigned char)(0xc0 | code >> 6);
		out[1] = (unsigned char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (unsigned char)(0xe0 | code >> 12);
		out[1] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
		out[2] = (unsigned char)(0x80 | (code & 0x3f));
		return 3;
	}
	out[0] = (unsigned char)(0xf0 | code >> 18);
	out[1] = (unsigned char)(0x80 | (code >> 12 & 0x3f));
	out[2] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
	out[3] = (unsigned char)(0x80 | (code & 0x3f));
	return 4;
}

CPU_BODY size_t ascii_blocks(const unsigned char *text, size_t len)
{
	size_t at = 0;

	for (; at + BLOCK <= len; at += BLOCK) {
		unsigned char any = 0;

		for (unsigned i = 0; i < BLOCK; i++)
			any |= text[at + i];
		if (any & 0x80)
			break;
	}
	return at;
}

CPU_AVX2 static size_t ascii_blocks_avx2(const unsigned char *text, size_t len)
{
	return ascii_blocks(text, len);
}

size_t utf8_ascii(struct span text)
{
	size_t at = cpu_has_avx2() ? ascii_blocks_avx2(text.data, text.len)
	                           : ascii_blocks(text.data, text.len);

	while (at < text.len && text.data[at] < 0x80)
		at++;
	return at;
}

/* Counts valid bytes from `at` to an invalid one or to a block of ASCII. */
static size_t valid_run(struct span text, size_t at)
{
	const unsigned char *end = text.data + text.len;
	unsigned ascii = 0;

	while (at < text.len && ascii < BLOCK / 2) {
		unsigned bytes;

		if (utf8_decode(text.data + at, end, &bytes) == UTF8_BAD)
			break;
		ascii = bytes == 1 ? ascii + 1 : 0;
		at += bytes;
	}
	return at;
}

size_t utf8_valid(struct span text)
{
	size_t at = 0, before;

	if (text.len == 0) /* `data` may be NULL: nothing may be added to it */
		return 0;
	do {
		const struct span rest = { text.data + at, text.len - at };

		before = at;
		at += utf8_ascii(rest);
		at = valid_run(text, at);
	} while (at < text.len && at > before);
	return at;
}

int utf8_append(struct buf *out, struct span text, struct error *err)
{
	size_t at = 0;

	while (at < text.len) {
		const struct span rest = { text.data + at, text.len - at };
		const size_t good = utf8_valid(rest);
		unsigned bytes;

		if (buf_append(out, rest.data, good, err))
			return -1;
		at += good;
		if (at == text.len)
			break;
		utf8_decode(text.data + at, text.data + text.len, &bytes);
		if (buf_append(out, replacement, REPLACED, err))
			return -1;
		at += bytes;
	}
	return 0;
}
