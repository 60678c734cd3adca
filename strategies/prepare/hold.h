/*
 * hold.h - a claim at an object store, which has no locks: an object that one
 * living process holds.
 *
 * The object has the two lines of a lock's file (lib/files/lock.h): the work,
 * and who holds it.  The holder puts it anew every few seconds with another
 * number in its second line, a sign of life, and each time in place of what it
 * put before only (If-Match).  Without a second line the claim is free.
 *
 * Who finds it held watches it, by its own clock.  If it changes, its holder
 * lives, and the claim is refused.  If it stays the same for `dead_ns`, its
 * holder counts as dead and the claim is taken over, by one process.  A holder
 * that was stopped for so long notices before it writes on: hold_check.
 */
#ifndef STRATEGIES_PREPARE_HOLD_H
#define STRATEGIES_PREPARE_HOLD_H

#include <stdint.h>

struct error;
struct hold;
struct medium;

struct hold_times {
	uint64_t sign_ns; /* between two signs of life */
	uint64_t dead_ns; /* without a sign, then the holder is dead */
};

extern const struct hold_times hold_times_default; /* 2 s and 30 s */

/*
 * Holds the object for the work of this name; one that other work put there is
 * an error.  All is borrowed, and lives longer.
 */
struct hold *hold_new(struct medium *medium, const char *path, const char *text,
    const struct hold_times *times, struct error *err);
/*
 * Is it still held, and will others believe so for most of dead_ns?
 * ERROR_SYSTEM: another process has taken it over.  From any thread.
 */
int hold_check(struct hold *hold, struct error *err);
/* Removes the object, unless it was taken over. */
int hold_remove(struct hold *hold, struct error *err);
/* Lets go: the object stays, and is free.  NULL is fine. */
void hold_free(struct hold *hold);

#endif
