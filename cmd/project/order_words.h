/*
 * order_words.h - the order in which samples are stored, in words: what it is,
 * what it costs, and how far it shuffles.
 */
#ifndef CMD_PROJECT_ORDER_WORDS_H
#define CMD_PROJECT_ORDER_WORDS_H

#include <stddef.h>

struct model;
struct reader;
struct stored_order;

enum { ORDER_WORDS = 384 };

/* "shuffled by seed 7", "in the order of the dataset"; returns `text`. */
const char *order_words(const struct stored_order *order,
    const struct reader *source, char text[ORDER_WORDS]);
/* The same with what it costs, as the model measured it. */
const char *order_cost_words(
    const struct model *model, unsigned threads, char text[ORDER_WORDS]);
/* Warns where samples are shuffled within windows that do not hold all. */
void order_warn(const struct model *model);

#endif
