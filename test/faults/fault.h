/*
 * fault.h - which call is disturbed, and how: shared by the two preloaded
 * libraries, calls.c (system calls) and memory.c (allocations).
 *
 * FAULTS_AT=CLASS:N:ACTION names the N-th call of a class, counted over all
 * threads from when the library is loaded; ACTION is
 *
 *	kill	SIGKILL of the own process, before the call
 *	short	half of the bytes are written or read, where there are two
 *	ERRNO	the call fails once with this error number
 *	ERRNO+	so do all later calls of the class
 *
 * FAULTS_COUNTS=FILE is a file of sizeof(struct fault_record) bytes.  It is
 * mapped, so that what was counted is there after a kill as well.
 */
#ifndef FAULTS_FAULT_H
#define FAULTS_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Stands in front of the function of that name in libc. */
#define FAULT_EXPORTED __attribute__((visibility("default")))

enum fault_class {
	FAULT_CHANGE, /* what changes files: all but open, read, mmap, ... */
	FAULT_ROOM, /* what needs room on a disk: these fail when it is full */
	FAULT_OPEN, /* to read */
	FAULT_CREATE, /* to write */
	FAULT_READ,
	FAULT_WRITE,
	FAULT_SYNC,
	FAULT_TRUNCATE,
	FAULT_RENAME, /* and links */
	FAULT_UNLINK,
	FAULT_MKDIR,
	FAULT_MODE, /* owner, permissions, times */
	FAULT_STAT,
	FAULT_LIST,
	FAULT_LOCK,
	FAULT_MMAP,
	FAULT_THREAD,
	FAULT_MALLOC,
	FAULT_CLASSES,
};

/* What test/faults/program.py reads; the words are those of FAULTS_AT. */
struct fault_record {
	_Atomic uint64_t calls[FAULT_CLASSES];
	uint64_t call; /* number of the system call that was disturbed */
	_Atomic uint64_t hits;
	char path[256]; /* the file that it was about, if any */
};

struct fault {
	bool kills, is_short, stays;
	int number; /* errno */
};

extern struct fault fault;
/* Has FAULTS_COUNTS, or memory of its own until that is read. */
extern struct fault_record *fault_record;

/* Reads the two variables; without them calls are counted, and no more. */
void fault_init(void);
/* Counts a call; true where it is the one to disturb. */
bool fault_is_due(enum fault_class class);

#endif
