/* worth.h - computes the worth of each candidate by the objective. */
#ifndef STRATEGIES_DECIDE_WORTH_H
#define STRATEGIES_DECIDE_WORTH_H

struct ranking;
struct request;

/*
 * Sets the worth and score of all candidates, whether they meet the
 * constraints, and totals, cost and break-even.  All follow from the throughput
 * by which a candidate is judged (outgrow.h).
 */
void ranking_value(struct ranking *ranking, const struct request *request);

#endif
