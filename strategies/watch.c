/*
 * watch.c - see watch.h.
 *
 * One lock for everything: it is held for the fraction of a millisecond that
 * reading the files takes, and nobody needs it within a timed run.
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "strategies/watch.h"

enum {
	PERIOD_MS = 500,
	/* Between activities, shorter ones say nothing. */
	SHORTEST_MS = 20,
	ROWS_MOST = 4096, /* half an hour, or as many runs */
};

static const char between[] = "between";

struct seen {
	char label[RESULTS_LABEL];
	struct system_row row; /* its label is set when it is stored */
};

struct watch {
	pthread_t thread;
	uint64_t began_ns;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t stopping;
	bool stop;
	struct rates *rates;
	struct rates_mark mark; /* when it was last looked */
	struct seen now;        /* what goes on; its rates are not set */
	struct system_rates runs;
	struct seen *rows; /* ROWS_MOST of them */
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

/* Makes one row of two neighbours of the same activity. */
static void make_room(struct watch *watch)
{
	size_t kept = 0;
	bool joined = true; /* the last that was kept, with another */

	for (size_t i = 0; i < watch->count; i++) {
		struct seen *last = kept ? &watch->rows[kept - 1] : NULL;

		if (!joined && is_same(last, &watch->rows[i])) {
			rates_join(&last->row.rates, &watch->rows[i].row.rates);
			last->row.at_ns = watch->rows[i].row.at_ns;
			joined = true;
		} else {
			watch->rows[kept++] = watch->rows[i];
			joined = false;
		}
	}
	watch->count = kept;
}

/* Looks, and notes what went on since the last time. */
static void look(struct watch *watch)
{
	const struct rates_mark before = watch->mark;
	struct seen *seen = &watch->rows[watch->count];
	struct system_rates rates;

	rates_mark(watch->rates, &watch->mark);
	rates_between(&before, &watch->mark, &rates);
	if (strcmp(watch->now.row.activity, "run") == 0)
		rates_join(&watch->runs, &rates);
	if (watch->now.row.activity == between &&
	    rates.interval_ns < SHORTEST_MS * 1000000u)
		return;
	*seen = watch->now;
	seen->row.rates = rates;
	seen->row.at_ns = watch->mark.at_ns - watch->began_ns;
	if (++watch->count == ROWS_MOST)
		make_room(watch);
	if (watch->count == ROWS_MOST) /* all differ: the last one goes */
		watch->count--;
}

static void set_activity(struct watch *watch, const char *activity,
    const struct watch_whom *whom, unsigned run)
{
	struct seen *now = &watch->now;

	*now = (struct seen){ .row = { .activity = activity, .run = run } };
	if (!whom)
		return;
	snprintf(now->label, sizeof(now->label), "%s", whom->label);
	now->row.threads = whom->threads;
	now->row.cache = whom->cache;
}

void watch_begin(struct watch *watch, const char *activity,
    const struct watch_whom *whom, unsigned run)
{
	if (!watch)
		return;
	pthread_mutex_lock(&watch->lock);
	look(watch);
	set_activity(watch, activity, whom, run);
	pthread_mutex_unlock(&watch->lock);
}

void watch_end(struct watch *watch)
{
	watch_begin(watch, between, NULL, 0);
}

bool watch_runs(struct watch *watch, struct system_rates *rates)
{
	if (!watch)
		return false;
	pthread_mutex_lock(&watch->lock);
	*rates = watch->runs;
	pthread_mutex_unlock(&watch->lock);
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

int watch_flush(struct watch *watch, size_t least, struct results *results,
    int64_t session, struct error *err)
{
	struct seen *rows = NULL;
	size_t count;
	int rc;

	if (!watch)
		return 0;
	pthread_mutex_lock(&watch->lock);
	count = watch->count;
	if (count >= least)
		rows = malloc((count + 1) * sizeof(*rows));
	if (rows) {
		memcpy(rows, watch->rows, count * sizeof(*rows));
		watch->count = 0;
	}
	pthread_mutex_unlock(&watch->lock);
	if (!rows)
		return count < least
		           ? 0
		           : error_memory(err, (count + 1) * sizeof(*rows));
	rc = store(rows, count, results, session, err);
	free(rows);
	return rc;
}

/* ---- its life ---- */

static void *watch_main(void *arg)
{
	struct watch *watch = arg;

	pthread_mutex_lock(&watch->lock);
	while (!watch->stop) {
		const uint64_t due =
		    watch->mark.at_ns + PERIOD_MS * (uint64_t)1000000;
		const struct timespec until = {
			.tv_sec = (time_t)(due / 1000000000u),
			.tv_nsec = (long)(due % 1000000000u),
		};

		if (clock_now(&clock_monotonic) >= due)
			look(watch);
		else
			pthread_cond_timedwait(
			    &watch->stopping, &watch->lock, &until);
	}
	pthread_mutex_unlock(&watch->lock);
	return NULL;
}

/* Signals are for the others. */
static int start(struct watch *watch)
{
	sigset_t all, before;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&watch->thread, NULL, watch_main, watch);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc ? -1 : 0;
}

static void init_lock(struct watch *watch)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&watch->stopping, &monotonic);
	pthread_condattr_destroy(&monotonic);
	pthread_mutex_init(&watch->lock, NULL);
}

static void release(struct watch *watch)
{
	pthread_cond_destroy(&watch->stopping);
	pthread_mutex_destroy(&watch->lock);
	rates_close(watch->rates);
	free(watch->rows);
	free(watch);
}

struct watch *watch_new(const char *root, uint64_t began_ns)
{
	struct watch *watch = calloc(1, sizeof(*watch));

	if (!watch)
		return NULL;
	init_lock(watch);
	watch->began_ns = began_ns;
	watch->rates = rates_open(root);
	watch->rows = malloc(ROWS_MOST * sizeof(*watch->rows));
	if (watch->rates && watch->rows) {
		rates_mark(watch->rates, &watch->mark);
		rates_between(&watch->mark, &watch->mark, &watch->runs);
		set_activity(watch, between, NULL, 0);
		if (start(watch) == 0)
			return watch;
	}
	release(watch);
	return NULL;
}

void watch_free(struct watch *watch)
{
	if (!watch)
		return;
	pthread_mutex_lock(&watch->lock);
	watch->stop = true;
	pthread_cond_signal(&watch->stopping);
	pthread_mutex_unlock(&watch->lock);
	pthread_join(watch->thread, NULL);
	release(watch);
}
