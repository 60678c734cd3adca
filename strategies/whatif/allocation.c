/* allocation.c - see allocation.h. */
#include "strategies/whatif/allocation.h"

#include <math.h>

#include "strategies/monitor/noise.h"

/* ---- the program ---- */

static double cores_for(
    const struct allocation_node *nodes, size_t count, double samples_per_s)
{
	double cores = 0;

	for (size_t i = 0; i < count; i++)
		cores += fmax(nodes[i].least, samples_per_s * nodes[i].cpu_s);
	return cores;
}

/* The largest rate from 0 to `high` that the cores can reach. */
static double bisect(const struct allocation_node *nodes, size_t count,
    double cores, double high)
{
	double low = 0;

	if (cores_for(nodes, count, high) <= cores)
		return high;
	for (unsigned i = 0; i < 100; i++) {
		const double middle = low + (high - low) / 2;

		if (cores_for(nodes, count, middle) <= cores)
			low = middle;
		else
			high = middle;
	}
	return low;
}

double allocation_most(const struct allocation_node *nodes, size_t count,
    double cores, double storage_samples_per_s)
{
	double least = 0, cpu_s = 0, most = storage_samples_per_s;

	for (size_t i = 0; i < count; i++) {
		least += nodes[i].least;
		cpu_s += nodes[i].cpu_s;
		if (nodes[i].cpu_s > 0)
			most = fmin(most, nodes[i].most / nodes[i].cpu_s);
	}
	if (least > cores)
		return 0;
	most = fmin(most, cores / cpu_s);
	return least > 0 ? bisect(nodes, count, cores, most) : most;
}

/* ---- a trial ---- */

/* An activity is spread over any number of threads. */
static double most_by_cpu(const struct trial_work *work, double cores)
{
	struct allocation_node nodes[ACTIVITIES];

	for (unsigned a = 0; a < ACTIVITIES; a++)
		nodes[a] =
		    (struct allocation_node){ .cpu_s = work->activity_cpu_s[a],
			    .most = INFINITY };
	return allocation_most(nodes, ACTIVITIES, cores, INFINITY);
}

/* With `times` the bandwidth and requests of the storage. */
static double most_by_storage(const struct trial_work *work, double times)
{
	double most = INFINITY;

	if (work->bytes > 0 && work->bandwidth > 0)
		most = fmin(most, times * work->bandwidth / work->bytes);
	if (work->bytes > 0 && work->requests > 0 && work->requests_per_s > 0)
		most =
		    fmin(most, times * work->requests_per_s / work->requests);
	return most;
}

/* The threads that can use so many cores. */
static unsigned threads_for(double cores)
{
	const double slack = 1e-6; /* 2 cores are 2 threads */

	return cores > 1 ? (unsigned)fmin(ceil(cores - slack), 1e6) : 1;
}

static void spread(struct allocation *allocation, const struct trial_work *work)
{
	const double rate = allocation->samples_per_s;
	double working = 0;

	for (unsigned a = 0; a < ACTIVITIES; a++) {
		allocation->activity_cores[a] = rate * work->activity_cpu_s[a];
		if (a != ACTIVITY_FETCH)
			working += allocation->activity_cores[a];
	}
	allocation->workers = threads_for(working);
	/* Fetchers wait for the storage: so many at a time by Little's law. */
	allocation->read_ahead_samples =
	    work->bytes > 0 && work->fetch_s > 0
	        ? rate * work->fetch_s
	        : allocation->activity_cores[ACTIVITY_FETCH];
	allocation->fetchers =
	    threads_for(fmax(allocation->activity_cores[ACTIVITY_FETCH],
	        allocation->read_ahead_samples));
}

static bool is_same(double a, double b)
{
	return a <= b && a >= b;
}

bool allocation_make(
    struct allocation *allocation, const struct trial_work *work, double cores)
{
	const double storage = most_by_storage(work, 1);
	double cpu, more;

	*allocation =
	    (struct allocation){ .cores = cores > 0 ? cores : work->cores,
		    .measured = work->samples_per_s,
		    .reached = NAN,
		    .others_cores =
		        noise_cores_taken(work->others_cores, work->cores),
		    .storage_samples_per_s = storage };
	cpu = most_by_cpu(work, allocation->cores);
	if (!(cpu > 0 && isfinite(cpu)))
		return false;
	allocation->cpu_samples_per_s = cpu;
	allocation->samples_per_s = fmin(cpu, storage);
	allocation->is_storage = storage < cpu;
	if (is_same(allocation->cores, work->cores))
		allocation->reached =
		    work->samples_per_s / allocation->samples_per_s;
	more = most_by_cpu(work, allocation->cores + 1);
	allocation->core_gain =
	    fmin(more, storage) / allocation->samples_per_s - 1;
	allocation->storage_gain =
	    fmin(cpu, most_by_storage(work, 2)) / allocation->samples_per_s - 1;
	spread(allocation, work);
	return true;
}
