/*
 * split.c - see split.h.
 *
 * Most characters are ASCII letters.  Runs of them are scanned eight bytes at a
 * time, so that a word costs no mispredicted branch per letter.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/load.h"
#include "lib/base/utf8.h"
#include "lib/tokens/split.h"
#include "lib/tokens/unicode.h"

enum { WORD = 8 };

static uint64_t each_byte(unsigned char byte)
{
	return 0x0101010101010101 * (uint64_t)byte;
}

/* Returns how many of the first bytes, up to eight, are ASCII letters. */
static unsigned count_letters(const unsigned char *at)
{
	const uint64_t high = each_byte(0x80);
	const uint64_t bytes = load_u64(at);
	uint64_t low, letters;

	/* Convert to lower case, with room for sums in each byte. */
	low = (bytes & ~high) | each_byte(0x20);
	letters = low + each_byte(0x80 - 'a');         /* at least 'a' */
	letters &= ~(low + each_byte(0x80 - 'z' - 1)); /* at most 'z' */
	letters &= ~bytes & high;                      /* and ASCII */
	letters ^= high;
	return letters ? (unsigned)__builtin_ctzll(letters) / 8 : WORD;
}

static const unsigned char *skip_letters(
    const unsigned char *at, const unsigned char *end)
{
	unsigned count = WORD;

	while (count == WORD && end - at >= WORD) {
		count = count_letters(at);
		at += count;
	}
	return at;
}

/* Gets the class and length of the character at `at`. */
static enum unicode_class class_at(const struct unicode *unicode,
    const unsigned char *at, const unsigned char *end, unsigned *bytes)
{
	int32_t code;

	*bytes = 1;
	if (*at < 0x80)
		return unicode->classes[*at];
	code = utf8_decode(at, end, bytes);
	return code == UTF8_BAD ? UNICODE_OTHER : unicode->classes[code];
}

/* Returns the end of a run of characters of one class, which may be empty. */
static const unsigned char *skip(const struct unicode *unicode,
    enum unicode_class class, const unsigned char *at, const unsigned char *end)
{
	unsigned bytes;

	if (class == UNICODE_LETTER)
		at = skip_letters(at, end);
	while (at < end && class_at(unicode, at, end, &bytes) == class) {
		at += bytes;
		if (bytes > 1 && class == UNICODE_LETTER)
			at = skip_letters(at, end);
	}
	return at;
}

/* Returns the length of 's, 't, 're, 've, 'm, 'll or 'd after the '; else 0. */
static unsigned contraction(const unsigned char *at, const unsigned char *end)
{
	const ptrdiff_t left = end - at;

	if (left < 1)
		return 0;
	switch (*at) {
	case 's':
	case 't':
	case 'm':
	case 'd':
		return 2;
	case 'r':
	case 'v':
		return left > 1 && at[1] == 'e' ? 3 : 0;
	case 'l':
		return left > 1 && at[1] == 'l' ? 3 : 0;
	default:
		return 0;
	}
}

/* Skips all spaces, but leaves the last of several to the next piece. */
static const unsigned char *skip_spaces(const struct unicode *unicode,
    const unsigned char *at, const unsigned char *end)
{
	const unsigned char *last = at;
	unsigned bytes;

	for (const unsigned char *next = at; next < end; next += bytes) {
		if (class_at(unicode, next, end, &bytes) != UNICODE_SPACE)
			return last > at ? last : next;
		last = next;
	}
	return end;
}

const unsigned char *split_next(const struct unicode *unicode,
    const unsigned char *at, const unsigned char *end)
{
	const bool is_blank = *at == ' ' && end - at > 1;
	const unsigned char *word = at + is_blank;
	enum unicode_class class;
	unsigned bytes;

	if (*at == '\'') {
		const unsigned len = contraction(at + 1, end);

		if (len)
			return at + len;
	}
	class = class_at(unicode, word, end, &bytes);
	if (class == UNICODE_SPACE)
		return skip_spaces(unicode, at, end);
	return skip(unicode, class, word + bytes, end);
}
