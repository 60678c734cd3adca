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

struct error;
struct lexicon;

/*
 * Appends the article: its headline and its paragraphs, valid UTF-8, a
 * newline between them, none at the end.
 */
int article_text(const struct lexicon *lexicon, uint64_t seed, uint64_t number,
    struct buf *out, struct error *err);

#endif
