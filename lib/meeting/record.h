/*
 * record.h - the file of one process of a meeting (meeting.h), as others see
 * it; for this room only.
 */
#ifndef LIB_MEETING_RECORD_H
#define LIB_MEETING_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/host.h"
#include "lib/meeting/meeting.h"

enum record_state { RECORD_HERE, RECORD_FAILED, RECORD_LEFT };

enum { RECORD_MACHINE = 128, RECORD_WHY = 1024 };

/* Bytes that a rank gave in one exchange; two of them are kept in turn. */
struct record_share {
	uint64_t task, step; /* step counts from 1 within a task */
	unsigned char bytes[MEETING_SHARE];
};

struct record {
	char magic[8];
	uint64_t purpose;
	uint64_t meeting; /* its number; 0: not joined yet */
	uint64_t beat;    /* grows each second */
	uint64_t done;    /* tasks that this rank has done */
	int64_t pid;
	uint32_t rank, count;
	uint32_t state; /* enum record_state */
	/* Rank 0 says so: all are there; all are on one machine. */
	uint32_t begun, one_machine;
	uint32_t unused;
	char host[HOST_NAME];
	/* Boot and name space of the process: a pid means the same there. */
	char machine[RECORD_MACHINE];
	char why[RECORD_WHY]; /* the reason for RECORD_FAILED */
	struct record_share shares[2];
	/* The newest task of rank 0, and its number, from 1. */
	uint64_t task;
	unsigned char text[MEETING_TASK];
	uint64_t sum; /* hash of all above */
};

/* Fills in what stays the same. */
void record_init(struct record *record, const struct meeting_plan *plan);
/* Writes the file anew, and makes it if `create` is set: 0, or errno. */
int record_write(const char *path, struct record *record, bool create);
/* False: it is not there, or was just being written; *record stays. */
bool record_read(const char *path, struct record *record);
/* Has its process ended?  Only known of this machine; else false. */
bool record_has_ended(const struct record *record, const char *machine);

#endif
