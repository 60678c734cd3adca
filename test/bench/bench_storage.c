/*
 * bench_storage.c - an emulated storage against what was asked of it: no bare
 * loop, the ratio should be 1, and is worth something from 0.95 to 1.05.
 *
 * emulated/LIMIT is one thread that does nothing else, 8threads/emulated/LIMIT
 * eight; what they read is in the page cache.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "lib/media/medium.h"
#include "test/bench/bench.h"

enum { FILE_BYTES = 4 << 20, THREADS = 8, ROUNDS_MOST = 101 };

static const double round_s = 0.4; /* that one should take */

enum action { ACTION_READ, ACTION_WRITE, ACTION_OPEN };

struct what {
	const char *name;
	struct storage_limits limits;
	enum action action;
	size_t bytes; /* of a request */
};

static const struct what all[] = {
	{ "bandwidth-40MB", { .bandwidth = 40e6 }, ACTION_READ, 1 << 20 },
	{ "bandwidth-160MB", { .bandwidth = 160e6 }, ACTION_READ, 1 << 20 },
	{ "bandwidth-910MB", { .bandwidth = 910e6 }, ACTION_READ, 1 << 20 },
	{ "bandwidth-910MB/4KiB", { .bandwidth = 910e6 }, ACTION_READ, 4096 },
	{ "write-160MB", { .bandwidth = 160e6 }, ACTION_WRITE, 1 << 20 },
	{ "iops-9853", { .iops = 9853 }, ACTION_READ, 4096 },
	{ "latency-600us", { .latency = 600e-6 }, ACTION_READ, 4096 },
	{ "latency-20us", { .latency = 20e-6 }, ACTION_READ, 4096 },
	{ "open-600us", { .open = 600e-6 }, ACTION_OPEN, 4096 },
};

struct job {
	const struct what *what;
	struct medium *medium;
	const char *path; /* of what is read */
	char *data;       /* FILE_BYTES */
	char *own;        /* path of what is written */
	atomic_uint *left;
};

static void do_one(struct job *job, struct medium_file *file, unsigned i)
{
	const size_t bytes = job->what->bytes;
	const uint64_t offset = (uint64_t)i * bytes % FILE_BYTES;
	struct medium_file *other = NULL;
	struct error err = ERROR_INIT;
	int rc = 0;

	switch (job->what->action) {
	case ACTION_READ:
		rc = medium_read_full(file, offset, job->data, bytes, &err);
		break;
	case ACTION_WRITE:
		rc = medium_write_at(file, offset, job->data, bytes, &err);
		break;
	case ACTION_OPEN:
		other = medium_open(job->medium, job->path, &err);
		rc = other ? 0 : -1;
		medium_close(other);
		break;
	}
	if (rc)
		bench_die(&err);
}

static void *work(void *arg)
{
	struct job *job = arg;
	struct error err = ERROR_INIT;
	struct medium_file *file =
	    job->what->action == ACTION_WRITE
	        ? medium_begin(job->medium, job->own, &err)
	        : medium_open(job->medium, job->path, &err);
	unsigned left;

	if (!file)
		bench_die(&err);
	while ((left = atomic_fetch_sub(job->left, 1)) > 0 && left < INT32_MAX)
		do_one(job, file, left);
	medium_close(file);
	return NULL;
}

/* Requests per second that were asked for. */
static double asked(const struct what *what, unsigned threads)
{
	if (what->limits.bandwidth > 0)
		return what->limits.bandwidth / (double)what->bytes;
	if (what->limits.iops > 0)
		return what->limits.iops;
	return threads / (what->limits.latency + what->limits.open);
}

/* And those that there were. */
static double achieved(struct job *jobs, unsigned threads, unsigned times)
{
	uint64_t start;
	atomic_uint left;

	atomic_init(&left, times);
	for (unsigned i = 0; i < threads; i++)
		jobs[i].left = &left;
	start = clock_now(&clock_monotonic);
	bench_threads(work, jobs, sizeof(*jobs), threads);
	return times * 1e9 / (double)(clock_now(&clock_monotonic) - start);
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void bench(const struct what *what, struct job *jobs, unsigned threads,
    unsigned rounds)
{
	const double wanted = asked(what, threads);
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_emulated(&what->limits, &err);
	struct bench_row row = { .unit = { .name = "requests/s", .scale = 1 } };
	double got[ROUNDS_MOST];

	if (!medium)
		bench_die(&err);
	if (what->limits.bandwidth > 0)
		row.unit = (struct bench_unit){ .name = "MB/s",
			.scale = (double)what->bytes * 1e-6 };
	for (unsigned i = 0; i < threads; i++) {
		jobs[i].what = what;
		jobs[i].medium = medium;
	}
	for (unsigned i = 0; i < rounds; i++) {
		medium_set_warm(medium, false);
		got[i] = achieved(jobs, threads, (unsigned)(wanted * round_s));
	}
	qsort(got, rounds, sizeof(*got), compare);
	snprintf(row.name, sizeof(row.name), "%semulated/%s",
	    threads > 1 ? "8threads/" : "", what->name);
	row.presto = got[(rounds - 1) / 2] * row.unit.scale;
	row.limit = wanted * row.unit.scale;
	row.ratio = row.presto / row.limit;
	row.low = got[0] / wanted;
	row.high = got[rounds - 1] / wanted;
	bench_print(&row);
	medium_free(medium);
}

int main(int argc, char **argv)
{
	struct bench_args args;
	struct error err = ERROR_INIT;
	struct job jobs[THREADS];
	char *path, name[32];

	bench_args_read(&args, argc, argv);
	path = path_join(args.work, "storage", &err);
	for (unsigned i = 0; i < THREADS; i++) {
		snprintf(name, sizeof(name), "storage-%u", i);
		jobs[i] = (struct job){
			.path = path,
			.own = path_join(args.work, name, &err),
			.data = bench_alloc(FILE_BYTES),
		};
		memset(jobs[i].data, 'x', FILE_BYTES);
	}
	if (path_write(path,
	        (struct span){ (unsigned char *)jobs[0].data, FILE_BYTES },
	        &err))
		bench_die(&err);
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		bench(&all[i], jobs, 1, args.rounds);
		bench(&all[i], jobs, THREADS, args.rounds);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		free(jobs[i].own);
		free(jobs[i].data);
	}
	free(path);
	return 0;
}
