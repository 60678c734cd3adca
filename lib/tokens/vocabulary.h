/*
 * vocabulary.h - a byte-level BPE vocabulary in the two files of GPT-2.
 * encoder.json is an object from token to number.  vocab.bpe is the line
 * "#version: 0.2" followed by one merge per line, the earliest first.  Both
 * write bytes as letters (byte_letters.h).
 *
 * The numbers need not be contiguous, but are unique.  Each of the 256 bytes is
 * a token, and so are the inputs and the result of each merge.
 */
#ifndef LIB_TOKENS_VOCABULARY_H
#define LIB_TOKENS_VOCABULARY_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/tokens/merges.h"

struct error;
struct unicode;

struct vocabulary {
	uint32_t tokens;        /* all numbers are less */
	uint32_t byte_ids[256]; /* tokens of single bytes */
	int32_t end_of_text;    /* <|endoftext|>, or -1 */
	struct merges merges;
	const struct unicode *unicode;
};

#define VOCABULARY_END_OF_TEXT "<|endoftext|>"

/* Reads a folder's vocabulary, once for all.  Errors name file and line. */
const struct vocabulary *vocabulary_take(const char *dir, struct error *err);
void vocabulary_give(const struct vocabulary *vocabulary); /* NULL is fine */

/* Parses the bytes of both files; not shared. */
struct vocabulary *vocabulary_parse(
    struct span encoder, struct span merges, struct error *err);
void vocabulary_free(struct vocabulary *vocabulary); /* NULL is fine */

#endif
