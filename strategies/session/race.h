/*
 * race.h - the session of a search that measures a part of the strategies.
 *
 * Strategies are prepared and checked one after the other, as the search picks
 * them.  A new one has its first run beside the best one that has too few.
 * While none is picked, those that race have their runs in rounds, in an order
 * drawn anew each time, until the search says that the decision stands, or time
 * is up.
 * All trials have the rounds of the session: the n-th run of each was made in
 * round n, if it was made at all.
 *
 * After each round the figures are derived from the database by the rule that
 * presto recommend reads (strategies/decide/derive.h), so the race and the
 * recommendation cannot disagree.
 *
 * Trials that were not measured are stored with their forecast, the bound, and
 * why they cannot win.
 */
#ifndef STRATEGIES_SESSION_RACE_H
#define STRATEGIES_SESSION_RACE_H

struct error;
struct session;

/* Measures the strategies of the session's plan by its search. */
int race_run(struct session *session, struct error *err);

#endif
