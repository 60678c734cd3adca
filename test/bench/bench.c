/* bench.c - see bench.h. */
#define _GNU_SOURCE /* sched_setaffinity, CPU_SET */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/error.h"
#include "lib/base/outside.h"
#include "test/bench/bench.h"

enum { ROUNDS = 5, ROUNDS_MOST = 101, THREADS_MOST = 256, TRIES = 3 };

/* Of one measurement; shorter ones tell more of the machine than of the work.
 */
static const double seconds_wanted = 0.25, seconds_to_judge = 0.05;

const struct bench_unit bench_samples_per_s = { .name = "samples/s",
	.scale = 1 };
const struct bench_unit bench_mb_per_s = { .name = "MB/s", .scale = 1e-6 };
const struct bench_unit bench_ns = {
	.name = "ns", .scale = 1e9, .is_cost = true
};
const struct bench_unit bench_samples_per_cpu_s = {
	.name = "per CPU s", .scale = 1, .of_cpu = true
};

void bench_die(const struct error *err)
{
	fprintf(stderr, "bench: %s\n", err->text);
	exit(1);
}

void *bench_alloc(size_t bytes)
{
	void *data = malloc(bytes ? bytes : 1);
	struct error err;

	if (!data) {
		error_memory(&err, bytes);
		bench_die(&err);
	}
	return data;
}

void bench_args_read(struct bench_args *args, int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: %s PHOTOS WORK [ROUNDS]\n", argv[0]);
		exit(2);
	}
	args->photos = argv[1];
	args->work = argv[2];
	args->rounds = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : ROUNDS;
	if (args->rounds < 1)
		args->rounds = 1;
	if (args->rounds > ROUNDS_MOST)
		args->rounds = ROUNDS_MOST;
}

/* ---- a measurement ---- */

struct timing {
	double seconds, amount;
};

