/*
 * split.h - cuts text into the pieces that GPT-2's tokenizer encodes one by
 * one, the consecutive matches of
 *
 * 	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+|
 * ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 *
 * So a word includes the blank before it, and the other blanks are a piece of
 * their own.  Every byte is in a piece.
 *
 * Bytes that are not UTF-8 count as characters without a class, like
 * punctuation: they are kept, and are no error.
 */
#ifndef LIB_TOKENS_SPLIT_H
#define LIB_TOKENS_SPLIT_H

struct unicode;

/* Returns the end of the piece at `at`, which is before `end`. */
const unsigned char *split_next(const struct unicode *unicode,
    const unsigned char *at, const unsigned char *end);

#endif
