/*
 * bpe.h - byte-level BPE: text to token numbers, equal to GPT-2's encoder.  The
 * text is cut into pieces (split.h), whose bytes are merged (merger.h).
 *
 * Any bytes are valid text; bytes that are not UTF-8 become tokens, too.  A
 * struct bpe is for one thread; it caches the pieces that it has seen.
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
 * The vocabulary must outlive it.  With `special`, "<|endoftext|>" in the text
 * becomes that token, else it is ordinary text.  ERROR_USAGE if the vocabulary
 * has no such token.
 */
struct bpe *bpe_new(
    const struct vocabulary *vocabulary, bool special, struct error *err);
void bpe_free(struct bpe *bpe); /* NULL is fine */

/* Encodes a text; *ids is valid until the next call. */
int bpe_encode(struct bpe *bpe, struct span text, const int32_t **ids,
    size_t *count, struct error *err);

#endif
