/*
 * labels.h - labels made of words: each sample has a word, the name of its
 * class, and the label is the word's place among all different words.
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
 * Sets labels[0..count-1] from words.  With `numbers`, words that are whole
 * numbers, all of them, are the labels themselves; else a label is the index
 * among the sorted distinct words (byte order), which become the names of
 * `classes`; that is empty before, and stays so where labels are numbers.
 */
int labels_from_words(const struct span *words, size_t count, bool numbers,
    int64_t *labels, struct classes *classes, struct error *err);

/* Reads a whole number, blanks around it allowed: 0, or -1 if it is none. */
int label_parse(struct span text, int64_t *label);

#endif