/* CPU time includes that of processes that work for this one. */
static double now_s(const struct bench_unit *unit)
{
	struct timespec now;
	uint64_t user_ns = 0, system_ns = 0;

	clock_gettime(
	    unit->of_cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
	if (unit->of_cpu)
		outside_read(&user_ns, &system_ns);
	return (double)now.tv_sec +
	       ((double)now.tv_nsec + (double)(user_ns + system_ns)) * 1e-9;
}

static struct timing measure(const struct bench_unit *unit,
    const struct bench_side *side, unsigned times)
{
	const double start = now_s(unit);
	const double amount = side->run(side->arg, times);

	return (struct timing){
		.seconds = now_s(unit) - start,
		.amount = amount,
	};
}

static unsigned times_needed(
    const struct bench_unit *unit, const struct bench_side *side)
{
	unsigned times = 1;

	for (;;) {
		const double seconds = measure(unit, side, times).seconds;

		if (seconds >= seconds_wanted)
			return times;
		if (seconds >= seconds_to_judge)
			return (unsigned)((double)times * seconds_wanted /
			                  seconds) +
			       1;
		times *= 4;
	}
}

static double figure(const struct bench_unit *unit, const struct timing *timing)
{
	return unit->is_cost ? unit->scale * timing->seconds / timing->amount
	                     : unit->scale * timing->amount / timing->seconds;
}

/* One of the two, as often as it takes, in slices. */
struct turn {
	const struct bench_side *side;
	unsigned times;
	struct timing timing;
};

enum { SLICES = 6 };

static void run_slice(
    const struct bench_unit *unit, struct turn *turn, unsigned i)
{
	const unsigned times =
	    turn->times * (i + 1) / SLICES - turn->times * i / SLICES;
	struct timing timing;

	if (times == 0)
		return;
	timing = measure(unit, turn->side, times);
	turn->timing.seconds += timing.seconds;
	turn->timing.amount += timing.amount;
}

double bench_least_seconds(const struct bench_side *side)
{
	double least = 0, sum = 0;

	for (unsigned i = 0; i < TRIES && (i == 0 || sum < seconds_wanted);
	     i++) {
		const double seconds =
		    measure(&bench_samples_per_s, side, 1).seconds;

		if (i == 0 || seconds < least)
			least = seconds;
		sum += seconds;
	}
	return least;
}

struct round {
	double presto, limit, ratio;
};

static int compare_ratios(const void *a, const void *b)
{
	const double x = ((const struct round *)a)->ratio;
	const double y = ((const struct round *)b)->ratio;

	return (x > y) - (x < y);
}

/* Slice by slice, now the one first and now the other. */
static void run_round(
    const struct bench_unit *unit, struct turn *presto, struct turn *limit)
{
	presto->timing = limit->timing = (struct timing){ .seconds = 0 };
	for (unsigned i = 0; i < SLICES; i++) {
		run_slice(unit, i % 2 ? presto : limit, i);
		run_slice(unit, i % 2 ? limit : presto, i);
	}
}

void bench_compare(struct bench_row *row, unsigned rounds,
    const struct bench_side *presto, const struct bench_side *limit)
{
	const struct bench_unit *unit = &row->unit;
	struct turn own = { presto, .times = times_needed(unit, presto) };
	struct turn bare = { limit, .times = times_needed(unit, limit) };
	struct round all[ROUNDS_MOST];
	/* Two middle rounds, if the number is even. */
	const struct round *lower = &all[(rounds - 1) / 2];
	const struct round *upper = &all[rounds / 2];

	for (unsigned i = 0; i < rounds; i++) {
		struct round *round = &all[i];

		run_round(unit, &own, &bare);
		round->presto = figure(unit, &own.timing);
		round->limit = figure(unit, &bare.timing);
		round->ratio = round->presto / round->limit;
	}
	qsort(all, rounds, sizeof(*all), compare_ratios);
	row->presto = (lower->presto + upper->presto) / 2;
	row->limit = (lower->limit + upper->limit) / 2;
	row->ratio = (lower->ratio + upper->ratio) / 2;
	row->low = all[0].ratio;
	row->high = all[rounds - 1].ratio;
	row->is_library = limit->is_library;
	row->form = limit->form;
}

void bench_print(const struct bench_row *row)
{
	printf("{\"name\": \"%s\", \"kind\": \"%s\", \"presto\": %.6g, "
	       "\"limit\": %.6g, \"unit\": \"%s\", \"ratio\": %.4f, "
	       "\"low\": %.4f, \"high\": %.4f, \"form\": \"%s\"}\n",
	    row->name, row->is_library ? "library" : "limit", row->presto,
	    row->limit, row->unit.name, row->ratio, row->low, row->high,
	    row->form ? row->form : "");
	fflush(stdout);
}

void bench_print_highest(
    const char *name, const struct bench_row *rows, size_t count)
{
	struct bench_row highest = rows[0];

	for (size_t i = 1; i < count; i++)
		if (rows[i].ratio > highest.ratio)
			highest = rows[i];
	snprintf(highest.name, sizeof(highest.name), "%s", name);
	bench_print(&highest);
}

void bench_run(const char *name, const struct bench_unit *unit, unsigned rounds,
    const struct bench_side *presto, const struct bench_side *limit)
{
	struct bench_row row = { .unit = *unit };

	snprintf(row.name, sizeof(row.name), "%s", name);
	bench_compare(&row, rounds, presto, limit);
	bench_print(&row);
}

/* ---- threads ---- */

void bench_threads(
    void *(*work)(void *arg), void *args, size_t size, unsigned count)
{
	pthread_t threads[THREADS_MOST];

	if (count == 1) {
		work(args);
		return;
	}
	for (unsigned i = 0; i < count && i < THREADS_MOST; i++)
		if (pthread_create(
		        &threads[i], NULL, work, (char *)args + i * size)) {
			fprintf(stderr, "bench: cannot start a thread\n");
			exit(1);
		}
	for (unsigned i = 0; i < count && i < THREADS_MOST; i++)
		pthread_join(threads[i], NULL);
}

void bench_pin(bool one_core)
{
	static cpu_set_t all; /* as it was at first */
	cpu_set_t one;
	size_t core = 0;

	if (CPU_COUNT(&all) == 0)
		sched_getaffinity(0, sizeof(all), &all);
	while (core < CPU_SETSIZE - 1 && !CPU_ISSET(core, &all))
		core++;
	CPU_ZERO(&one);
	CPU_SET(core, &one);
	sched_setaffinity(0, sizeof(one), one_core ? &one : &all);
}
