/*
 * vocabulary.h - a byte-level BPE vocabulary in the two files that GPT-2 has:
 * encoder.json, an object from token to number, and vocab.bpe, a first line
 * "#version: 0.2" and then a merge a line, the earliest first.  Both write
 * bytes as letters (byte_letters.h).
 *
 * The numbers need not be dense, but no two tokens share one.  Each of the 256
 * bytes is a token, and so is what a merge takes and makes.
 */
#ifndef LIB_TOKENS_VOCABULARY_H
#define LIB_TOKENS_VOCABULARY_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/tokens/merges.h"

struct error;
struct unicode;

struct vocabulary {
	uint32_t tokens;        /* all numbers are below it */
	uint32_t byte_ids[256]; /* the tokens of the single bytes */
	int32_t end_of_text;    /* <|endoftext|>, or -1 */
	struct merges merges;
	const struct unicode *unicode;
};

#define VOCABULARY_END_OF_TEXT "<|endoftext|>"

/*
 * That of a folder, read once for all who have it.  Errors name the file in it,
 * and the line.
 */
const struct vocabulary *vocabulary_take(const char *dir, struct error *err);
void vocabulary_give(const struct vocabulary *vocabulary); /* NULL is fine */

/* The same from the bytes of both files, for its caller only. */
struct vocabulary *vocabulary_parse(
    struct span encoder, struct span merges, struct error *err);
void vocabulary_free(struct vocabulary *vocabulary); /* NULL is fine */

#endif
