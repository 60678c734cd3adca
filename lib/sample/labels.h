/*
 * labels.h - labels from words.  Each sample has a word, the name of its class;
 * its label is the word's index among all different words.
 */
#ifndef LIB_SAMPLE_LABELS_H
#define LIB_SAMPLE_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct classes;
struct error;

/*
 * Sets labels[0..count-1] from words.  With `numbers`, if all words are
 * integers, they are the labels.  Otherwise a label is the index among the
 * sorted distinct words (byte order), which become the names in `classes`.
 * `classes` must be empty, and stays so if labels are numbers.
 */
int labels_from_words(const struct span *words, size_t count, bool numbers,
    int64_t *labels, struct classes *classes, struct error *err);

/* Parses an integer, with blanks around it: 0, or -1 if it is none. */
int label_parse(struct span text, int64_t *label);

#endif
