/*
 * standing.h - the shards in the folder of a materialize that stand: they are
 * whole, and stay as they are.
 *
 * In a folder with a manifest these are the shards that match it; in one
 * without, the shards that this work has noted (finished.h). All others are
 * written again, and reported.
 */
#ifndef STRATEGIES_PREPARE_STANDING_H
#define STRATEGIES_PREPARE_STANDING_H

#include <stdbool.h>

#include "lib/stores/folder_check.h"
#include "lib/stores/manifest.h"
#include "strategies/prepare/finished.h"
#include "strategies/prepare/origin.h"

struct error;
struct prepare_plan;

struct standing {
	struct manifest truth;
	bool has_truth;
	struct finished finished; /* only without a manifest */
	bool *stands;             /* [shards] */
	unsigned count;           /* shards that stand */
	enum origin origin;       /* result of origin_check */
};

#define STANDING_INIT                                              \
	{                                                          \
		.truth = MANIFEST_INIT, .finished = FINISHED_INIT, \
	}

/* Reads the manifest, if the folder has one. */
int standing_read(struct standing *standing, const struct prepare_plan *plan,
    struct error *err);
/* Compares folder and manifest, byte by byte if `is_whole`, into `found`. */
int standing_compare(struct standing *standing, const struct prepare_plan *plan,
    bool is_whole, struct folder_check *found, struct error *err);
/* Takes over the shards noted in a begun folder, and goes on noting. */
int standing_resume(struct standing *standing, const struct prepare_plan *plan,
    struct error *err);
/* Lets no shard stand, since the dataset of the samples is not known. */
void standing_forget(struct standing *standing, unsigned shards);
/* Returns the plan with what is known of its folder. */
struct prepare_plan standing_plan(
    struct standing *standing, const struct prepare_plan *plan);
/* Reports files in the complete folder that presto did not write. */
int standing_foreign(const struct prepare_plan *plan,
    struct folder_check *found, struct error *err);
void standing_release(struct standing *standing);

#endif
