/*
 * parts.h - materializes one part of a dataset; other processes, on other
 * machines perhaps, make the other parts.
 *
 * Nothing is sent between them. The plan alone decides which shards a part owns
 * (job.h) and which samples these hold, so a shard has the same bytes whoever
 * makes it, and how often. There is no lock: a shard gets its name when it is
 * complete, and replaces one that is the same. A part that died is run again
 * anywhere; it keeps the shards that it had noted (finished.h).
 *
 * A part that is complete, read back, leaves its manifest (part_file.h). The
 * part that finds those of all others joins them (join.h).
 */
#ifndef STRATEGIES_PARTS_PARTS_H
#define STRATEGIES_PARTS_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/files/temporary_sweep.h"
#include "lib/process/part.h"
#include "strategies/parts/join.h"
#include "strategies/prepare/prepare.h"

struct error;
struct job;
struct materialize_needs;

struct part_result {
	bool was_complete;    /* its shards stood already */
	struct prepared made; /* by this call */
	uint64_t samples;     /* in its shards */
	unsigned first, end;  /* its shards */
	unsigned mended;      /* shards that did not read back, made again */
	/* The dataset: was joined by this call, or the folder is complete. */
	struct joined joined;
	struct swept swept; /* temporary files of a killed process */
};

/*
 * Makes one part of `plan`, which is as for materialize_run. The job that is
 * there must be of the same plan and number of parts; `known` is that job, and
 * is taken over, or is empty. Then joins all parts if this was the last one.
 * Too little room is ERROR_LIMIT.
 */
int parts_run(const struct prepare_plan *plan,
    const struct materialize_needs *needs, const struct part *part,
    struct job *known, struct part_result *result, struct error *err);
/*
 * Joins the parts of the job `known`, which is taken over. With `is_whole` all
 * samples are read back before; else sizes and indexes are compared, since each
 * part was read back by the process that made it.
 */
int parts_finish(const struct prepare_plan *plan, bool is_whole,
    struct job *known, struct joined *joined, struct error *err);

#endif
