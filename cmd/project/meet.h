/*
 * meet.h - the processes of presto profile --together: where they meet, and
 * which of them this one is (lib/process/part.h).
 */
#ifndef CMD_PROJECT_MEET_H
#define CMD_PROJECT_MEET_H

#include <stdatomic.h>
#include <stdbool.h>

struct error;
struct meeting;
struct project;
struct strategies;

struct meet {
	struct meeting *meeting; /* owned; NULL: this process is alone */
	char *dir;               /* the folder of the meeting; owned */
};

/*
 * Joins the other processes of the project, in the folder that [storage] names
 * or in that of the database `db`; `stop` ends the wait.
 */
int meet_join(struct meet *meet, const struct project *project, const char *db,
    const atomic_bool *stop, struct error *err);
/* Leaves them: after a success if rc is 0, else with *err as the reason. */
void meet_leave(struct meet *meet, int rc, const struct error *err);

/* Is this a process that another one tells what to do? */
bool meet_follows(const struct meet *meet);
/* Does what rank 0 tells, until all is done. */
int meet_follow(const struct meet *meet, const struct project *project,
    const struct strategies *strategies, const atomic_bool *stop,
    struct error *err);

#endif
