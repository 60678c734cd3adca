/*
 * order.h - which candidates are tied, and in which order all stand.
 *
 * One beats another clearly when its median is better and the intervals are
 * disjoint with 2 % of grace: those of their ratio to the fastest, round by
 * round, where both have such, else their own.  Who is beaten by no other that
 * is ranked is unbeaten: the runs do not tell whether it is the best.
 *
 * The best and the unbeaten are tied.  By throughput the cheapest of them
 * wins, and so a tie is there no excuse for a slow one: nobody is tied who is
 * slower, by the median, than the best by a tenth, or than unprocessed at all.
 * By the other objectives the best median wins.
 */
#ifndef STRATEGIES_DECIDE_ORDER_H
#define STRATEGIES_DECIDE_ORDER_H

#include <stdbool.h>

struct candidate;
struct ranking;
struct request;

/* Does it beat the other clearly, by the objective that is asked for? */
bool candidate_beats(const struct candidate *a, const struct candidate *b,
    const struct request *request);

void ranking_order(struct ranking *ranking, const struct request *request);

#endif
