/*
 * meeting.h - processes, perhaps on several machines, that work in step.  They
 * tell each other what to do, and what they found, through files in a folder
 * that all of them see.  There is no server, and no library of an MPI.
 *
 * Each process has a rank, from 0.  Rank 0 leads: it tells a task to all, and
 * the others hear it.  In a task, the ranks below a number exchange some bytes:
 * nobody has those of the others before all have come so far.  An exchange of
 * nothing is a barrier.
 *
 * Each process writes its own file only, "rank-3", again and again in place.
 * Others open it anew each time they look: this is when a network file system
 * fetches what was written elsewhere.  A file has a sum, so that half of a
 * change counts as none.
 *
 * Every process shows each second that it lives.  Whoever waits for one that
 * has been silent for `silence_s`, that has gone, or that failed, gets an error
 * with its host and rank.  So the death of a process ends all of them.
 *
 * What killed processes left in the folder does no harm: rank 0 begins a
 * meeting with a new number, and others join no meeting that has had a task.
 */
#ifndef LIB_MEETING_MEETING_H
#define LIB_MEETING_MEETING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct meeting;

enum {
	MEETING_RANKS = 4096, /* most processes */
	MEETING_TASK = 6144,  /* most bytes of a task */
	MEETING_SHARE = 512,  /* most bytes that a rank gives in an exchange */
};

struct meeting_plan {
	const char *dir; /* exists; files are made in it */
	unsigned rank, count;
	uint64_t purpose;        /* must be the same in all processes */
	double join_s;           /* the longest wait for all to come */
	double silence_s;        /* the longest without a sign of life */
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
};

/*
 * Joins the others; returns when all are there.  NULL: some did not come, or
 * have another purpose.
 */
struct meeting *meeting_join(
    const struct meeting_plan *plan, struct error *err);
/*
 * Leaves.  The others get `why` as the reason for which they must end; NULL:
 * the work is done.  Rank 0 removes the files, once all have left or after a
 * few seconds.  NULL is fine.
 */
void meeting_leave(struct meeting *meeting, const struct error *why);

unsigned meeting_rank(const struct meeting *meeting);
unsigned meeting_count(const struct meeting *meeting);
/* The name of the host of a rank. */
const char *meeting_host(const struct meeting *meeting, unsigned rank);
/* Do all processes run on this machine? */
bool meeting_is_one_machine(const struct meeting *meeting);

/* Rank 0 tells a task, once all have done the one before. */
int meeting_tell(
    struct meeting *meeting, const void *task, size_t len, struct error *err);
/* Other ranks hear it; it has `len` bytes, or it is an error. */
int meeting_hear(
    struct meeting *meeting, void *task, size_t len, struct error *err);
/* Notes that this rank has done its part of the task. */
int meeting_done(struct meeting *meeting, struct error *err);

/*
 * Gives `len` bytes to the ranks below `among`, which all call this, and gets
 * theirs: all[rank * len].
 */
int meeting_exchange(struct meeting *meeting, unsigned among, const void *mine,
    size_t len, void *all, struct error *err);

#endif
