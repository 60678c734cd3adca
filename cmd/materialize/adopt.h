/*
 * adopt.h - takes from the folder what the command line leaves out: strategy,
 * order and seed of the job whose parts are written there.
 */
#ifndef CMD_MATERIALIZE_ADOPT_H
#define CMD_MATERIALIZE_ADOPT_H

#include <stdbool.h>

#include "lib/base/units.h"
#include "strategies/parts/job.h"

struct error;
struct materialize_args;
struct part;

struct adopted {
	struct job job;
	bool has_job;
	/* Texts that the arguments point to. */
	char strategy[JOB_STRATEGY], shuffle[UNITS_TEXT], seed[UNITS_TEXT];
	struct buf skipped;
};

#define ADOPTED_INIT                                  \
	{                                             \
		.job = JOB_INIT, .skipped = BUF_INIT, \
	}

/*
 * Completes the arguments of a part, or of --finish. With --finish a complete
 * folder will do, and one with neither is ERROR_DATA. Where an engine starts
 * many parts at once, all but the first wait a while for its job, so that not
 * all of them list the dataset. `adopted` must outlive the arguments; release
 * it in any case.
 */
int adopt_folder(struct adopted *adopted, struct materialize_args *args,
    const struct part *part, struct error *err);
/* Gives each part its own list of skipped samples: FILE.part-000001. */
int adopt_skipped(struct adopted *adopted, struct materialize_args *args,
    const struct part *part, struct error *err);
void adopted_release(struct adopted *adopted);

#endif
