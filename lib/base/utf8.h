/*
 * utf8.h - text as UTF-8: its code points, and bad bytes made good.
 *
 * What is not UTF-8 is cut as the WHATWG's Encoding Standard and Unicode
 * (section 3.9, "maximal subparts") do: a lead byte with the continuation
 * bytes that may follow it is one mistake, any other byte is one by itself.
 * Surrogates, overlong forms and what is above U+10FFFF are mistakes.
 */
#ifndef LIB_BASE_UTF8_H
#define LIB_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum {
	UTF8_BAD = -1,             /* instead of a code point */
	UTF8_REPLACEMENT = 0xfffd, /* the character that stands for it */
	UTF8_BYTES = 4,            /* of a code point at most */
};

/*
 * The code point at `at`, which is before `end`, or UTF8_BAD; *bytes (1 to 4)
 * is its length, or the mistake's.
 */
int32_t utf8_decode(
    const unsigned char *at, const unsigned char *end, unsigned *bytes);
/* Writes a code point, which is one; returns its bytes. */
unsigned utf8_encode(uint32_t code, unsigned char out[UTF8_BYTES]);

/* Bytes in front of the first that is not ASCII; len when there is none. */
size_t utf8_ascii(struct span text);
/* Bytes in front of the first mistake; len when there is none. */
size_t utf8_valid(struct span text);
/* Appends the text, with U+FFFD in place of each mistake. */
int utf8_append(struct buf *out, struct span text, struct error *err);

#endif
