/*
 * lock.h - a file that one process at a time holds: the right to write into a
 * folder, or to go on with a session.
 *
 * The file is locked first, and written to afterwards; nobody renames another
 * one over it.  Who has the lock looks whether the name still leads to the file
 * that it locked, for the process before may have removed it, and begins again
 * if not: so two processes never hold a lock of the same name.  The kernel ends
 * the lock with the process, however that ends, also on another host of a
 * network file system.
 *
 * The file has two lines.  The first belongs to the caller (lock_write) and
 * stays when the process ends.  The second says who has the lock, for others.
 */
#ifndef LIB_FILES_LOCK_H
#define LIB_FILES_LOCK_H

#include <stdbool.h>

struct error;

enum { LOCK_TEXT = 256 };

struct lock {
	int fd;               /* -1: not held */
	char *path;           /* owned */
	char text[LOCK_TEXT]; /* the first line; "": none was written */
};

#define LOCK_INIT         \
	{                 \
		.fd = -1, \
	}

/*
 * Takes the lock; makes the file where it is missing.  ERROR_SYSTEM says which
 * process has it, on which host, and since when.
 */
int lock_take(struct lock *lock, const char *path, struct error *err);
/* Replaces the first line of the file, synced; `text` has no newline. */
int lock_write(struct lock *lock, const char *text, struct error *err);
/*
 * Gives the lock back; not held is fine.  The file stays if it has a first
 * line.
 */
void lock_release(struct lock *lock);
/* Removes the file, and gives the lock back then. */
int lock_remove(struct lock *lock, struct error *err);
/*
 * Locks an open file against all others that are opened, until it is closed,
 * and writes nothing: 1; 0: another has the lock; -1: the file system has none.
 */
int lock_file(int fd);
/* Does a process hold it?  Not where there is no such file. */
bool lock_is_held(const char *path);
/* Reads the first line and takes no lock; "" where there is no file. */
void lock_peek(const char *path, char line[LOCK_TEXT]);

#endif
