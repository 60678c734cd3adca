/*
 * derive.h - the rule by which derived rows are computed from measured ones:
 * the figures of each trial and run, what they are with the full dataset, and
 * ratios (derived_session.h); and the ranking (rank.h).
 *
 * lib/db stores the rows and says when they are needed (lib/db/derived.h); it
 * is given this rule, since it may not call strategies.
 */
#ifndef STRATEGIES_DECIDE_DERIVE_H
#define STRATEGIES_DECIDE_DERIVE_H

#include <stdbool.h>

struct error;
struct results;
struct results_rule;

/* Its version is raised when any derived row would be another one. */
extern const struct results_rule derive_rule;

/*
 * As results_open, and sets the rule.  With `create` missing derived rows of
 * all sessions are computed at once: the views of a database that has been
 * brought up to date have figures only then.
 */
struct results *derive_open(const char *path, bool create, struct error *err);

#endif
