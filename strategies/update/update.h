/*
 * update.h - brings a materialised folder up to its dataset: a new version of
 * it (lib/formats/history.h).
 *
 * New and changed samples go into new shards behind those that are there. What
 * was removed or changed is left out by the new manifest (left_samples.h). No
 * other file of an earlier version is written, except README.md, so readers of
 * earlier versions go on, and these stay readable. The manifest is replaced
 * last: if an update is stopped, the folder is as before. The next update takes
 * the shards over that are finished, if it stores the same samples; else it
 * removes them.
 */
#ifndef STRATEGIES_UPDATE_UPDATE_H
#define STRATEGIES_UPDATE_UPDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/files/temporary_sweep.h"
#include "lib/stores/folder_check.h"
#include "strategies/prepare/prepare.h"

struct error;

struct update_plan {
	/*
	 * As for materialize_run: `source` is the whole dataset as it is now.
	 * Strategy, order and seed are those of the folder. Shards are counted
	 * here.
	 */
	struct prepare_plan prepare;
	/*
	 * Opens some files of the dataset alone, for sources whose files have
	 * several samples. The names are those of the inventory.
	 */
	struct reader *(*open_files)(void *arg, const char *const *names,
	    size_t count, struct error *err);
	void *arg;
	uint64_t *total; /* gets the samples to store; may be NULL */
	bool dry_run;    /* write nothing */
	bool check;      /* compare all bytes with the manifest before */
};

struct updated {
	bool was_current;  /* there was nothing to do */
	uint64_t version;  /* the newest one; with dry_run: the next one */
	bool counts_files; /* the next three are files, not samples */
	uint64_t added, changed, removed;
	uint64_t samples; /* in this version */
	uint64_t shards;  /* new ones */
	unsigned mended;  /* new shards made again: they did not read back */
	struct prepared made;
	struct folder_check found; /* set also after an error */
	struct swept swept;
};

int update_run(
    const struct update_plan *plan, struct updated *updated, struct error *err);
void updated_release(struct updated *updated);

#endif
