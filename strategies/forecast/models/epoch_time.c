/* epoch_time.c - see epoch_time.h. */
#include "strategies/forecast/models/epoch_time.h"

#include <math.h>

/* Further chunks take as long as the last half of these. */
enum { CHUNKS_MOST = 512, THREADS_MOST = 64, BUFFERS_MOST = 1024 };

struct fetching {
	double free_s; /* when the fetcher can go on */
	double left;   /* chunks of its stream */
};

struct epoch {
	const struct epoch_work *work;
	const struct storage_speed *speed;
	struct fetching fetchers[THREADS_MOST];
	double workers[THREADS_MOST]; /* when each is free */
	double buffers[BUFFERS_MOST]; /* likewise, of the ring of buffers */
	double line_s, request_s;     /* when the storage is free */
	double streams;               /* not opened yet */
	double end_s;                 /* end of the last chunk so far */
};

static unsigned limited(unsigned n, unsigned most)
{
	if (n < 1)
		return 1;
	return n < most ? n : most;
}

/* Returns the place of the smallest of `n` times. */
static unsigned earliest(const double *times, unsigned n)
{
	unsigned least = 0;

	for (unsigned i = 1; i < n; i++)
		if (times[i] < times[least])
			least = i;
	return least;
}

/* Opens `count` files, one after the other, from `at` on. */
static double open_files(struct epoch *epoch, double at, double count)
{
	const struct storage_speed *speed = epoch->speed;

	if (count <= 0)
		return at;
	/* It cannot transfer anything meanwhile. */
	if (speed->opens > 0) {
		at = fmax(at, epoch->line_s) + count / speed->opens;
		epoch->line_s = at;
	}
	return at + count * speed->open;
}

/* Reads `bytes` in `count` requests, one after the other. */
static double read_bytes(
    struct epoch *epoch, double at, double count, double bytes)
{
	const struct storage_speed *speed = epoch->speed;
	double own = at;

	if (count <= 0)
		return at;
	if (speed->iops > 0) {
		at = fmax(at, epoch->request_s);
		epoch->request_s = at + count / speed->iops;
		at = epoch->request_s;
	}
	if (speed->bandwidth > 0) {
		at = fmax(at, epoch->line_s);
		epoch->line_s = at + bytes / speed->bandwidth;
		at = epoch->line_s;
	}
	/* One request alone is no faster than this. */
	if (speed->stream > 0)
		own += bytes / speed->stream;
	return fmax(at, own) + count * speed->latency;
}

/* The fetcher that fetches next, at the stream that it fetches from. */
static struct fetching *next_fetcher(struct epoch *epoch, unsigned fetchers)
{
	struct fetching *next = &epoch->fetchers[0];

	for (unsigned i = 1; i < fetchers; i++)
		if (epoch->fetchers[i].free_s < next->free_s)
			next = &epoch->fetchers[i];
	if (next->left > 0)
		return next;
	if (epoch->streams > 0) {
		epoch->streams--;
		next->left = epoch->work->chunks;
		next->free_s =
		    open_files(epoch, next->free_s, epoch->work->stream_opens);
		next->free_s = read_bytes(
		    epoch, next->free_s, epoch->work->stream_requests, 0);
	}
	return next;
}

/* Takes a chunk of the fetcher's stream, or helps another one. */
static void take_chunk(
    struct epoch *epoch, struct fetching *fetcher, unsigned fetchers)
{
	for (unsigned i = 0; fetcher->left <= 0 && i < fetchers; i++)
		if (epoch->fetchers[i].left > 0)
			fetcher = &epoch->fetchers[i];
	fetcher->left--;
}

/* Fetches and computes chunk number `i`. */
static void run_chunk(struct epoch *epoch, unsigned i)
{
	const struct epoch_work *work = epoch->work;
	const unsigned fetchers = limited(work->fetchers, THREADS_MOST);
	const unsigned workers = limited(work->workers, THREADS_MOST);
	const unsigned buffers = limited(work->buffers, BUFFERS_MOST);
	struct fetching *fetcher = next_fetcher(epoch, fetchers);
	const unsigned worker = earliest(epoch->workers, workers);
	double at = fmax(fetcher->free_s, epoch->buffers[i % buffers]);

	take_chunk(epoch, fetcher, fetchers);
	at = open_files(epoch, at, work->opens);
	at = read_bytes(epoch, at, work->requests, work->bytes);
	fetcher->free_s = at;
	at = fmax(at, epoch->workers[worker]) + work->compute_s;
	epoch->workers[worker] = at;
	epoch->buffers[i % buffers] = at;
	epoch->end_s = fmax(epoch->end_s, at);
}

double epoch_time(
    const struct epoch_work *work, const struct storage_speed *speed)
{
	const double chunks =
	    fmax(round(work->streams), 1) * fmax(round(work->chunks), 1);
	const unsigned run =
	    chunks < CHUNKS_MOST ? (unsigned)chunks : (unsigned)CHUNKS_MOST;
	const unsigned half = run / 2;
	struct epoch epoch = { .work = work, .speed = speed };
	double half_s = 0;

	epoch.streams = fmax(round(work->streams), 1);
	for (unsigned i = 0; i < run; i++) {
		if (i == half)
			half_s = epoch.end_s;
		run_chunk(&epoch, i);
	}
	if (chunks <= run)
		return epoch.end_s;
	return epoch.end_s +
	       (chunks - run) * (epoch.end_s - half_s) / (run - half);
}

double epoch_time_error(const struct epoch_work *work,
    const struct storage_speed *speed, double error)
{
	struct epoch_work longer = *work;
	const double usual_s = epoch_time(work, speed);

	longer.compute_s *= 1 + error;
	return usual_s > 0 ? epoch_time(&longer, speed) / usual_s - 1 : error;
}
