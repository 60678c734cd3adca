/*
 * process.h - a program that runs beside this one, without a shell, in a
 * process group of its own: pipes to it, how it ended, and what it took.
 *
 * Nothing here raises a signal in this process: a program that stops reading
 * gives an error, not SIGPIPE.  A program that presto left behind when it was
 * killed sees the end of its input.
 *
 * A struct process is used by one thread at a time.
 */
#ifndef LIB_PROCESS_PROCESS_H
#define LIB_PROCESS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/bytes.h"

struct error;

enum {
	PROCESS_SAID = 512, /* bytes of its stderr that are kept, the last */
	PROCESS_FDS = 4,
};

struct process_plan {
	/* argv, NULL behind the last.  words[0] without '/' is looked up. */
	const char *const *words;
	const char *folder; /* where it runs; NULL: here */
	/* "NAME=VALUE", added to the environment; NULL behind the last. */
	const char *const *environment;
	/* Descriptors that become its 3, 4, ...; they stay the caller's. */
	int fds[PROCESS_FDS];
	unsigned fd_count;
};

struct process {
	pid_t id;            /* 0: none runs */
	int in, out, errors; /* our ends of its stdin, stdout, stderr; or -1 */
	uint64_t counted_ns; /* by process_count */
	char said[PROCESS_SAID]; /* the end of its stderr; not terminated */
	size_t said_len;
};

#define PROCESS_INIT                              \
	{                                         \
		.in = -1, .out = -1, .errors = -1 \
	}

/* Starts it; our ends do not block.  ERROR_DATA: it cannot be run. */
int process_start(struct process *process, const struct process_plan *plan,
    struct error *err);

/* Bytes to send and to receive. */
struct process_talk {
	struct span input;  /* the rest to send; it becomes shorter */
	bool is_last;       /* close its stdin behind the input */
	struct buf *output; /* gets the bytes that it writes, appended */
	/* Return when output has so many bytes; SIZE_MAX: at its end. */
	size_t wanted;
	uint64_t most;        /* bytes that output may have; 0: any */
	uint64_t deadline_ns; /* on clock_monotonic; 0: none */
};

enum process_heard {
	PROCESS_HEARD,   /* `wanted` bytes are there */
	PROCESS_CLOSED,  /* it closed its stdout before */
	PROCESS_LATE,    /* the deadline is over */
	PROCESS_EXCESS,  /* it wrote more than `most` */
	PROCESS_STOPPED, /* stop_is_set (stop.h), and it has not answered */
	PROCESS_FAILED,  /* this process failed: see the error */
};

/*
 * Sends and receives at the same time, so that neither side waits for the
 * other, and keeps the end of its stderr.  It returns when `wanted` bytes are
 * there, even if input is left.  It looks every 0.1 s whether it is to stop
 * (ERROR_INTERRUPTED).  A program may leave input unread: the rest of
 * it is dropped.
 */
enum process_heard process_talk(
    struct process *process, struct process_talk *talk, struct error *err);

/*
 * Waits for its end until `deadline_ns` (0: for ever), then kills it.  Closes
 * the pipes.  Its CPU time becomes this thread's (outside.h).  ERROR_DATA
 * unless it ended by itself with status 0; see process_words.
 */
int process_end(
    struct process *process, uint64_t deadline_ns, struct error *err);
/* Kills its group, waits, closes the pipes.  None running is fine. */
void process_kill(struct process *process);

/* Appends ": LINE", the last line of its stderr, to the error; returns -1. */
int process_blame(struct process *process, struct error *err);

/*
 * Counts the CPU time of a running process since it was last counted as this
 * thread's: call it when the process has answered.
 */
void process_count(struct process *process);

/*
 * Finds the file of a program as execvp would, in a process that runs in
 * `folder`.  The caller owns the path.  NULL: not found (ERROR_USAGE).
 */
char *process_find(const char *name, const char *folder, struct error *err);

#endif
