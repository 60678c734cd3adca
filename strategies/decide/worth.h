/*
 * worth.h - what the objective says of each candidate of a ranking.
 */
#ifndef STRATEGIES_DECIDE_WORTH_H
#define STRATEGIES_DECIDE_WORTH_H

struct ranking;
struct request;

/*
 * Sets the worth and score of all candidates, whether they meet the
 * constraints, and totals, cost and break-even.  worth_high and paired_high
 * are with 2 % of grace: what is slower by that is as good.
 */
void ranking_value(struct ranking *ranking, const struct request *request);

#endif
