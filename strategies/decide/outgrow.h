/*
 * outgrow.h - finds the trials that stayed in memory while a part of the
 * dataset was profiled, but would not with the full dataset.
 */
#ifndef STRATEGIES_DECIDE_OUTGROW_H
#define STRATEGIES_DECIDE_OUTGROW_H

struct ranking;
struct request;

/*
 * Sets full.outgrows_memory and full.throughput of all candidates.  Data that
 * does not fit in memory is dropped from the cache before it is read again, so
 * each epoch is like a cold one.
 */
void ranking_look_at_memory(
    struct ranking *ranking, const struct request *request);

#endif
