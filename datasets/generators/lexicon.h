/*
 * lexicon.h - the words of made-up texts: common English ones, words built of
 * them, and names; drawn as often as the words of a language come, the n-th
 * about n times as seldom as the first (Zipf's law, with Mandelbrot's shift).
 *
 * It is the same every time.  Made once, it may be used by many threads.
 */
#ifndef DATASETS_GENERATORS_LEXICON_H
#define DATASETS_GENERATORS_LEXICON_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/base/random.h"

struct error;
struct lexicon;

enum {
	LEXICON_WORDS = 12000,
	LEXICON_COMMON = 82, /* in front: the, of, and ... */
};

struct lexicon *lexicon_new(struct error *err);
void lexicon_free(struct lexicon *lexicon); /* NULL is fine */

/* The word of this rank, lower case unless it is a name; the lexicon's. */
struct span lexicon_word(const struct lexicon *lexicon, uint32_t rank);
/* A rank, drawn by Zipf's law from `first` on. */
uint32_t lexicon_draw(
    const struct lexicon *lexicon, uint32_t first, struct random *random);

#endif
