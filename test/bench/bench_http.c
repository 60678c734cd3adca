/*
 * bench_http.c - ranges of an object over HTTP on the loopback.
 *
 * http/BYTES/N reads at random places with N threads through a medium.  Its
 * limit is libcurl's multi interface with N handles in one thread, over the
 * same server; http/cpu/ is the same by CPU time.  http/30ms/BYTES/N has a
 * server that waits 30 ms before each answer; its limit is N requests each 30
 * ms.  http/30ms/in-order is one thread that reads all in order by 64 KiB,
 * which is read ahead; beside it stands one such request each 30 ms, which is
 * no limit.
 */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <inttypes.h>
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
#include "test/bench/range_server.h"

enum {
	OBJECT_BYTES = 64 << 20,
	STREAMS_MOST = 16,
	DELAY_MS = 30,
	STEP = 65536
};

static const struct what {
	size_t bytes;
	unsigned streams;
} all[] = {
	{ 128 << 10, 4 },
	{ 1 << 20, 4 },
	{ 8 << 20, 2 },
}, slow[] = {
	{ 64 << 10, 1 },
	{ 256 << 10, 16 },
};

struct job;

struct stream {
	struct job *job;
	unsigned number;
};

/* Both sides: requests of one size by so many streams. */
struct job {
	char url[64];
	size_t bytes;
	unsigned streams;
	struct medium *medium;
	struct medium_file *files[STREAMS_MOST];
	char *data[STREAMS_MOST];
	CURL *handles[STREAMS_MOST];
	size_t got[STREAMS_MOST];          /* bytes of the answer so far */
	struct stream sinks[STREAMS_MOST]; /* of the handles */
	CURLM *multi;
	atomic_uint next;
	unsigned times;
};

static void die(const char *why)
{
	struct error err = ERROR_INIT;

	error_set(&err, ERROR_SYSTEM, "%s", why);
	bench_die(&err);
}

/* The place of request i: any, but the same for both sides. */
static uint64_t place(const struct job *job, unsigned i)
{
	uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z ^= z >> 31;
	return z % (OBJECT_BYTES / job->bytes) * job->bytes;
}

/* ---- through a medium ---- */

static void *read_ranges(void *arg)
{
	const struct stream *stream = arg;
	struct job *job = stream->job;
	struct error err = ERROR_INIT;
	unsigned i;

	while ((i = atomic_fetch_add(&job->next, 1)) < job->times)
		if (medium_read_full(job->files[stream->number], place(job, i),
		        job->data[stream->number], job->bytes, &err))
			bench_die(&err);
	return NULL;
}

static double run_medium(void *arg, unsigned times)
{
	struct job *job = arg;
	struct stream streams[STREAMS_MOST];

	job->times = times;
	atomic_store(&job->next, 0);
	for (unsigned i = 0; i < job->streams; i++)
		streams[i] = (struct stream){ job, i };
	bench_threads(read_ranges, streams, sizeof(*streams), job->streams);
	return (double)times * (double)job->bytes;
}

/* Reads all of a newly opened object in order; returns bytes per second. */
static double read_in_order(struct job *job)
{
	const uint64_t start = clock_now(&clock_monotonic);
	struct error err = ERROR_INIT;
	struct medium_file *file = medium_open(job->medium, job->url, &err);

	if (!file)
		bench_die(&err);
	for (uint64_t at = 0; at < OBJECT_BYTES; at += STEP)
		if (medium_read_full(file, at, job->data[0], STEP, &err))
			bench_die(&err);
	medium_close(file);
	return OBJECT_BYTES * 1e9 /
	       (double)(clock_now(&clock_monotonic) - start);
}

/* ---- libcurl alone ---- */

static size_t put(char *data, size_t size, size_t count, void *arg)
{
	size_t *got = arg;

	UNUSED(data);
	*got += size * count;
	return size * count;
}

/* The bytes go where they are wanted, as those of the medium do. */
static size_t put_into(char *data, size_t size, size_t count, void *arg)
{
	struct stream *stream = arg;
	size_t *got = &stream->job->got[stream->number];

	memcpy(stream->job->data[stream->number] + *got, data, size * count);
	return put(data, size, count, got);
}

static void aim(struct job *job, unsigned stream, unsigned i)
{
	char range[64];

	snprintf(range, sizeof(range), "%" PRIu64 "-%" PRIu64, place(job, i),
	    place(job, i) + job->bytes - 1);
	curl_easy_setopt(job->handles[stream], CURLOPT_RANGE, range);
	job->got[stream] = 0;
	if (curl_multi_add_handle(job->multi, job->handles[stream]))
		die("libcurl refuses a handle");
}

/* Takes what is done, and gives its handle the next request. */
static unsigned next_requests(struct job *job, unsigned *next, unsigned times)
{
	unsigned done = 0;
	CURLMsg *message;
	int left;

	while ((message = curl_multi_info_read(job->multi, &left))) {
		CURL *handle = message->easy_handle;
		unsigned stream = 0;

		while (job->handles[stream] != handle)
			stream++;
		if (message->data.result || job->got[stream] != job->bytes)
			die("libcurl did not get a range");
		curl_multi_remove_handle(job->multi, handle);
		done++;
		if (*next < times)
			aim(job, stream, (*next)++);
	}
	return done;
}

static double run_curl(void *arg, unsigned times)
{
	struct job *job = arg;
	unsigned next = 0, done = 0;
	int running;

	while (next < job->streams && next < times) {
		aim(job, next, next);
		next++;
	}
	while (done < times) {
		curl_multi_perform(job->multi, &running);
		done += next_requests(job, &next, times);
		if (done < times)
			curl_multi_poll(job->multi, NULL, 0, 1000, NULL);
	}
	return (double)times * (double)job->bytes;
}

