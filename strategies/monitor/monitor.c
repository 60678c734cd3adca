/*
 * monitor.c - see monitor.h.
 *
 * One lock guards everything. It is held while the files of /proc are read, for
 * a fraction of a millisecond; nobody needs it during a timed run.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/thread.h"
#include "lib/db/results_write.h"
#include "strategies/monitor/monitor.h"

enum {
	PERIOD_MS = 500,
	/* shorter times between activities are skipped */
	SHORTEST_MS = 20,
	ROWS_MOST = 4096, /* half an hour, or so many runs */
};

static const char between[] = "between";

struct seen {
	char label[RESULTS_LABEL];
	struct system_row row; /* its label is set when stored */
};

struct monitor {
	pthread_t thread;
	uint64_t began_ns;

	pthread_mutex_t lock; /* guards the rest */
	pthread_cond_t stopping;
	bool stop;
	struct rates *rates;
	struct rates_mark mark; /* the last sample */
	struct seen now;        /* the current activity, without rates */
	struct system_rates runs;
	struct seen *rows; /* ROWS_MOST rows */
	size_t count;
};

/* ---- rows ---- */

static bool is_same(const struct seen *a, const struct seen *b)
{
	return strcmp(a->row.activity, b->row.activity) == 0 &&
	       strcmp(a->label, b->label) == 0 &&
	       a->row.threads == b->row.threads &&
	       a->row.cache == b->row.cache && a->row.run == b->row.run;
}

/* Joins pairs of neighbouring rows of the same activity. */
static void make_room(struct monitor *monitor)
{
	size_t kept = 0;
	bool joined = true; /* the last row kept is a pair already */

	for (size_t i = 0; i < monitor->count; i++) {
		struct seen *last = kept ? &monitor->rows[kept - 1] : NULL;

		if (!joined && is_same(last, &monitor->rows[i])) {
			rates_join(
			    &last->row.rates, &monitor->rows[i].row.rates);
			last->row.at_ns = monitor->rows[i].row.at_ns;
			joined = true;
		} else {
			monitor->rows[kept++] = monitor->rows[i];
			joined = false;
		}
	}
	monitor->count = kept;
}

/* Samples the machine: adds a row for the time since the last sample. */
static void record(struct monitor *monitor)
{
	const struct rates_mark before = monitor->mark;
	struct seen *seen = &monitor->rows[monitor->count];
	struct system_rates rates;

	rates_mark(monitor->rates, &monitor->mark);
	rates_between(&before, &monitor->mark, &rates);
	if (strcmp(monitor->now.row.activity, "run") == 0)
		rates_join(&monitor->runs, &rates);
	if (monitor->now.row.activity == between &&
	    rates.interval_ns < SHORTEST_MS * 1000000u)
		return;
	*seen = monitor->now;
	seen->row.rates = rates;
	seen->row.at_ns = monitor->mark.at_ns - monitor->began_ns;
	if (++monitor->count == ROWS_MOST)
		make_room(monitor);
	/* no two could be joined: drop the last */
	if (monitor->count == ROWS_MOST)
		monitor->count--;
}

static void set_activity(struct monitor *monitor, const char *activity,
    const struct monitor_target *target, unsigned run)
{
	struct seen *now = &monitor->now;

	*now = (struct seen){ .row = { .activity = activity, .run = run } };
	if (!target)
		return;
	snprintf(now->label, sizeof(now->label), "%s", target->label);
	now->row.threads = target->threads;
	now->row.cache = target->cache;
}

void monitor_begin(struct monitor *monitor, const char *activity,
    const struct monitor_target *target, unsigned run)
{
	if (!monitor)
		return;
	pthread_mutex_lock(&monitor->lock);
	record(monitor);
	set_activity(monitor, activity, target, run);
	pthread_mutex_unlock(&monitor->lock);
}

void monitor_end(struct monitor *monitor)
{
	monitor_begin(monitor, between, NULL, 0);
}

bool monitor_runs(struct monitor *monitor, struct system_rates *rates)
{
	if (!monitor)
		return false;
	pthread_mutex_lock(&monitor->lock);
	*rates = monitor->runs;
	pthread_mutex_unlock(&monitor->lock);
	return rates->interval_ns > 0;
}

/* ---- storing ---- */

static int store(struct seen *rows, size_t count, struct results *results,
    int64_t session, struct error *err)
{
	struct system_row *system = calloc(count + 1, sizeof(*system));
	int rc;

	if (!system)
		return error_memory(err, count * sizeof(*system));
	for (size_t i = 0; i < count; i++) {
		system[i] = rows[i].row;
		system[i].label = rows[i].label;
	}
	rc = results_add_system(results, session, system, count, err);
	free(system);
	return rc;
}

int monitor_flush(struct monitor *monitor, size_t least,
    struct results *results, int64_t session, struct error *err)
{
	struct seen *rows = NULL;
	size_t count;
	int rc;

	if (!monitor)
		return 0;
	pthread_mutex_lock(&monitor->lock);
	count = monitor->count;
	if (count >= least)
		rows = malloc((count + 1) * sizeof(*rows));
	if (rows) {
		memcpy(rows, monitor->rows, count * sizeof(*rows));
		monitor->count = 0;
	}
	pthread_mutex_unlock(&monitor->lock);
	if (!rows)
		return count < least
		           ? 0
		           : error_memory(err, (count + 1) * sizeof(*rows));
	rc = store(rows, count, results, session, err);
	free(rows);
	return rc;
}

/* ---- the thread ---- */

static void *monitor_main(void *arg)
{
	struct monitor *monitor = arg;

	pthread_mutex_lock(&monitor->lock);
	while (!monitor->stop) {
		const uint64_t due =
		    monitor->mark.at_ns + PERIOD_MS * (uint64_t)1000000;

		if (clock_now(&clock_monotonic) >= due)
			record(monitor);
		else
			condition_wait_until(
			    &monitor->stopping, &monitor->lock, due);
	}
	pthread_mutex_unlock(&monitor->lock);
	return NULL;
}

static void release(struct monitor *monitor)
{
	pthread_cond_destroy(&monitor->stopping);
	pthread_mutex_destroy(&monitor->lock);
	rates_close(monitor->rates);
	free(monitor->rows);
	free(monitor);
}

struct monitor *monitor_new(const char *root, uint64_t began_ns)
{
	struct monitor *monitor = calloc(1, sizeof(*monitor));

	if (!monitor)
		return NULL;
	condition_init(&monitor->stopping);
	pthread_mutex_init(&monitor->lock, NULL);
	monitor->began_ns = began_ns;
	monitor->rates = rates_open(root);
	monitor->rows = malloc(ROWS_MOST * sizeof(*monitor->rows));
	if (monitor->rates && monitor->rows) {
		rates_mark(monitor->rates, &monitor->mark);
		rates_between(&monitor->mark, &monitor->mark, &monitor->runs);
		set_activity(monitor, between, NULL, 0);
		if (thread_start(&monitor->thread, monitor_main, monitor) == 0)
			return monitor;
	}
	release(monitor);
	return NULL;
}

void monitor_free(struct monitor *monitor)
{
	if (!monitor)
		return;
	pthread_mutex_lock(&monitor->lock);
	monitor->stop = true;
	pthread_cond_signal(&monitor->stopping);
	pthread_mutex_unlock(&monitor->lock);
	pthread_join(monitor->thread, NULL);
	release(monitor);
}
