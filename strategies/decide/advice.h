/*
 * advice.h - a ranking in words: what to do, what it brings, why, and what to
 * be careful with.
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
	ADVICE_WARNINGS = 9
};

/* What a ranking does not know. */
struct surroundings {
	const char *last_split; /* of "fully preprocessed"; NULL: not known */
	double memory_bytes;    /* that may be used; NAN: not known */
	bool interrupted;       /* the session was */
	/*
	 * Options that name the session to commands that words propose, or
	 * NULL: " --db FILE" or so, and whether it is in a database at all.
	 */
	const char *options;
	bool in_database;
};

/* All point into the ranking. */
struct advice {
	const struct candidate *winner;
	/* To compare with, loaded as the winner if there is such; or NULL. */
	const struct candidate *unprocessed;
	const struct candidate *full; /* fully preprocessed */
	/* The best of another strategy that may be recommended; or NULL. */
	const struct candidate *next;
	double break_even_next; /* epochs against it; NAN: never */
	double speedup_over_unprocessed, speedup_over_full; /* NAN: unknown */
	/* What the winner's application cache takes; NAN: none, or unknown. */
	double full_cache_bytes;
	enum answer fits_memory; /* the full dataset, as stored or kept */
	unsigned tied;           /* how many others */
	/* What beats the winner, for a reader that was not asked for. */
	const struct candidate *unread;
	char unread_words[ADVICE_OPEN];
	/* Which others may be the best, where more runs would tell; or "". */
	char open[ADVICE_OPEN];
	/* Of a month, with prices and epochs; else its total is NAN. */
	struct bill bill, unprocessed_bill;
	/* Why the dataset is best read as it is; "" when it is not. */
	char nothing[ADVICE_NOTHING];
	char reason[ADVICE_REASON];
	char warnings[ADVICE_WARNINGS][ADVICE_WARNING];
	unsigned warning_count;
};

/* Of a ranking that has a first. */
void advice_make(struct advice *advice, const struct ranking *ranking,
    const struct request *request, const struct surroundings *surroundings);

#endif
