/*
 * trial_disk.h - the runs of cache disk: each begins with an empty cache of far
 * files (storage.cache), in a folder of its own in the one that the file names.
 * So the first epoch reads the server and fills it, and the later ones read the
 * local disk; what other processes keep there is neither read nor removed.
 * For other cache modes nothing is done.
 */
#ifndef STRATEGIES_TRIAL_TRIAL_DISK_H
#define STRATEGIES_TRIAL_TRIAL_DISK_H

#include "lib/files/lock.h"
#include "strategies/trial/trial.h"

struct trial_disk {
	char *dir; /* owned; NULL: none */
	struct lock lock;
};

#define TRIAL_DISK_INIT            \
	{                          \
		.lock = LOCK_INIT, \
	}

int trial_disk_begin(
    struct trial_disk *disk, const struct trial_plan *plan, struct error *err);
/* Removes the folder; returns `rc`, or -1 when that fails. */
int trial_disk_end(struct trial_disk *disk, const struct trial_plan *plan,
    int rc, struct error *err);

#endif
