/*
 * prospect.h - a trial that may be measured: its forecast, and what a search
 * says of it.
 *
 * Its figures are those of the forecast, as a report would have them, so that a
 * ranking takes it for a candidate like any other.  They come in two forms: as
 * expected, and at its best, with the upper end of the throughput and the lower
 * ends of preparation and storage.
 */
#ifndef STRATEGIES_SEARCH_PROSPECT_H
#define STRATEGIES_SEARCH_PROSPECT_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/figures/figures.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/strategy.h"

enum prospect_state {
	PROSPECT_OPEN,      /* not measured, and may win */
	PROSPECT_PICKED,    /* to be measured now */
	PROSPECT_RACING,    /* measured; has more runs */
	PROSPECT_KNOWN,     /* measured, and more runs change nothing */
	PROSPECT_BEATEN,    /* measured, and it cannot win */
	PROSPECT_RULED_OUT, /* not measured, since it cannot win */
	PROSPECT_FAILED     /* it could not be measured */
};

enum { PROSPECT_WHY = 256 };

struct prospect {
	const struct strategy *strategy; /* borrowed */
	struct trial_mode mode;
	/* Measured first, whatever is forecast: unprocessed, and yours. */
	bool always;
	/* As forecast, with the texts of the strategy; splits are "". */
	struct figures expected;
	double low_samples_per_s; /* the lower end; 0: it is a guess */
	/* The ends of the forecast that are the best for it. */
	double high_samples_per_s, first_high_samples_per_s;
	double low_prep_s, low_storage_bytes;
	bool over; /* it can have no more runs: time was up for it */

	/* ---- set by the search ---- */
	enum prospect_state state;
	unsigned runs;              /* measured so far */
	double samples_per_s;       /* their median; 0: none */
	double bound_samples_per_s; /* as it was judged by; if not measured */
	char why[PROSPECT_WHY];     /* it is beaten or ruled out; or "" */
};

/* The session that forecasts are made for. */
struct prospect_scene {
	const struct model *model;
	uint64_t samples;    /* taken from the source */
	double full_samples; /* in the full dataset */
	double memory_bytes; /* usable; NAN: not known */
};

/*
 * Makes the prospect of a strategy that is loaded so.  Ends of intervals that
 * the model does not know are guessed, widely (prospect.c).
 */
struct prospect prospect_make(const struct prospect_scene *scene,
    const struct strategy *strategy, struct trial_mode mode);

/* The figures of a prospect at its best, with these bounds. */
struct figures prospect_at_best(const struct prospect *prospect,
    double bound_samples_per_s, double least_prep_s);

/* Is there a forecast of its throughput?  Not where nothing is delivered. */
bool prospect_is_forecast(const struct prospect *prospect);
/*
 * Do both run the same steps online, in the same way of loading?  Then most of
 * what makes one forecast wrong makes the other one wrong as well.
 */
bool prospect_is_like(const struct prospect *a, const struct prospect *b);

/* Was it measured, with runs that count? */
bool prospect_is_measured(const struct prospect *prospect);

#endif
