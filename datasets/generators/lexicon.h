/*
 * lexicon.h - the words of made-up texts: common English words, words derived
 * from them, and names. They are drawn with the frequencies of a language: the
 * n-th is about n times less frequent than the first (Zipf's law, with
 * Mandelbrot's shift).
 *
 * It is always the same. Many threads can share one lexicon.
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
	LEXICON_COMMON = 82, /* the first ranks: the, of, and, ... */
};

struct lexicon *lexicon_new(struct error *err);
void lexicon_free(struct lexicon *lexicon); /* NULL is fine */

/* Returns the word of this rank, which the lexicon owns. */
struct span lexicon_word(const struct lexicon *lexicon, uint32_t rank);
/* Draws a rank by Zipf's law, from `first` on. */
uint32_t lexicon_draw(
    const struct lexicon *lexicon, uint32_t first, struct random *random);

#endif
