/*
 * order.h - finds the candidates that are tied, and puts all in order.
 *
 * A candidate beats another clearly if its median is better and the intervals
 * are more than 2 % apart.  The intervals are those of the ratios to the
 * fastest trial, round by round, if both have them, else those of the
 * throughputs.  A candidate that no other ranked one beats may be the best: it
 * is unbeaten.
 *
 * Unbeaten candidates are tied.  If the objective is a rate, the cheapest of
 * the tied ones wins.  So that a slow one cannot win by a tie, its median must
 * be at least nine tenths of the best, and not below that of unprocessed.  By
 * other objectives the best median wins.
 */
#ifndef STRATEGIES_DECIDE_ORDER_H
#define STRATEGIES_DECIDE_ORDER_H

#include <stdbool.h>

struct candidate;
struct ranking;
struct request;

/* Does `a` beat `b` clearly, by the objective of the request? */
bool candidate_beats(const struct candidate *a, const struct candidate *b,
    const struct request *request);

void ranking_order(struct ranking *ranking, const struct request *request);

#endif
