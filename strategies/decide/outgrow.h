/*
 * outgrow.h - what stayed in memory while a part of the dataset was profiled,
 * and would not with all of it.
 */
#ifndef STRATEGIES_DECIDE_OUTGROW_H
#define STRATEGIES_DECIDE_OUTGROW_H

struct ranking;
struct request;

/*
 * Sets outgrows_memory and full_throughput of all candidates.  Beyond the
 * memory each epoch is as a cold one: data that is read once an epoch, in turn
 * or in any order, is thrown out before it is read again.
 */
void ranking_look_at_memory(
    struct ranking *ranking, const struct request *request);

#endif
