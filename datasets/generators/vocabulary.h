/*
 * vocabulary.h - learns a byte-level BPE vocabulary from made-up articles, so
 * that their text can be tokenized without a download.
 */
#ifndef DATASETS_GENERATORS_VOCABULARY_H
#define DATASETS_GENERATORS_VOCABULARY_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct generate_plan;

enum {
	VOCABULARY_TOKENS = 4096,
	VOCABULARY_ARTICLES = 400, /* the first ones are enough */
};

/* Does this build support it? */
bool vocabulary_is_possible(void);
/*
 * Writes vocab/encoder.json and vocab/vocab.bpe below the plan's folder, learnt
 * from its first articles. Sets *tokens to their number, which is below
 * VOCABULARY_TOKENS if there is little text.
 */
int vocabulary_learn(
    const struct generate_plan *plan, uint32_t *tokens, struct error *err);

#endif
