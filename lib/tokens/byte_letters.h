/*
 * byte_letters.h - the letters that represent bytes in GPT-2's vocabulary
 * files.  Printable characters of Latin-1 represent themselves; the other
 * bytes, in order, are U+0100 and on.  So a blank is U+0120.
 */
#ifndef LIB_TOKENS_BYTE_LETTERS_H
#define LIB_TOKENS_BYTE_LETTERS_H

#include <stdint.h>

#include "lib/base/bytes.h"

enum {
	BYTE_LETTERS = 0x144, /* code point after the last letter */
	BYTE_VALUES = 256,
};

struct byte_letters {
	uint16_t letter[BYTE_VALUES]; /* code point for a byte */
	int16_t byte[BYTE_LETTERS];   /* -1: not a letter */
	/* The order in which GPT-2 numbers bytes: printable ones first. */
	unsigned char order[BYTE_VALUES];
};

void byte_letters_fill(struct byte_letters *letters);

/* Returns the byte of a letter, or -1. */
static inline int byte_of_letter(
    const struct byte_letters *letters, int32_t code)
{
	return code >= 0 && code < BYTE_LETTERS ? letters->byte[code] : -1;
}

/* Appends bytes as letters, in UTF-8. */
struct error;
int byte_letters_append(const struct byte_letters *letters, struct buf *out,
    struct span bytes, struct error *err);

#endif
