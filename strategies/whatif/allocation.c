/* allocation.c - see allocation.h. */
#include "strategies/whatif/allocation.h"

#include <math.h>
#include <stdio.h>

#include "lib/base/array.h"
#include "lib/db/grid.h"
#include "strategies/session/noise.h"

const char *const allocation_group_names[ALLOCATION_GROUPS] = { "fetch",
	"decode", "steps", "batch" };

/* ---- the program ---- */

static double cores_for(
    const struct allocation_node *nodes, size_t count, double samples_per_s)
{
	double cores = 0;

	for (size_t i = 0; i < count; i++)
		cores += fmax(nodes[i].least, samples_per_s * nodes[i].cpu_s);
	return cores;
}

/* The largest rate from 0 to `high` for which the cores are enough. */
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

/* A group is spread over any number of threads. */
static double most_by_cpu(const struct allocation_facts *facts, double cores)
{
	struct allocation_node nodes[ALLOCATION_GROUPS];

	for (unsigned g = 0; g < ALLOCATION_GROUPS; g++)
		nodes[g] = (struct allocation_node){ .cpu_s = facts->cpu_s[g],
			.most = INFINITY };
	return allocation_most(nodes, ALLOCATION_GROUPS, cores, INFINITY);
}

/* `times` as much of the storage as there is. */
static double most_by_storage(
    const struct allocation_facts *facts, double times)
{
	double most = INFINITY;

	if (facts->bytes > 0 && facts->bandwidth > 0)
		most = fmin(most, times * facts->bandwidth / facts->bytes);
	if (facts->bytes > 0 && facts->requests > 0 &&
	    facts->requests_per_s > 0)
		most =
		    fmin(most, times * facts->requests_per_s / facts->requests);
	return most;
}

/* So many threads can do the work of so many cores. */
static unsigned threads_for(double cores)
{
	const double slack = 1e-6; /* 2 cores are 2 threads */

	return cores > 1 ? (unsigned)fmin(ceil(cores - slack), 1e6) : 1;
}

static void spread(
    struct allocation *allocation, const struct allocation_facts *facts)
{
	const double rate = allocation->samples_per_s;
	double working = 0;

	for (unsigned g = 0; g < ALLOCATION_GROUPS; g++) {
		allocation->group_cores[g] = rate * facts->cpu_s[g];
		if (g != ALLOCATION_FETCH)
			working += allocation->group_cores[g];
	}
	allocation->workers = threads_for(working);
	/* Fetchers wait for a storage: Little's law. */
	allocation->read_ahead_samples =
	    facts->bytes > 0 && facts->fetch_s > 0
	        ? rate * facts->fetch_s
	        : allocation->group_cores[ALLOCATION_FETCH];
	allocation->fetchers =
	    threads_for(fmax(allocation->group_cores[ALLOCATION_FETCH],
	        allocation->read_ahead_samples));
}

static bool is_same(double a, double b)
{
	return a <= b && a >= b;
}

bool allocation_make(struct allocation *allocation,
    const struct allocation_facts *facts, double cores)
{
	const double storage = most_by_storage(facts, 1);
	double cpu, more;

	*allocation =
	    (struct allocation){ .cores = cores > 0 ? cores : facts->cores,
		    .measured = facts->samples_per_s,
		    .reached = NAN,
		    .others_cores =
		        noise_cores_taken(facts->others_cores, facts->cores),
		    .storage_samples_per_s = storage };
	cpu = most_by_cpu(facts, allocation->cores);
	if (!(cpu > 0 && isfinite(cpu)))
		return false;
	allocation->cpu_samples_per_s = cpu;
	allocation->samples_per_s = fmin(cpu, storage);
	allocation->is_storage = storage < cpu;
	if (is_same(allocation->cores, facts->cores))
		allocation->reached =
		    facts->samples_per_s / allocation->samples_per_s;
	more = most_by_cpu(facts, allocation->cores + 1);
	allocation->core_gain =
	    fmin(more, storage) / allocation->samples_per_s - 1;
	allocation->storage_gain =
	    fmin(cpu, most_by_storage(facts, 2)) / allocation->samples_per_s -
	    1;
	spread(allocation, facts);
	return true;
}

/* ---- the database ---- */

struct allocation_facts allocation_read(const struct grid *efforts, size_t row)
{
	struct allocation_facts facts = {
		.fetch_s = grid_number(efforts, row, "fetch_s"),
		.bytes = grid_number(efforts, row, "storage_bytes"),
		.requests = grid_number(efforts, row, "requests"),
		.bandwidth = grid_number(efforts, row, "bandwidth"),
		.requests_per_s = grid_number(efforts, row, "requests_per_s"),
		.samples_per_s = grid_number(efforts, row, "samples_per_s"),
		.cores = grid_number(efforts, row, "cores"),
		.others_cores = grid_number(efforts, row, "others_cores"),
	};
	const double cpu_s = grid_number(efforts, row, "cpu_s");
	double traced_s = 0;

	for (unsigned g = 0; g < ALLOCATION_GROUPS; g++) {
		char name[32];

		snprintf(
		    name, sizeof(name), "%s_cpu_s", allocation_group_names[g]);
		facts.cpu_s[g] = grid_number(efforts, row, name);
		if (!(facts.cpu_s[g] >= 0))
			facts.cpu_s[g] = 0;
		traced_s += facts.cpu_s[g];
	}
	for (unsigned g = 0; g < ALLOCATION_GROUPS; g++)
		facts.cpu_s[g] *= traced_s > 0 ? cpu_s / traced_s : 0;
	return facts;
}
