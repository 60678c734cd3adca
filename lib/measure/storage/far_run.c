/* far_run.c - see far_run.h. */
#include "lib/measure/storage/far_run.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/stop.h"
#include "lib/stats/statistics.h"

enum { TIMED_MOST = 1 << 16 }; /* requests whose latency is kept */

/* Shared by the connections of a row. */
struct shared {
	const struct far_run *run;
	atomic_uint_fast64_t next, bytes, done;
	atomic_bool has_failed;
	uint64_t deadline_ns;
	double *latencies, *sizes; /* TIMED_MOST of each */
};

struct connection {
	struct shared *shared;
	unsigned number;
	pthread_t thread;
	struct error err;
	int rc;
};

/* Does the next piece of work; 1: there is none, -1: it failed. */
static int work_once(struct connection *connection)
{
	struct shared *shared = connection->shared;
	const struct far_run *run = shared->run;
	const uint64_t n = atomic_fetch_add(&shared->next, 1);
	const uint64_t began = clock_now(&clock_monotonic);
	uint64_t bytes = 0, done, now;

	if (n >= run->most || began >= shared->deadline_ns ||
	    atomic_load(&shared->bytes) >= run->plan->most_bytes ||
	    atomic_load(&shared->has_failed))
		return 1;
	if (stop_check(run->plan->stop, &connection->err) ||
	    run->work(
	        run->arg, connection->number, n, &bytes, &connection->err)) {
		atomic_store(&shared->has_failed, true);
		return -1;
	}
	now = clock_now(&clock_monotonic);
	atomic_fetch_add(&shared->bytes, bytes);
	done = atomic_fetch_add(&shared->done, 1);
	if (done < TIMED_MOST) {
		shared->latencies[done] = (double)(now - began) / 1e9;
		shared->sizes[done] = (double)bytes;
	}
	return 0;
}

static void *connect_and_work(void *arg)
{
	struct connection *connection = arg;

	do {
		connection->rc = work_once(connection);
	} while (connection->rc == 0);
	return NULL;
}

double far_percentile(const double *sorted, size_t count, double p)
{
	size_t rank;

	if (count == 0)
		return NAN;
	rank = (size_t)ceil(p / 100 * (double)count);
	return sorted[rank ? rank - 1 : 0];
}

static void fill_row(struct shared *shared, double wall_s, struct far_row *row)
{
	const uint64_t done = atomic_load(&shared->done);
	const size_t timed = done < TIMED_MOST ? (size_t)done : TIMED_MOST;

	row->requests = done;
	row->bytes = atomic_load(&shared->bytes);
	row->wall_s = wall_s;
	values_sort(shared->latencies, timed);
	values_sort(shared->sizes, timed);
	row->p50_s = far_percentile(shared->latencies, timed, 50);
	row->p90_s = far_percentile(shared->latencies, timed, 90);
	row->p99_s = far_percentile(shared->latencies, timed, 99);
	if (timed)
		row->request_bytes =
		    (uint64_t)far_percentile(shared->sizes, timed, 50);
}

static int run_connections(struct shared *shared,
    struct connection *connections, unsigned count, struct far_row *row,
    struct error *err)
{
	const uint64_t began = clock_now(&clock_monotonic);
	unsigned started = 0;
	int rc = 0;

	shared->deadline_ns =
	    began + (uint64_t)(shared->run->plan->row_s * 1e9);
	for (; started < count && rc == 0; started++) {
		connections[started] =
		    (struct connection){ .shared = shared, .number = started };
		if (pthread_create(&connections[started].thread, NULL,
		        connect_and_work, &connections[started])) {
			atomic_store(&shared->has_failed, true);
			rc = error_set(err, ERROR_SYSTEM,
			    "cannot start thread %u", started + 1);
			break;
		}
	}
	for (unsigned i = 0; i < started; i++) {
		pthread_join(connections[i].thread, NULL);
		if (connections[i].rc < 0 && rc == 0) {
			*err = connections[i].err;
			rc = -1;
		}
	}
	fill_row(
	    shared, (double)(clock_now(&clock_monotonic) - began) / 1e9, row);
	return rc;
}

int far_run(const struct far_run *run, unsigned connections,
    struct far_row *row, struct error *err)
{
	struct shared shared = { .run = run };
	struct connection *all = calloc(connections, sizeof(*all));
	int rc = -1;

	atomic_init(&shared.next, 0);
	atomic_init(&shared.bytes, 0);
	atomic_init(&shared.done, 0);
	atomic_init(&shared.has_failed, false);
	shared.latencies = calloc(TIMED_MOST, sizeof(double));
	shared.sizes = calloc(TIMED_MOST, sizeof(double));
	row->connections = connections;
	if (!all || !shared.latencies || !shared.sizes)
		error_memory(err, TIMED_MOST * sizeof(double));
	else
		rc = run_connections(&shared, all, connections, row, err);
	free(shared.sizes);
	free(shared.latencies);
	free(all);
	return rc;
}
