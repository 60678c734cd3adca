/*
 * advice.h - the recommendation that follows from a ranking: the winner, how it
 * compares with doing nothing, the reason in words, and warnings.
 */
#ifndef STRATEGIES_DECIDE_ADVICE_H
#define STRATEGIES_DECIDE_ADVICE_H

#include <stdbool.h>

#include "strategies/decide/rank.h"
#include "strategies/whatif/prices.h"

enum {
	ADVICE_REASON = 768,
	ADVICE_WARNING = 512,
	ADVICE_NOTHING = OBJECTIVE_TEXT,
	ADVICE_OPEN = 512,
	ADVICE_NAME = 192,
	ADVICE_WARNINGS = 10
};

/* Facts about the session that are not in the ranking. */
struct surroundings {
	const char *last_split; /* stores fully preprocessed data; or NULL */
	double memory_bytes;    /* usable; NAN: not known */
	bool interrupted;
	/* Options that name the session to commands: " --db FILE"; or NULL. */
	const char *options;
	bool in_database; /* the session is there, and not in a report file */
};

/* Its candidates belong to the ranking. */
/* The winner against the user's own loader in its cache mode. */
struct advice_yours {
	const struct candidate *candidate; /* NULL: it was not measured */
	double speedup;                    /* as measured; NAN: not known */
	double break_even; /* epochs; NAN: never, or not known */
};

struct advice {
	const struct candidate *winner;
	/* Unprocessed, loaded like the winner if that was measured; or NULL. */
	const struct candidate *unprocessed;
	const struct candidate *full; /* fully preprocessed; or NULL */
	/* The best trial of another strategy with a rank; or NULL. */
	const struct candidate *next;
	double break_even_next; /* epochs against it; NAN: never */
	double speedup_over_unprocessed, speedup_over_full; /* NAN: unknown */
	struct advice_yours yours;
	/* Bytes of the winner's application cache; NAN: none, or not known. */
	double full_cache_bytes;
	enum answer fits_memory; /* the full dataset, as stored or kept */
	unsigned tied;           /* number of others tied with the winner */
	unsigned as_good; /* number of these that are known to be as good */
	/* Beats the winner, but needs a reader not asked for; or NULL. */
	const struct candidate *unread;
	char unread_words[ADVICE_OPEN];
	/* The tied one that may be better by most, or NULL. */
	const struct candidate *rival;
	/*
	 * "these runs cannot tell A from B; ...": the winner may lose more than
	 * is allowed, and more runs may settle it; or "".
	 */
	char open[ADVICE_OPEN];
	/* A rival may be twice as good: the winner is no answer. */
	bool is_inconclusive;
	/* The winner or a trial tied with it was not measured cold. */
	bool needs_cold;
	/* For a month; the total is NAN without prices or epochs. */
	struct bill bill, unprocessed_bill;
	/* Why unprocessed is the winner; "": it is not. */
	char nothing[ADVICE_NOTHING];
	char reason[ADVICE_REASON];
	char warnings[ADVICE_WARNINGS][ADVICE_WARNING];
	unsigned warning_count;
};

/* Makes the advice of a ranking, which has a ranked candidate. */
void advice_make(struct advice *advice, const struct ranking *ranking,
    const struct request *request, const struct surroundings *surroundings);

#endif
