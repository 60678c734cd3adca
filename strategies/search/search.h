/*
 * search.h - which trials of a session are measured, and for how many runs.
 *
 * Each trial that a plan asks for is a prospect (prospect.h).  A search picks
 * the prospect to be measured next.  After each round it looks at all figures,
 * and says which trials have more runs.  It measures nothing itself: a session
 * does (strategies/session/race.h), or a test.
 *
 *	search_init	with the prospects of a plan, or without any
 *	search_look	judges all prospects by what is measured so far
 *	search_pick	the next one to measure; NULL: the others are not
 *	search_finish	says of those that were left why they were
 *
 * A search is a `const struct search_ops` in a file of its own, listed in
 * strategies/search/searches.def.  Nothing else names one.
 */
#ifndef STRATEGIES_SEARCH_SEARCH_H
#define STRATEGIES_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strategies/decide/rank.h"
#include "strategies/search/prospect.h"

struct error;
struct figures_list;
struct search;

struct search_ops {
	const char *name;
	const char *summary; /* one phrase, no full stop */
	bool is_default;     /* one is */
	/* Every trial has all its runs: there is nothing to judge or to pick.
	 */
	bool is_exhaustive;
	/* Sets the state of each prospect, and the words why. */
	int (*judge)(struct search *search, const struct figures_list *measured,
	    struct error *err);
	/* The best of the open ones; NULL in *picked: none is wanted. */
	int (*pick)(
	    struct search *search, struct prospect **picked, struct error *err);
	/* Why an open prospect was left out, if there was time for it. */
	const char *left;
};

#define SEARCH(name) extern const struct search_ops search_##name;
#include "strategies/search/searches.def"
#undef SEARCH

const struct search_ops *search_find(const char *name); /* NULL: unknown */
const struct search_ops *search_at(size_t i); /* NULL behind the last */
const struct search_ops *search_default(void);
/* The search of this name; ERROR_USAGE names the nearest.  NULL: default. */
const struct search_ops *search_parse(const char *name, struct error *err);

/* The words why a prospect is ruled out begin so where its bound is beaten. */
#define SEARCH_CANNOT_WIN "it cannot win"

/* A search is told this once; all borrowed. */
struct search_plan {
	const struct search_ops *ops;
	const struct request *request; /* by which the winner is found */
	/* Runs of a trial: those that it has, and the most while it is open. */
	unsigned least, most;
	uint64_t seed;
};

struct search {
	struct search_plan plan;
	struct request request; /* for rankings: the order is all they need */
	struct prospect *list;  /* owned */
	size_t count, capacity;
	/* The places in `list` of prospects with runs, at the last look; owned.
	 */
	size_t *ran;
	size_t ran_count, ran_capacity;
	/*
	 * How far trials were faster than the upper end of their forecast, at
	 * least 1.  Bounds are raised by it.
	 */
	double passed;
	/*
	 * The least of what preparations took, in terms of their forecasts; 0:
	 * none was measured.
	 */
	double least_prep;
};

void search_init(struct search *search, const struct search_plan *plan);
void search_release(struct search *search);
/* Adds a prospect; it is copied. */
int search_add(
    struct search *search, const struct prospect *prospect, struct error *err);

/*
 * Judges all prospects.  `measured` are the figures of all trials that have
 * runs, failed or were skipped, as the report of the session has them; but
 * their number, `trial`, is the place of the prospect in the list, from 1.
 */
int search_look(struct search *search, const struct figures_list *measured,
    struct error *err);
/* Marks the prospect as picked. */
int search_pick(
    struct search *search, struct prospect **picked, struct error *err);
/* Has a trial of this strategy, loaded so, been picked? */
bool search_wants(const struct search *search, const struct strategy *strategy,
    struct trial_mode mode);
/* Is there a prospect in this state? */
bool search_has(const struct search *search, enum prospect_state state);
/*
 * The most that a prospect can reach, in samples/s.  It is the upper end of its
 * forecast, raised where trials have passed theirs.  Where a trial that is like
 * it was measured, the two forecasts are taken to have half of their error, as
 * a factor, in common: that half is known now.
 */
double search_bound(
    const struct search *search, const struct prospect *prospect);
/*
 * The least that its preparation may take, in seconds: the lower end of its
 * forecast.  Preparations share the machine and most steps, so once others were
 * measured, half of the error is that of the quickest of these.
 */
double search_least_prep_s(
    const struct search *search, const struct prospect *prospect);
/* Says of open prospects why they are left out; `late`: time was up. */
void search_finish(struct search *search, bool late);

#endif
