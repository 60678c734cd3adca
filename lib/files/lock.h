/*
 * lock.h - a file that one process at a time holds: the right to write into a
 * folder, or to continue a session.
 *
 * The file is locked first and written to afterwards; it is never replaced by a
 * rename.  The previous holder may have removed it meanwhile: so a process that
 * got the lock checks that the name still leads to the locked file, and starts
 * over if not.  Thus two processes never hold the lock of one name.  The kernel
 * releases the lock when the process ends in any way, also on another host of a
 * network file system.  Where the file system has no locks, a second file has
 * their place: lock_held.h.
 *
 * The file has two lines.  The first belongs to the caller (lock_write) and
 * stays when the process ends.  The second tells others who holds the lock.
 */
#ifndef LIB_FILES_LOCK_H
#define LIB_FILES_LOCK_H

#include <stdbool.h>

struct error;

enum { LOCK_TEXT = 256 };

struct lock {
	int fd;               /* -1: not held */
	bool by_name;         /* the file system has no locks: lock_held.h */
	char *path;           /* owned */
	char text[LOCK_TEXT]; /* the first line; "": none */
};

#define LOCK_INIT         \
	{                 \
		.fd = -1, \
	}

/*
 * Takes the lock; creates the file if it is missing.  ERROR_SYSTEM says which
 * process holds it, on which host, and since when.
 */
int lock_take(struct lock *lock, const char *path, struct error *err);
/* Replaces the first line of the file and syncs it; `text` has no newline. */
int lock_write(struct lock *lock, const char *text, struct error *err);
/* Releases the lock, if it is held.  The file stays if it has a first line. */
void lock_release(struct lock *lock);
/* Removes the file, then releases the lock. */
int lock_remove(struct lock *lock, struct error *err);
/*
 * Locks an open file until it is closed, and writes nothing.  Returns 1; 0:
 * another has the lock; -1: the file system has no locks.
 */
int lock_file(int fd);
/* Unlocks it, also where the child of a fork has a copy of the descriptor. */
void lock_file_end(int fd);
/* Does a process hold the lock?  No, if there is no such file. */
bool lock_is_held(const char *path);
/* Reads the first line and takes no lock; "" where there is no file. */
void lock_peek(const char *path, char line[LOCK_TEXT]);

#endif
