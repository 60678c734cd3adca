/*
 * eligible.h - which trials are rivals: those that the reader who was asked
 * for takes, in the cache mode that the full dataset is assumed to have.
 */
#ifndef STRATEGIES_DECIDE_ELIGIBLE_H
#define STRATEGIES_DECIDE_ELIGIBLE_H

struct ranking;
struct request;

/*
 * Sets `readable` and `assumed` of all candidates, and the ranking's cache
 * mode: figures of a warm cache are for what fits in memory, those of none for
 * what does not.  `outgrows_memory` is known.
 */
void ranking_find_rivals(
    struct ranking *ranking, const struct request *request);

/* Sets `unranked` of all that have no rank. */
void ranking_say_unranked(
    struct ranking *ranking, const struct request *request);

#endif
