/*
 * process.h - a program that runs beside this one, without a shell, in a
 * process group of its own: pipes to it, how it ended, and what it took.
 *
 * It dies with the thread's process (PR_SET_PDEATHSIG cannot be had with
 * posix_spawn): when presto dies, it sees the end of its input.
 *
 * Used by one thread.
 */
#ifndef LIB_BASE_PROCESS_H
#define LIB_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/bytes.h"

struct error;

enum {
	PROCESS_ERRORS = 256, /* the end of its stderr that is kept */
	PROCESS_FDS = 4,
};

struct process_plan {
	/* argv, NULL behind the last.  words[0] without '/' is looked up. */
	const char *const *words;
	const char *folder; /* where it runs; NULL: here */
	/* "NAME=VALUE", added to the environment; NULL behind the last. */
	const char *const *environment;
	/* Descriptors that become its 3, 4, ...; the caller's. */
	int fds[PROCESS_FDS];
	unsigned fd_count;
};

struct process {
	pid_t id;            /* 0: none runs */
	int in, out, errors; /* our ends of its stdin, stdout, stderr; or -1 */
	char said[PROCESS_ERRORS + 1]; /* the end of its stderr, terminated */
	size_t said_len;
};

#define PROCESS_INIT                              \
	{                                         \
		.in = -1, .out = -1, .errors = -1 \
	}

/* Starts it; our ends do not block.  ERROR_DATA: it cannot be run. */
int process_start(struct process *process, const struct process_plan *plan,
    struct error *err);

/* What to send and to receive. */
struct process_talk {
	struct span input;  /* the rest that is to be sent; changed */
	bool ends;          /* close its stdin behind the input */
	struct buf *output; /* gets what it writes */
	size_t wanted; /* return when output has so many bytes; 0: at its end */
	uint64_t most; /* ERROR_DATA when output grows beyond; 0: any */
	uint64_t deadline_ns; /* of clock_monotonic; 0: none: ERROR_DATA */
};

/*
 * Sends and receives at once, so that neither side waits for the other, and
 * keeps the end of its stderr.  A program that closes its stdin early has not
 * failed.  1: done; 0: it closed its stdout before `wanted`; -1.
 */
int process_talk(
    struct process *process, struct process_talk *talk, struct error *err);

/*
 * Waits for its end until `deadline_ns` (0: for ever), and frees everything.
 * Its CPU time is counted as this thread's (outside.h).  ERROR_DATA unless it
 * ended with status 0, with the last line of its stderr.
 */
int process_end(
    struct process *process, uint64_t deadline_ns, struct error *err);
/* Kills its group, waits, and frees everything.  None running is fine. */
void process_kill(struct process *process);

/* Reads the CPU time of a running process; 0: it cannot be read. */
uint64_t process_cpu_ns(const struct process *process);

/*
 * Appends what it said last to a message: "...: LINE".  Reads what is left of
 * its stderr.  Returns -1.
 */
int process_blame(struct process *process, struct error *err);

/*
 * Finds the file of a program as a shell would, `folder` being where it runs.
 * NULL: not found (ERROR_USAGE).
 */
char *process_find(const char *name, const char *folder, struct error *err);

#endif
