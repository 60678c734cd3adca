/*
 * unicode.h - the class of a character, as needed to cut text into words.
 *
 * Letters and numbers are the general categories L and N.  Spaces are the
 * property White_Space, which is \s in regular expressions.
 */
#ifndef LIB_TOKENS_UNICODE_H
#define LIB_TOKENS_UNICODE_H

#include "lib/base/library.h"

struct error;

enum { UNICODE_CODES = 0x110000 };

enum unicode_class {
	UNICODE_OTHER,
	UNICODE_LETTER,
	UNICODE_NUMBER,
	UNICODE_SPACE,
};

/* The class of each code point; ASCII needs two cache lines. */
struct unicode {
	unsigned char classes[UNICODE_CODES];
};

/* Made once for all users; takes a few milliseconds. */
const struct unicode *unicode_take(struct error *err);
void unicode_give(const struct unicode *unicode); /* NULL is fine */

/* The version of the library, as a session records it. */
void unicode_library_version(char text[LIBRARY_VERSION]);

#endif
