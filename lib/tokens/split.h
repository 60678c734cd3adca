/*
 * split.h - text cut into the pieces that GPT-2's tokenizer works on one by
 * one: the matches, one behind the other, of
 *
 *	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+|
 *?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 *
 * so a word has the blank in front of it, and all but the last of several
 * blanks are a piece of their own.  Every byte is in a piece.
 *
 * Bytes that are not UTF-8 count as characters of no class, as punctuation
 * does: each is kept, and none is an error.
 */
#ifndef LIB_TOKENS_SPLIT_H
#define LIB_TOKENS_SPLIT_H

struct unicode;

/* The end of the piece that begins at `at`, which is before `end`. */
const unsigned char *split_next(const struct unicode *unicode,
    const unsigned char *at, const unsigned char *end);

#endif
