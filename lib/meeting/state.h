/*
 * state.h - a process of a meeting (meeting.h), its own file, and the files of
 * others while it waits for them; for this room only.
 */
#ifndef LIB_MEETING_STATE_H
#define LIB_MEETING_STATE_H

#include <pthread.h>
#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/meeting/meeting.h"
#include "lib/meeting/record.h"

struct error;

struct meeting {
	struct meeting_plan plan; /* `dir` is owned */
	char (*hosts)[HOST_NAME]; /* [count]; owned */
	struct record seen;       /* the file of another rank */
	uint64_t number, task, step;
	bool one_machine;
	bool is_twice; /* another process has its rank, and its file */

	pthread_t heart;
	bool has_heart;
	pthread_mutex_t lock; /* guards the rest */
	pthread_cond_t stopping;
	bool stop;
	struct record own;
};

/* ---- its own file ---- */

/* The path of a rank's file. */
int meeting_path(const struct meeting *meeting, unsigned rank, struct buf *path,
    struct error *err);
/* Writes its own file, after a change; _as makes it if `create` is set. */
int meeting_publish_as(struct meeting *meeting, bool create, struct error *err);
int meeting_publish(struct meeting *meeting, struct error *err);
/* Begins to show once a second that this process lives, and ends it. */
int meeting_start_heart(struct meeting *meeting, struct error *err);
void meeting_stop_heart(struct meeting *meeting);

/* ---- a rank that is waited for ---- */

/* The longest pause between two looks, by what is waited for. */
enum pace {
	PACE_BEGIN = 1000000,  /* all begin at this moment */
	PACE_END = 20000000,   /* others still work, and are not disturbed */
	PACE_TASK = 100000000, /* it may take hours */
};

struct watched {
	struct meeting *meeting;
	unsigned rank;
	struct buf path;         /* owned */
	uint64_t beat, heard_ns; /* the last sign of life, by our clock */
	uint64_t pause_ns, pause_most_ns;
	bool seen;  /* its file has a record of this meeting */
	bool other; /* it had one of another purpose */
	bool ended; /* its process had ended before the last look */
};

/* Also to be released when it fails. */
int watched_init(struct watched *watched, struct meeting *meeting,
    unsigned rank, enum pace pace, struct error *err);
void watched_release(struct watched *watched);
/* Looks at its file: true: a record of this meeting is in meeting->seen. */
bool watched_look(struct watched *watched);
/*
 * -1: nothing more will come from it, and why.  It says that the process has
 * ended only after another look: its last record may hold the reason.
 */
int watched_judge(struct watched *watched, struct error *err);
/* Pauses, each time a little longer. */
void watched_pause(struct watched *watched);

#endif
