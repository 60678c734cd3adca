/*
 * process_tree.h - what a program and the programs that it starts do: CPU time,
 * bytes read, and waiting for a storage.
 *
 * It is looked at several times a second.  /proc/PID/stat and /proc/PID/io tell
 * of a whole process, except that the state is that of its first thread.
 * Programs that begin and end between two looks are not seen.
 *
 * A program reads other files when it starts than when it works.  So figures
 * are those of the last half to three quarters of its time, and the beginning
 * is left out.
 */
#ifndef LIB_PROCESS_PROCESS_TREE_H
#define LIB_PROCESS_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* Sums since a process began, or since it was seen first. */
struct process_counts {
	uint64_t cpu_ns;
	uint64_t read_bytes;    /* by read() and the like, from anything */
	uint64_t storage_bytes; /* that came from a storage */
	uint64_t blocked_ns;    /* looks at which it waited for a storage */
};

struct tree_process {
	uint64_t pid, start; /* start: in ticks since boot; with pid, unique */
	uint64_t threads;
	bool ended;
	struct process_counts now, middle, early;
};

struct process_tree {
	const char *root; /* goes before /proc: "" except in tests; borrowed */
	struct tree_process *list; /* owned */
	size_t count, capacity;
	uint64_t looks;
	uint64_t at_ns, middle_ns, early_ns, searched_ns; /* times of looks */
	bool io_is_unknown; /* the kernel does not tell what was read */
};

/* Begins with one process, just started. */
int process_tree_begin(struct process_tree *tree, const char *root,
    uint64_t pid, uint64_t now_ns, struct error *err);
int process_tree_look(
    struct process_tree *tree, uint64_t now_ns, struct error *err);
void process_tree_release(struct process_tree *tree);

struct process_tree_figures {
	uint64_t time_ns;   /* without the beginning; 0: too short to tell */
	unsigned processes; /* that did something in this time */
	struct process_counts sum;
	/*
	 * Readers: processes that read at least a hundredth of the bytes.
	 * active_ns is the CPU time and the blocked time of all of them, so the
	 * time in which any of them was active is at most that.
	 */
	unsigned readers;
	uint64_t active_ns;
	/* A reader has more threads than the one whose blocked time is seen. */
	bool blocked_is_unknown;
};

void process_tree_figures(
    const struct process_tree *tree, struct process_tree_figures *figures);

#endif
