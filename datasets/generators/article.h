/*
 * article.h - made-up articles: plain text with the statistics of English as
 * it stands on web pages: common words, the words of its subject again and
 * again, names, numbers, marks that are not ASCII.
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
	ARTICLE_BYTES = 3300, /* of one, on average */
	ARTICLE_SUBJECT = 40, /* words that it comes back to */
};

/* Someone who writes articles: one a thread, or one an article. */
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
