/* follow.c - see follow.h. */
#include "strategies/hosts/follow.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/loader/batch_freelist.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/meeting/meeting.h"
#include "lib/stores/store.h"
#include "strategies/hosts/host_task.h"
#include "strategies/plan/strategies.h"
#include "strategies/trial/together.h"
#include "strategies/trial/trial.h"

enum { OPEN_THREADS = 256 }; /* threads of waiting trials, at most */

/* A trial with its data. */
struct followed {
	uint32_t number;
	struct reader *reader; /* stored data; owned; NULL: the dataset */
	struct trial *trial;   /* owned */
	bool drop_failed;
	double cold_rate;
};

struct following {
	const struct follow_plan *plan;
	struct together together;
	struct batch_freelist *freelist; /* owned */
	/* Each is allocated, since trials point into it; owned. */
	struct followed **list;
	size_t count, capacity;
	uint64_t began_ns;
};

static void close_one(struct followed *one)
{
	if (!one)
		return;
	trial_close(one->trial);
	reader_free(one->reader);
	free(one);
}

static struct trial_plan plan_trial(const struct following *following,
    struct followed *one, const struct strategy *strategy,
    const struct host_task *task)
{
	const struct follow_plan *plan = following->plan;

	return (struct trial_plan){
		.loading = {
			.plan = plan->plan,
			.pipeline = strategy_pipeline(strategy, plan->pipeline),
			.from = strategy->unprocessed ? 0 : strategy->split,
			.mode = task->mode,
			.cached = task->cached,
			.share = task->share,
		},
		.reader = one->reader ? one->reader : plan->source,
		.medium = plan->medium,
		.drop_failed = &one->drop_failed,
		.cold_rate = &one->cold_rate,
		.cache_budget = task->cache_budget,
		.skip_errors = plan->skip_errors,
		.host.began_ns = following->began_ns,
		.host.freelist = following->freelist,
		.target = { .label = strategy->label,
		    .threads = task->mode.threads,
		    .cache = task->mode.cache },
		.stop = plan->stop,
	};
}

/* Opens the data that rank 0 has stored. */
static int open_data(const struct following *following, struct followed *one,
    const struct host_task *task, struct error *err)
{
	if (!*task->path)
		return 0;
	one->reader = store_open(following->plan->medium, task->path, err);
	if (one->reader)
		return 0;
	return error_advise(err,
	    "all processes must see the work folder: --work-dir on a storage "
	    "that they share");
}

static int open_one(struct following *following, const struct host_task *task,
    struct error *err)
{
	const struct strategy *strategy =
	    strategies_find(following->plan->strategies, task->label);
	struct followed **list = array_grow(following->list,
	    &following->capacity, following->count + 1, sizeof(*list), err);
	struct followed *one;
	struct trial_plan plan;

	if (!list)
		return -1;
	following->list = list;
	if (!strategy)
		return error_set(err, ERROR_SYSTEM,
		    "rank 0 measures %s, which is no strategy here",
		    task->label);
	one = memory_zeroed(sizeof(*one), err);
	if (!one)
		return -1;
	list[following->count++] = one;
	one->number = task->trial;
	if (open_data(following, one, task, err))
		return -1;
	plan = plan_trial(following, one, strategy, task);
	one->trial = trial_open(&plan, err);
	return one->trial ? 0 : -1;
}

static struct followed **find(struct following *following, uint32_t number)
{
	for (size_t i = 0; i < following->count; i++)
		if (following->list[i]->number == number)
			return &following->list[i];
	return NULL;
}

static int run_one(struct following *following, const struct host_task *task,
    struct error *err)
{
	struct followed **one = find(following, task->trial);

	if (meeting_rank(following->plan->meeting) >= task->hosts)
		return 0;
	if (!one)
		return error_set(err, ERROR_SYSTEM,
		    "rank 0 runs trial %u, which it did not open", task->trial);
	following->together.hosts = task->hosts;
	if (trial_run_together((*one)->trial, &following->together, err))
		return -1;
	trial_forget_run((*one)->trial);
	trial_get_result((*one)->trial)->hosts.count = 0;
	if (usage_threads() > OPEN_THREADS)
		trial_rest((*one)->trial);
	return 0;
}

static void end_one(struct following *following, uint32_t number)
{
	struct followed **one = find(following, number);

	if (!one)
		return;
	close_one(*one);
	*one = following->list[--following->count];
}

static int do_task(struct following *following, const struct host_task *task,
    struct error *err)
{
	switch (task->kind) {
	case HOST_TASK_SHARE:
		return medium_share_limits(
		    following->plan->medium, task->path, false, err);
	case HOST_TASK_OPEN:
		return open_one(following, task, err);
	case HOST_TASK_RUN:
		return run_one(following, task, err);
	case HOST_TASK_CLOSE:
		end_one(following, task->trial);
		return 0;
	default:
		return 0;
	}
}

static bool is_sound(const struct host_task *task)
{
	return task->kind <= HOST_TASK_END &&
	       memchr(task->label, '\0', sizeof(task->label)) &&
	       memchr(task->path, '\0', sizeof(task->path)) &&
	       task->mode.threads <= PLAN_THREADS;
}

static int work(struct following *following, struct error *err)
{
	struct meeting *meeting = following->plan->meeting;
	struct host_task task;

	do {
		if (meeting_hear(meeting, &task, sizeof(task), err))
			return -1;
		if (!is_sound(&task))
			return error_set(err, ERROR_DATA,
			    "rank 0 told something that is no task");
		if (do_task(following, &task, err) ||
		    meeting_done(meeting, err))
			return -1;
	} while (task.kind != HOST_TASK_END);
	return 0;
}

int follow_run(const struct follow_plan *plan, struct error *err)
{
	struct following following = {
		.plan = plan,
		.together.meeting = plan->meeting,
		.freelist = batch_freelist_new(),
		.began_ns = clock_now(&clock_monotonic),
	};
	const int rc = work(&following, err);

	for (size_t i = 0; i < following.count; i++)
		close_one(following.list[i]);
	free(following.list);
	batch_freelist_free(following.freelist);
	return rc;
}
