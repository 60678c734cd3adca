/* crew.c - see crew.h. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "datasets/generator.h"
#include "datasets/generators/crew.h"
#include "lib/base/error.h"
#include "lib/base/stop.h"
#include "lib/files/path.h"

enum { THREADS_MAX = 256, MEASURE_MAX = 1000 };

struct crew {
	const struct generate_plan *plan;
	const struct crew_job *job;
	atomic_uint_fast64_t next; /* the next file */
	atomic_uint_fast64_t done;
	atomic_bool failed;
};

struct worker {
	struct crew *crew;
	pthread_t thread;
	bool started;
	bool reports; /* calls progress; one worker does */
	void *state;
	struct error err;
};

/* Makes one file, unless the user has stopped the program. */
static int make(struct worker *worker, uint64_t number)
{
	const struct generate_plan *plan = worker->crew->plan;

	if (stop_check(plan->stop, &worker->err))
		return -1;
	return worker->crew->job->make(
	    worker->state, plan, number, &worker->err);
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct crew *crew = worker->crew;
	const struct generate_plan *plan = crew->plan;
	uint64_t number;

	while ((number = atomic_fetch_add(&crew->next, 1)) < plan->count) {
		uint64_t done;

		if (atomic_load(&crew->failed))
			break;
		if (make(worker, number)) {
			atomic_store(&crew->failed, true);
			break;
		}
		done = atomic_fetch_add(&crew->done, 1) + 1;
		if (worker->reports && plan->progress)
			plan->progress(plan->arg, done, plan->count);
	}
	return NULL;
}

/*
 * Runs the workers. The calling thread is the first of them, so it does not
 * matter if others cannot be started.
 */
static void run(struct worker *workers, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		workers[i].started = pthread_create(&workers[i].thread, NULL,
		                         work, &workers[i]) == 0;
	work(&workers[0]);
	for (unsigned i = 1; i < count; i++)
		if (workers[i].started)
			pthread_join(workers[i].thread, NULL);
}

/* Returns the first error; frees the workers' states. */
static int dismiss(struct worker *workers, unsigned count,
    const struct crew_job *job, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; i < count; i++) {
		if (rc == 0 && workers[i].err.code != ERROR_NONE) {
			*err = workers[i].err;
			rc = -1;
		}
		if (job->release && workers[i].state)
			job->release(workers[i].state);
		free(workers[i].state);
	}
	free(workers);
	return rc;
}

int crew_run(const struct generate_plan *plan, const struct crew_job *job,
    struct error *err)
{
	const unsigned wanted = plan->threads ? plan->threads : 1;
	const unsigned count = wanted < THREADS_MAX ? wanted : THREADS_MAX;
	const size_t size = job->state_size ? job->state_size : 1;
	struct crew crew = { .plan = plan, .job = job };
	struct worker *workers = calloc(count, sizeof(*workers));

	if (!workers)
		return error_memory(err, count * sizeof(*workers));
	workers[0].reports = true;
	for (unsigned i = 0; i < count; i++) {
		workers[i].crew = &crew;
		workers[i].state = calloc(1, size);
		if (!workers[i].state) {
			dismiss(workers, count, job, err);
			return error_memory(err, size);
		}
	}
	run(workers, count);
	return dismiss(workers, count, job, err);
}

int crew_write(
    const char *dir, const char *name, struct span bytes, struct error *err)
{
	char *path = path_join(dir, name, err);
	FILE *file = path ? fopen(path, "wbxe") : NULL;
	int rc = 0;

	if (!file) {
		rc = path ? error_errno(err, "create", path) : -1;
		free(path);
		return rc;
	}
	if (fwrite(bytes.data, 1, bytes.len, file) != bytes.len)
		rc = error_errno(err, "write", path);
	if (fclose(file) && rc == 0)
		rc = error_errno(err, "write", path);
	free(path);
	return rc;
}

uint64_t crew_samples(const struct generate_plan *plan)
{
	return plan->count < MEASURE_MAX ? plan->count : MEASURE_MAX;
}
