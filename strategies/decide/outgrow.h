/*
 * outgrow.h - the runs by which a trial with the full dataset is judged.
 *
 * Data that fits in memory stays there, and the trial is judged by its own
 * runs.  Data that does not has left the cache before it is read again, so each
 * epoch is a cold one.  Then the trial is judged by
 *
 *	1. the trial with cache `none` of the same strategy and threads: its
 *	   median, interval and rounds;
 *	2. without one, the first epochs of its own runs, which began with cold
 *	   data;
 *	3. without these, nothing: warm runs only say what it cannot exceed.
 */
#ifndef STRATEGIES_DECIDE_OUTGROW_H
#define STRATEGIES_DECIDE_OUTGROW_H

struct error;
struct ranking;
struct request;

/* Sets full.outgrows_memory of all candidates, and judges them. */
int ranking_look_at_memory(
    struct ranking *ranking, const struct request *request, struct error *err);

#endif
