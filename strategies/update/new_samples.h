/*
 * new_samples.h - the samples that an update stores, as a dataset of their own:
 * those of the whole dataset that are new or have changed.
 */
#ifndef STRATEGIES_UPDATE_NEW_SAMPLES_H
#define STRATEGIES_UPDATE_NEW_SAMPLES_H

#include "lib/folder/inventory.h"

struct description;
struct difference;
struct error;
struct reader;
struct update_plan;

struct new_samples {
	/* Their files, and behind them those that steps read besides. */
	struct inventory files;
	struct reader *reader; /* owned; NULL: not open */
};

#define NEW_SAMPLES_INIT                 \
	{                                \
		.files = INVENTORY_INIT, \
	}

/*
 * Opens those that `difference` has chosen; there are some. ERROR_USAGE if
 * their labels stand for other classes than those of `then`, the newest
 * version. Release it in any case.
 */
int new_samples_open(struct new_samples *added, const struct update_plan *plan,
    const struct description *then, const struct difference *difference,
    struct error *err);
void new_samples_release(struct new_samples *added);

#endif
