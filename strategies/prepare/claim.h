/*
 * claim.h - the right to write into a folder: presto.partial in it, which marks
 * the folder as incomplete.
 *
 * On this machine it is a lock (lib/files/lock.h), which one process holds.  An
 * object store has no locks.  There the object is put only if there is none, so
 * that of two works which begin at once one is refused; two processes with the
 * same work write the same bytes to the same names.  Two updates need not: the
 * dataset may change between them.  So an update holds its object (hold.h).
 */
#ifndef STRATEGIES_PREPARE_CLAIM_H
#define STRATEGIES_PREPARE_CLAIM_H

#include <stdbool.h>

#include "lib/files/lock.h"
#include "lib/files/temporary_sweep.h"

struct error;
struct hold;
struct medium;

/* The text of an update begins so; the folder is complete all the same. */
#define CLAIM_UPDATE "update "

struct claim {
	struct medium *medium; /* borrowed */
	struct lock lock;      /* of a local folder */
	struct hold *hold;     /* of an object store; NULL: not held */
	char *path;            /* owned */
	char text[LOCK_TEXT];  /* fingerprint of the work; "": none yet */
};

#define CLAIM_INIT                 \
	{                          \
		.lock = LOCK_INIT, \
	}

/* Is there one?  1, 0, or -1: it cannot be known. */
int claim_is_there(struct medium *medium, const char *dir, struct error *err);
/* Takes the claim of a folder; its text says which work began there. */
int claim_take(struct claim *claim, struct medium *medium, const char *dir,
    struct error *err);
/* Says which work begins; the folder has no text yet. */
int claim_write(struct claim *claim, const char *text, struct error *err);
/*
 * Says which work begins or goes on, and lets no other process do any until the
 * claim is removed or released.
 */
int claim_hold(struct claim *claim, const char *text, struct error *err);
/* Is it still held?  ERROR_SYSTEM if not; from any thread. */
int claim_check(const struct claim *claim, struct error *err);
/* Removes the file: the folder is complete. */
int claim_remove(struct claim *claim, struct error *err);
void claim_release(struct claim *claim);

/*
 * Removes from a folder what killed processes began to write: temporary files,
 * or far uploads. `is_alone`: the caller has the claim. Adds to *swept.  Keys
 * may write objects, and yet list no uploads: that is noted in *swept.
 */
int claim_sweep(struct medium *medium, const char *dir, bool is_alone,
    struct swept *swept, struct error *err);

#endif
