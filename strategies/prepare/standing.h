/*
 * standing.h - what stands in the folder of a materialize, and may stay.
 *
 * Of a folder with a manifest, what the manifest says; of one that was begun,
 * the shards that this work has noted (finished.h).  Everything else is written
 * anew, and said.
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
	struct finished finished; /* of a folder without a manifest */
	bool *stands;             /* [shards] */
	unsigned count;           /* shards that stand */
	enum origin origin;       /* the dataset against its inventory */
};

#define STANDING_INIT                                              \
	{                                                          \
		.truth = MANIFEST_INIT, .finished = FINISHED_INIT, \
	}

/* Is there a manifest in the folder?  Then it is read. */
int standing_read(struct standing *standing, const struct prepare_plan *plan,
    struct error *err);
/*
 * Compares the folder with its manifest, every byte of it if `is_whole`; what
 * is found goes to `found`.
 */
int standing_compare(struct standing *standing, const struct prepare_plan *plan,
    bool is_whole, struct folder_check *found, struct error *err);
/* Takes over what was noted in a folder that was begun, and goes on noting. */
int standing_resume(struct standing *standing, const struct prepare_plan *plan,
    struct error *err);
/* Nothing stands: where the samples are from is not known. */
void standing_forget(struct standing *standing, unsigned shards);
/* The same plan, but for what stands. */
struct prepare_plan standing_plan(
    struct standing *standing, const struct prepare_plan *plan);
/* Adds what is in the complete folder, and not of presto. */
int standing_foreign(const struct prepare_plan *plan,
    struct folder_check *found, struct error *err);
void standing_release(struct standing *standing);

#endif
