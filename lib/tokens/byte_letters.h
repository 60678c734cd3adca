/*
 * byte_letters.h - the letters by which GPT-2's vocabulary files write bytes,
 * so that they are text: printable characters of Latin-1 stand for themselves,
 * the other bytes, in their order, for U+0100 and on.  A blank is U+0120.
 */
#ifndef LIB_TOKENS_BYTE_LETTERS_H
#define LIB_TOKENS_BYTE_LETTERS_H

#include <stdint.h>

#include "lib/base/bytes.h"

enum {
	BYTE_LETTERS = 0x144, /* code points beyond the last letter */
	BYTE_VALUES = 256,
};

struct byte_letters {
	uint16_t letter[BYTE_VALUES]; /* code point of a byte */
	int16_t byte[BYTE_LETTERS];   /* -1: stands for none */
	/* The order in which GPT-2 numbers them: printable ones first. */
	unsigned char order[BYTE_VALUES];
};

void byte_letters_fill(struct byte_letters *letters);

/* The byte of a letter, else -1. */
static inline int byte_of_letter(
    const struct byte_letters *letters, int32_t code)
{
	return code >= 0 && code < BYTE_LETTERS ? letters->byte[code] : -1;
}

/* Appends the letters of bytes, as UTF-8. */
struct error;
int byte_letters_append(const struct byte_letters *letters, struct buf *out,
    struct span bytes, struct error *err);

#endif
