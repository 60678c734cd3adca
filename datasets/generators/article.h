/*
 * article.h - makes up articles: plain text with the statistics of English on
 * web pages. It has common words, repeated words of its subject, names, numbers
 * and characters that are not ASCII.
 *
 * Article `number` depends on the seed and the number only.
 */
#ifndef DATASETS_GENERATORS_ARTICLE_H
#define DATASETS_GENERATORS_ARTICLE_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/base/random.h"

struct error;
struct lexicon;

enum {
	ARTICLE_BYTES = 3300, /* average length of an article */
	ARTICLE_SUBJECT = 40, /* words that the article repeats */
};

/* Writes articles: one author for each thread, or for each article. */
struct author {
	const struct lexicon *lexicon; /* borrowed */
	struct random random;
	uint32_t subject[ARTICLE_SUBJECT]; /* ranks */
};

struct author author_of(
    const struct lexicon *lexicon, uint64_t seed, uint64_t number);
/* Appends a headline: a few words, no full stop. */
int author_headline(struct author *author, struct buf *out, struct error *err);
int author_sentence(struct author *author, struct buf *out, struct error *err);

/*
 * Appends the article: its headline and its paragraphs, valid UTF-8, a
 * newline between them, none at the end.
 */
int article_text(const struct lexicon *lexicon, uint64_t seed, uint64_t number,
    struct buf *out, struct error *err);

#endif
