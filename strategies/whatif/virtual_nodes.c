/* virtual_nodes.c - see virtual_nodes.h. */
#include "strategies/whatif/virtual_nodes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/error.h"
#include "strategies/whatif/virtual_nodes_search.h"

/* Two times are equal if they differ by less than this fraction. */
static const double same = 1e-9;

struct nodes_bounds nodes_unbound(const struct nodes_job *job)
{
	struct nodes_bounds bounds = { .least = { 0 } };

	for (unsigned i = 0; i < job->type_count; i++)
		bounds.most[i] = job->types[i].count;
	return bounds;
}

/* ---- batches of virtual nodes ---- */

bool nodes_fit(
    const struct nodes_job *job, const struct nodes_type *type, unsigned batch)
{
	const double sample_bytes =
	    isnan(job->sample_bytes) ? 0 : job->sample_bytes;

	return !(batch * sample_bytes + job->model_bytes > type->memory_bytes);
}

static double point_s(const struct nodes_point *point)
{
	return point->batch / point->samples_per_s;
}

double nodes_batch_s(
    const struct nodes_job *job, const struct nodes_type *type, unsigned batch)
{
	if (!nodes_fit(job, type, batch))
		return NAN;
	for (unsigned i = 0; i < type->point_count; i++) {
		const struct nodes_point *at = &type->points[i];

		if (at->batch == batch)
			return point_s(at);
		if (at->batch > batch && i == 0)
			return NAN;
		if (at->batch > batch)
			return point_s(at - 1) +
			       (point_s(at) - point_s(at - 1)) *
			           (batch - at[-1].batch) /
			           (at->batch - at[-1].batch);
	}
	return NAN;
}

unsigned nodes_next_part(
    const struct nodes_type *type, unsigned size, unsigned batch)
{
	for (unsigned k = size / batch + 1; size / k > 0; k++) {
		if (size / k < type->points[0].batch)
			return 0;
		if (size % k == 0)
			return size / k;
	}
	return 0;
}

/* ---- shares ---- */

/* Makes a share of nodes: the fastest way, with the fewest nodes. */
static int make_nodes(const struct nodes_job *job, unsigned index,
    struct nodes_share *share, struct error *err)
{
	const struct nodes_type *type = &job->types[index];

	share->compute_s = INFINITY;
	for (unsigned v = 1; v <= share->samples / type->points[0].batch; v++) {
		const unsigned batch = share->samples / v;
		const double s = nodes_batch_s(job, type, batch);
		bool is_part = false;

		if (share->samples % v || isnan(s) ||
		    (job->max_virtual_nodes && v > job->max_virtual_nodes))
			continue;
		for (unsigned p = 0; p < type->point_count; p++)
			is_part |= type->points[p].batch % batch == 0;
		if (!is_part || !(v * s < share->compute_s * (1 - same)))
			continue;
		share->compute_s = v * s;
		share->virtual_nodes = v;
		share->node_batch = batch;
	}
	if (share->compute_s < INFINITY)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s: %u samples cannot be made of batches of the profile",
	    type->type, share->samples);
}

/* The time over all devices that take part; 0 for one device. */
static double allreduce_of(
    const struct nodes_job *job, const struct division *division)
{
	const char *host = NULL;
	unsigned devices = 0;
	bool is_one_host = true;

	for (unsigned i = 0; i < job->type_count; i++) {
		if (!division->shares[i].devices)
			continue;
		devices += division->shares[i].devices;
		if (host && strcmp(host, job->types[i].host) != 0)
			is_one_host = false;
		host = job->types[i].host;
	}
	if (devices <= 1)
		return 0;
	return is_one_host ? job->allreduce_host_s : job->allreduce_s;
}

int nodes_time(
    const struct nodes_job *job, struct division *division, struct error *err)
{
	double compute_s = 0;

	for (unsigned i = 0; i < job->type_count; i++) {
		struct nodes_share *share = &division->shares[i];

		if (!share->devices)
			continue;
		if (make_nodes(job, i, share, err))
			return -1;
		if (share->compute_s > compute_s)
			compute_s = share->compute_s;
	}
	division->allreduce_s = allreduce_of(job, division);
	division->step_s = compute_s + division->allreduce_s;
	return 0;
}

/* ---- one kind of all-reduce after another ---- */

static bool is_better(const struct nodes_job *job, const struct division *a,
    const struct division *b)
{
	unsigned cost_a = 0, cost_b = 0;

	if (fabs(a->step_s - b->step_s) > same * b->step_s)
		return a->step_s < b->step_s;
	for (unsigned i = 0; i < job->type_count; i++) {
		cost_a += a->shares[i].devices +
		          (a->shares[i].devices ? COST_OF_TYPE : 0);
		cost_b += b->shares[i].devices +
		          (b->shares[i].devices ? COST_OF_TYPE : 0);
	}
	return cost_a < cost_b;
}

/* Tries stricter bounds, under which the all-reduce may take less. */
static int try_within(const struct nodes_job *job,
    const struct nodes_bounds *bounds, bool *found, struct division *best,
    struct error *err)
{
	struct division division;

	for (unsigned i = 0; i < job->type_count; i++)
		if (bounds->least[i] > bounds->most[i])
			return 0;
	if (nodes_search(job, bounds, &division, err))
		return err->code == ERROR_USAGE ? 0 : -1;
	if (!*found || is_better(job, &division, best))
		*best = division;
	*found = true;
	return 0;
}

static bool is_first_of_host(const struct nodes_job *job, unsigned type)
{
	for (unsigned i = 0; i < type; i++)
		if (strcmp(job->types[i].host, job->types[type].host) == 0)
			return false;
	return true;
}

static int try_host(const struct nodes_job *job,
    const struct nodes_bounds *bounds, unsigned of, bool *found,
    struct division *best)
{
	struct nodes_bounds within = *bounds;
	struct error ignored = ERROR_INIT;

	if (!(job->allreduce_host_s < job->allreduce_s) ||
	    !is_first_of_host(job, of))
		return 0;
	for (unsigned i = 0; i < job->type_count; i++) {
		if (strcmp(job->types[i].host, job->types[of].host) == 0)
			continue;
		within.most[i] = 0;
	}
	return try_within(job, &within, found, best, &ignored);
}

static int try_device(const struct nodes_job *job,
    const struct nodes_bounds *bounds, unsigned of, bool *found,
    struct division *best)
{
	struct nodes_bounds within = *bounds;
	struct error ignored = ERROR_INIT;

	for (unsigned i = 0; i < job->type_count; i++)
		if (i != of)
			within.most[i] = 0;
		else if (within.most[i] > 1)
			within.most[i] = 1;
	return try_within(job, &within, found, best, &ignored);
}

int nodes_divide(const struct nodes_job *job, const struct nodes_bounds *bounds,
    struct division *division, struct error *err)
{
	struct error first = ERROR_INIT;
	bool found = false;

	if (try_within(job, bounds, &found, division, &first))
		goto fail;
	for (unsigned i = 0; i < job->type_count; i++) {
		if (bounds->most[i] == 0)
			continue;
		if (try_host(job, bounds, i, &found, division) ||
		    try_device(job, bounds, i, &found, division))
			break;
	}
	if (found)
		return 0;
fail:
	*err = first;
	return -1;
}
