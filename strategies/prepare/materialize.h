/*
 * materialize.h - the whole dataset in one strategy, in a folder of its own.
 *
 * The folder is new, empty, or one that the same work began: the file
 * "presto.partial" with the work's fingerprint says so until all is there and
 * was read back.  That file is the lock of the folder, too (lib/files/lock.h).
 * Anything else is refused and left alone.  Run again, it goes on where it
 * stopped; when all is there, nothing is written.
 *
 * The manifest of a complete folder is the truth: what differs from it is
 * written anew, and said, and must become what the manifest says.  The same
 * holds for a shard that was just written and reads back as something else.
 */
#ifndef STRATEGIES_PREPARE_MATERIALIZE_H
#define STRATEGIES_PREPARE_MATERIALIZE_H

#include "lib/files/temporary.h"
#include "lib/stores/folder_check.h"
#include "strategies/forecast/footprint.h"
#include "strategies/prepare/prepare.h"

struct error;

struct materialized {
	bool was_complete;    /* nothing was to do */
	struct prepared made; /* by this call */
	uint64_t samples;     /* in the folder, all read back */
	uint64_t storage_bytes;
	unsigned mended; /* shards that were damaged, and written again */
	struct folder_check found; /* in words; also when it failed */
	struct swept swept;        /* temporary files of one that was killed */
};

/* What it will take, about. */
struct materialize_needs {
	double disk_bytes;
	struct footprint memory;
};

/*
 * `plan` as for prepare_run, but for its fingerprint, describe, and what
 * stands, which are found here.  Less room than it needs, on the disk or in
 * memory, is ERROR_LIMIT before anything is written.  With `check` every byte
 * of a folder that is complete by names and sizes is compared with the
 * manifest.  Release the result in any case.
 */
int materialize_run(const struct prepare_plan *plan,
    const struct materialize_needs *needs, bool check,
    struct materialized *result, struct error *err);
void materialized_release(struct materialized *result);

#endif