static void open_handles(struct job *job)
{
	job->multi = curl_multi_init();
	for (unsigned i = 0; i < job->streams; i++) {
		CURL *handle = curl_easy_init();

		job->sinks[i] = (struct stream){ job, i };
		job->handles[i] = handle;
		curl_easy_setopt(handle, CURLOPT_URL, job->url);
		curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
		curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, 512L << 10);
		curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, put_into);
		curl_easy_setopt(handle, CURLOPT_WRITEDATA, &job->sinks[i]);
	}
}

static void close_handles(struct job *job)
{
	for (unsigned i = 0; i < job->streams; i++)
		curl_easy_cleanup(job->handles[i]);
	curl_multi_cleanup(job->multi);
}

/* ---- rows ---- */

/* Megabytes for each second of this process's CPU time. */
static const struct bench_unit mb_per_cpu_s = {
	.name = "MB/cpu s", .scale = 1e-6, .of_cpu = true
};

static void job_open(
    struct job *job, const struct what *what, const struct range_server *server)
{
	struct error err = ERROR_INIT;

	*job = (struct job){ .bytes = what->bytes, .streams = what->streams };
	atomic_init(&job->next, 0);
	snprintf(job->url, sizeof(job->url), "http://127.0.0.1:%u/object",
	    server->port);
	job->medium = medium_new_local(&err);
	for (unsigned i = 0; i < job->streams; i++) {
		job->data[i] =
		    bench_alloc(job->bytes > STEP ? job->bytes : STEP);
		if (job->medium)
			job->files[i] =
			    medium_open(job->medium, job->url, &err);
		if (!job->files[i])
			bench_die(&err);
	}
}

static void job_close(struct job *job)
{
	for (unsigned i = 0; i < job->streams; i++) {
		medium_close(job->files[i]);
		free(job->data[i]);
	}
	medium_free(job->medium);
}

static void bench_loop(
    const struct what *what, const struct range_server *server, unsigned rounds)
{
	struct job job;
	const struct bench_side presto = { .run = run_medium, .arg = &job };
	const struct bench_side limit = { .run = run_curl, .arg = &job };
	char name[BENCH_NAME];

	job_open(&job, what, server);
	open_handles(&job);
	snprintf(name, sizeof(name), "http/%zuKiB/%u", what->bytes >> 10,
	    what->streams);
	bench_run(name, &bench_mb_per_s, rounds, &presto, &limit);
	snprintf(name, sizeof(name), "http/cpu/%zuKiB/%u", what->bytes >> 10,
	    what->streams);
	bench_run(name, &mb_per_cpu_s, rounds, &presto, &limit);
	close_handles(&job);
	job_close(&job);
}

/* N streams can have N answers each DELAY_MS. */
static void bench_slow(
    const struct what *what, const struct range_server *server, unsigned rounds)
{
	const double limit = what->streams * 1e3 / DELAY_MS;
	struct bench_row row = { .unit = { .name = "requests/s", .scale = 1 },
		.limit = limit };
	struct job job;

	job_open(&job, what, server);
	run_medium(&job, what->streams);
	row.low = 1e9;
	for (unsigned i = 0; i < rounds; i++) {
		const unsigned times = 10 * what->streams;
		const uint64_t start = clock_now(&clock_monotonic);
		double rate;

		run_medium(&job, times);
		rate =
		    times * 1e9 / (double)(clock_now(&clock_monotonic) - start);
		row.presto += rate / rounds;
		row.low = rate / limit < row.low ? rate / limit : row.low;
		row.high = rate / limit > row.high ? rate / limit : row.high;
	}
	row.ratio = row.presto / limit;
	snprintf(row.name, sizeof(row.name), "http/30ms/%zuKiB/%u",
	    what->bytes >> 10, what->streams);
	bench_print(&row);
	job_close(&job);
}

/* Beside it stands what one request after the other would give. */
static void bench_in_order(const struct range_server *server, unsigned rounds)
{
	static const struct what step = { STEP, 1 };
	const double other = STEP * 1e3 / DELAY_MS;
	struct bench_row row = { .name = "http/30ms/in-order",
		.unit = { .name = "MB/s", .scale = 1e-6 },
		.limit = other * 1e-6,
		.is_library = true,
		.low = 1e9 };
	struct job job;

	job_open(&job, &step, server);
	for (unsigned i = 0; i < rounds; i++) {
		const double rate = read_in_order(&job);

		row.presto += rate * 1e-6 / rounds;
		row.low = rate / other < row.low ? rate / other : row.low;
		row.high = rate / other > row.high ? rate / other : row.high;
	}
	row.ratio = row.presto / row.limit;
	bench_print(&row);
	job_close(&job);
}

int main(int argc, char **argv)
{
	struct bench_args args;
	struct error err = ERROR_INIT;
	struct range_server server;
	struct span object = { .len = OBJECT_BYTES };
	char *path, *bytes = bench_alloc(OBJECT_BYTES);

	bench_args_read(&args, argc, argv);
	path = path_join(args.work, "object", &err);
	memset(bytes, 'x', OBJECT_BYTES);
	object.data = (unsigned char *)bytes;
	if (!path || path_write(path, object, &err))
		bench_die(&err);
	free(bytes);
	curl_global_init(CURL_GLOBAL_DEFAULT);
	range_server_start(&server, path, 0);
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		bench_loop(&all[i], &server, args.rounds);
	range_server_stop(&server);
	range_server_start(&server, path, DELAY_MS);
	for (size_t i = 0; i < ARRAY_LEN(slow); i++)
		bench_slow(&slow[i], &server, args.rounds);
	bench_in_order(&server, args.rounds);
	range_server_stop(&server);
	free(path);
	return 0;
}
