/*
 * materialize.h - stores the whole dataset in one strategy and folder.
 *
 * The folder is new, empty, or was begun by the same work. Until everything is
 * stored and was read back, the file "presto.partial" in it holds the
 * fingerprint of the work, and is the lock of the folder (lib/files/lock.h).
 * Any other folder is refused and not touched. A second run resumes work that
 * was stopped, and writes nothing if the folder is complete.
 *
 * The manifest of a complete folder decides: a shard that differs from it is
 * reported and written again, and must then match. The same holds for a shard
 * that was just written but reads back differently.
 */
#ifndef STRATEGIES_PREPARE_MATERIALIZE_H
#define STRATEGIES_PREPARE_MATERIALIZE_H

#include "lib/files/temporary.h"
#include "lib/files/temporary_sweep.h"
#include "lib/stores/folder_check.h"
#include "strategies/forecast/footprint.h"
#include "strategies/prepare/prepare.h"

struct error;

struct materialized {
	bool was_complete;    /* there was nothing to do */
	struct prepared made; /* by this call */
	uint64_t samples;     /* in the folder, all read back */
	uint64_t storage_bytes;
	unsigned mended; /* damaged shards that were written again */
	/* findings in words; set also after an error */
	struct folder_check found;
	struct swept swept; /* temporary files of a killed process */
};

/* Predicted needs. */
struct materialize_needs {
	double disk_bytes;
	struct footprint memory;
};

/*
 * Materializes `plan`, which is as for prepare_run; this function finds its
 * fingerprint, its description, and the shards that stand. Too little room on
 * the disk or in memory is ERROR_LIMIT before anything is written. `check`
 * compares every byte of a complete folder with its manifest, not only names
 * and sizes. Release the result in any case.
 */
int materialize_run(const struct prepare_plan *plan,
    const struct materialize_needs *needs, bool check,
    struct materialized *result, struct error *err);
/* ERROR_LIMIT if the disk or the memory has too little room. */
int materialize_check_room(
    const char *dir, const struct materialize_needs *needs, struct error *err);
void materialized_release(struct materialized *result);

#endif
