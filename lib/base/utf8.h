/*
 * utf8.h - decodes and repairs text in UTF-8.
 *
 * Invalid bytes are grouped as in the WHATWG Encoding Standard and Unicode
 * (section 3.9, "maximal subparts").  A lead byte with the continuation bytes
 * that may follow it is one mistake; any other byte is a mistake of its own.
 * Surrogates, overlong forms and code points above U+10FFFF are mistakes.
 */
#ifndef LIB_BASE_UTF8_H
#define LIB_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum {
	UTF8_BAD = -1,  /* returned for a mistake */
	UTF8_BYTES = 4, /* longest code point */
};

/*
 * Returns the code point at `at`, which is before `end`, or UTF8_BAD.  *bytes
 * (1 to 4) is its length, or that of the mistake.
 */
int32_t utf8_decode(
    const unsigned char *at, const unsigned char *end, unsigned *bytes);
/* Writes a valid code point; returns its number of bytes. */
unsigned utf8_encode(uint32_t code, unsigned char out[UTF8_BYTES]);

/* Returns the number of bytes before the first that is not ASCII. */
size_t utf8_ascii(struct span text);
/* Returns the number of bytes before the first mistake. */
size_t utf8_valid(struct span text);
/* Appends the text; each mistake becomes U+FFFD. */
int utf8_append(struct buf *out, struct span text, struct error *err);

#endif
