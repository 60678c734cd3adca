/*
 * finished.h - which shards the work on a folder has written so far:
 * presto.finished, until there is a manifest.
 *
 * A shard that stands in the folder may be another's, however well it agrees
 * with its own index.  So the size and the checksum of each index are noted
 * here before the shard gets its name, and who goes on with the folder takes
 * over only what is noted:
 *	presto finished FINGERPRINT
 *	SHARD BYTES CHECKSUM
 *	...
 * A line that was cut off by a crash counts for nothing.
 */
#ifndef STRATEGIES_PREPARE_FINISHED_H
#define STRATEGIES_PREPARE_FINISHED_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/formats/file_list.h"

struct error;

#define FINISHED_NAME "presto.finished"

struct finished {
	char *path; /* owned; NULL: not open */
	int fd;
	unsigned shards;
	struct file_sum *indexes; /* [shards]; 0 bytes: not finished */
};

#define FINISHED_INIT    \
	{                \
		.fd = -1 \
	}

/*
 * Reads what the work with this fingerprint has noted, and goes on noting;
 * what another one noted is dropped.  For the owner of the folder's lock.
 */
int finished_open(struct finished *finished, const char *dir,
    const char *fingerprint, unsigned shards, struct error *err);
/* Notes a shard, synced.  By any thread. */
int finished_add(const struct finished *finished, unsigned shard,
    const struct file_sum *index, struct error *err);
/*
 * Removes the file of a folder, also one that a killed process left: the
 * manifest says it all now.  No file is fine.
 */
int finished_remove(const char *dir, struct error *err);
void finished_close(struct finished *finished); /* the file stays */

#endif
