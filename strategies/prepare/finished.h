/*
 * finished.h - notes the shards that the work on a folder has finished, in
 * presto.finished, until the folder has a manifest.
 *
 * A shard in the folder may have been made by other work, even if it matches
 * its own index. So size and checksum of each index are noted here before the
 * shard gets its name. Work that resumes takes over only noted shards:
 *	presto finished FINGERPRINT
 *	SHARD BYTES CHECKSUM
 *	...
 * A line that a crash cut off is ignored.
 *
 * An object store appends to nothing.  There a note is the name of an empty
 * object, presto.finished/FINGERPRINT/SHARD-BYTES-CHECKSUM.
 */
#ifndef STRATEGIES_PREPARE_FINISHED_H
#define STRATEGIES_PREPARE_FINISHED_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/formats/file_list.h"

struct error;
struct medium;

#define FINISHED_NAME "presto.finished"

/* Where notes are: DIR/NAME. */
struct finished_place {
	struct medium *medium;
	const char *dir, *name; /* name: FINISHED_NAME */
};

struct finished {
	char *path; /* owned; NULL: not open */
	int fd;     /* of a local file */
	struct medium *medium;
	unsigned shards;
	struct file_sum *indexes; /* [shards]; 0 bytes: not finished */
};

#define FINISHED_INIT    \
	{                \
		.fd = -1 \
	}

/*
 * Reads the notes of the work with this fingerprint, and gets ready to add
 * more; notes of other work are dropped. The caller owns the folder's lock.
 */
int finished_open(struct finished *finished, const struct finished_place *place,
    const char *fingerprint, unsigned shards, struct error *err);
/* Adds a synced shard; from any thread. */
int finished_add(const struct finished *finished, unsigned shard,
    const struct file_sum *index, struct error *err);
/*
 * Calls `visit` for each note, whatever the fingerprint of its work. -1 when
 * `visit` returns -1.
 */
typedef int finished_visit(void *arg, const char *fingerprint, unsigned shard,
    const struct file_sum *index, struct error *err);
int finished_each(const struct finished_place *place, finished_visit *visit,
    void *arg, struct error *err);
/*
 * Removes the file, also one that a killed process left: the manifest replaces
 * it. It is no error if there is none.
 */
int finished_remove(const struct finished_place *place, struct error *err);
void finished_close(struct finished *finished); /* the file stays */

#endif
