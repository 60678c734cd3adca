/*
 * bpe.h - text to token numbers by byte-level BPE, the same as GPT-2's own
 * encoder gives: cut into pieces (split.h), whose bytes are joined (merger.h).
 *
 * Any bytes are text; those that are not UTF-8 are tokens, too.  One of these
 * is used by one thread; it keeps the pieces that it has seen.
 */
#ifndef LIB_TOKENS_BPE_H
#define LIB_TOKENS_BPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct bpe;
struct error;
struct vocabulary;

/*
 * The vocabulary outlives it.  `special`: "<|endoftext|>" in the text becomes
 * the token of this name, else it is text as any other; ERROR_USAGE when the
 * vocabulary has none.
 */
struct bpe *bpe_new(
    const struct vocabulary *vocabulary, bool special, struct error *err);
void bpe_free(struct bpe *bpe); /* NULL is fine */

/* The tokens of a text; *ids is good until the next one. */
int bpe_encode(struct bpe *bpe, struct span text, const int32_t **ids,
    size_t *count, struct error *err);

#endif
