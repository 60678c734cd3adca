/*
 * host_task.h - tasks that rank 0 tells the other processes of presto profile
 * --together.  Each is told as a struct, since all run the same program
 * (meeting_plan.purpose has its size).
 */
#ifndef STRATEGIES_HOSTS_HOST_TASK_H
#define STRATEGIES_HOSTS_HOST_TASK_H

#include <stdint.h>

#include "lib/db/results.h"
#include "lib/meeting/meeting.h"
#include "strategies/plan/plan.h"

enum host_task_kind {
	HOST_TASK_SHARE, /* the emulated storage, through the file `path` */
	HOST_TASK_OPEN,  /* trial number `trial` of the strategy `label` */
	HOST_TASK_RUN,   /* once; ranks below `hosts` only */
	HOST_TASK_CLOSE, /* the trial */
	HOST_TASK_END,   /* nothing follows */
};

enum { HOST_TASK_PATH = 4096 };

struct host_task {
	uint32_t kind; /* enum host_task_kind */
	uint32_t trial, hosts;
	/* How HOST_TASK_OPEN loads it; see struct trial_plan. */
	uint32_t cached;
	double share;
	uint64_t cache_budget;
	struct trial_mode mode;
	char label[RESULTS_LABEL];
	char path[HOST_TASK_PATH]; /* folder of stored data; "": the dataset */
};

_Static_assert(sizeof(struct host_task) <= MEETING_TASK, "a task is one text");

#endif
