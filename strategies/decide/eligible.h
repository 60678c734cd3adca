/*
 * eligible.h - decides which trials are rivals: the requested reader can read
 * them, and they were measured in the cache mode assumed for the full dataset.
 */
#ifndef STRATEGIES_DECIDE_ELIGIBLE_H
#define STRATEGIES_DECIDE_ELIGIBLE_H

struct ranking;
struct request;

/*
 * Sets `readable` and `assumed` of all candidates, and the ranking's cache
 * mode: warm if some trial fits in memory with the full dataset, else cold.
 * `outgrows_memory` is set before.
 */
void ranking_find_rivals(
    struct ranking *ranking, const struct request *request);

/* Sets `unranked` of all candidates without a rank. */
void ranking_say_unranked(
    struct ranking *ranking, const struct request *request);

#endif
