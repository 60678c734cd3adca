/*
 * made_shards.h - makes shards of a folder whose manifest does not list them
 * yet, reads them back, and makes those again, once, that are damaged.
 */
#ifndef STRATEGIES_PREPARE_MADE_SHARDS_H
#define STRATEGIES_PREPARE_MADE_SHARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "strategies/prepare/prepare.h"

struct error;
struct store_form;

struct made_shards {
	struct prepared made; /* by this call */
	uint64_t samples;     /* that were read back */
	unsigned mended;      /* shards that did not read back, made again */
};

/*
 * Makes the shards of the plan that do not stand, and reads back those that
 * `owned`, [shards], marks; NULL: all. `stands` is plan->folder.stands: a shard
 * that is damaged is cleared there. The sums in *made are set also on failure.
 */
int made_shards_run(const struct prepare_plan *plan, bool *stands,
    const bool *owned, struct made_shards *made, struct error *err);
/*
 * Reads the shards back that `which`, [shards], marks; NULL: all. Sets the
 * number of their samples. ERROR_DATA if one is damaged.
 */
int made_shards_read(const struct prepare_plan *plan, const bool *which,
    uint64_t *samples, struct error *err);
/* The form of the plan's shards. */
int made_shards_form(const struct prepare_plan *plan, struct store_form *form,
    struct error *err);

#endif
