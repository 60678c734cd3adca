/*
 * order.h - finds the candidates that are tied, and puts all in order.
 *
 * Two candidates are compared by intervals of their worth.  The intervals are
 * those of the ratios to the same trial, round by round, if both have them,
 * else those of the throughputs.
 *
 * A candidate beats another clearly if its median is better and the intervals
 * are more than 2 % apart.  Candidates that no other ranked one beats are tied:
 * which of them is the best is not known.
 *
 * The loss of a tied candidate is the most by which another one may be better,
 * at the ends of their intervals.  If the objective is a rate, the cheapest of
 * the candidates wins that may lose 5 % at most; if there is none, the cheapest
 * of those whose loss is within 5 % of the least.  So a slow or unsure
 * candidate does not win by a tie.  By other objectives the best median wins.
 *
 * test/simulate shows how much these rules lose under noise.
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

/*
 * Returns the most by which `a` may be better than `b`: 2 is twice the rate, or
 * half of the time or the money.  By an objective with scores, 1.1 is a tenth
 * of their scale, but no more than the noise of the throughputs: the scale is
 * that of the candidates, and may be narrow.  NAN: not known.
 */
double candidate_gain(const struct candidate *a, const struct candidate *b,
    const struct request *request);

/* A gain up to this one does not count: 5 % of the better one. */
extern const double gain_allowed;
/* Where a gain may be this one, twofold, the winner is no answer. */
extern const double gain_decisive;

void ranking_order(struct ranking *ranking, const struct request *request);

#endif
