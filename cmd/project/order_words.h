/*
 * order_words.h - describes the order of stored samples in words: the order,
 * its cost, and how well it shuffles.
 */
#ifndef CMD_PROJECT_ORDER_WORDS_H
#define CMD_PROJECT_ORDER_WORDS_H

#include <stddef.h>

struct model;
struct reader;
struct stored_order;

enum { ORDER_WORDS = 384 };

/* Writes "shuffled by seed 7" or "in the order of the dataset" to `text`. */
const char *order_words(const struct stored_order *order,
    const struct reader *source, char text[ORDER_WORDS]);
/* The same with the cost that the model measured. */
const char *order_cost_words(
    const struct model *model, unsigned threads, char text[ORDER_WORDS]);
/* Warns if samples are shuffled only within windows. */
void order_warn(const struct model *model);

#endif
