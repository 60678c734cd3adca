/* sensitivity.c - see sensitivity.h. */
#include "strategies/decide/sensitivity.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "strategies/figures/candidate.h"

enum { PERCENT = 100 };

enum which_weight { WEIGHT_PREP, WEIGHT_STORAGE, WEIGHT_THROUGHPUT };

/*
 * A search along one quantity in whole steps: epochs, percent of a weight, or
 * places in a list of sizes.
 */
struct search {
	const struct figures_list *figures;
	const struct request *request;
	void (*change)(
	    struct request *request, const struct search *search, size_t step);
	enum which_weight weight;
	const double *sizes; /* storage limits, ascending */
	struct sensitivity_axis *axis;
};

/* ---- the winner at one step ---- */

struct end {
	size_t step;
	const char *strategy;
	enum cache_mode cache;
};

static int find_winner(
    const struct search *search, struct end *end, struct error *err)
{
	struct request request = *search->request;
	struct ranking ranking = RANKING_INIT;
	struct error none = ERROR_INIT;
	int rc;

	request.order_only = true;
	search->change(&request, search, end->step);
	end->strategy = NULL;
	end->cache = CACHE_UNKNOWN;
	rc = ranking_make(&ranking, search->figures, &request, &none);
	if (rc == 0) {
		end->strategy = ranking.list[0].trial.strategy;
		end->cache = ranking.list[0].trial.cache;
	}
	ranking_release(&ranking);
	if (rc && none.code != ERROR_GATE) {
		*err = none;
		return -1;
	}
	return 0;
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Ends the last span and begins one: another strategy wins from here. */
static void add_span(struct sensitivity_axis *axis, const struct end *from)
{
	if (axis->is_cut)
		return;
	if (axis->count)
		axis->spans[axis->count - 1].to = (double)from->step - 1;
	if (axis->count == SENSITIVITY_SPANS) {
		axis->is_cut = true;
		return;
	}
	axis->spans[axis->count++] = (struct sensitivity_span){
		.from = (double)from->step,
		.to = INFINITY,
		.strategy = from->strategy,
		.cache = from->cache,
	};
}

/* Bisects by the geometric mean, since epochs go over four decades. */
static int divide(const struct search *search, const struct end *low,
    const struct end *high, struct error *err)
{
	struct end middle;

	if (same(low->strategy, high->strategy))
		return 0;
	if (high->step - low->step <= 1) {
		add_span(search->axis, high);
		return 0;
	}
	middle.step =
	    (size_t)sqrt((double)(low->step + 1) * (double)(high->step + 1));
	middle.step -= 1;
	if (middle.step <= low->step)
		middle.step = low->step + 1;
	if (find_winner(search, &middle, err) ||
	    divide(search, low, &middle, err))
		return -1;
	return divide(search, &middle, high, err);
}

static int explore(
    const struct search *search, size_t first, size_t last, struct error *err)
{
	struct end low = { .step = first }, high = { .step = last };

	search->axis->count = 0;
	if (find_winner(search, &low, err) || find_winner(search, &high, err))
		return -1;
	add_span(search->axis, &low);
	return divide(search, &low, &high, err);
}

/* ---- epochs ---- */

static const struct objective_ops *objective_over_epochs(
    const struct request *request)
{
	return request->objective->needs_epochs ? request->objective
	                                        : objective_by_epochs();
}

static void change_epochs(
    struct request *request, const struct search *search, size_t step)
{
	request->objective = objective_over_epochs(search->request);
	request->epochs = (double)step;
}

/* ---- weights ---- */

static double sum_of(const struct weights *weights)
{
	return weights->prep + weights->storage + weights->throughput;
}

static double *weight_of(struct weights *weights, enum which_weight which)
{
	switch (which) {
	case WEIGHT_PREP:
		return &weights->prep;
	case WEIGHT_STORAGE:
		return &weights->storage;
	case WEIGHT_THROUGHPUT:
		break;
	}
	return &weights->throughput;
}

static void set_fraction(double *weight, struct weights *all, double fraction)
{
	const double others = sum_of(all) - *weight;
	const double scale = others > 0 ? (1 - fraction) / others : 0;

	all->prep *= scale;
	all->storage *= scale;
	all->throughput *= scale;
	*weight = fraction;
}

static void change_weight(
    struct request *request, const struct search *search, size_t step)
{
	struct weights *weights = &request->weights;

	request->objective = objective_by_weights();
	set_fraction(weight_of(weights, search->weight), weights,
	    (double)step / PERCENT);
}

/* Nothing changes if all other weights are 0. */
static int explore_weight(struct search *search, struct sensitivity_axis *axis,
    enum which_weight weight, struct error *err)
{
	struct weights weights = search->request->weights;

	search->axis = axis;
	search->change = change_weight;
	search->weight = weight;
	if (sum_of(&weights) <= *weight_of(&weights, weight))
		return 0;
	if (explore(search, 0, PERCENT, err))
		return -1;
	for (size_t i = 0; i < axis->count; i++) {
		axis->spans[i].from /= PERCENT;
		axis->spans[i].to = fmin(axis->spans[i].to / PERCENT, 1);
	}
	return 0;
}

/* ---- storage ---- */

static void change_storage(
    struct request *request, const struct search *search, size_t step)
{
	request->max_storage_bytes = search->sizes[step];
}

static int compare_sizes(const void *pa, const void *pb)
{
	const double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

/* 0, and the size of each candidate, ascending. */
static size_t list_sizes(const struct ranking *ranking, double *sizes)
{
	size_t count = 1, kept = 0; /* the first is 0 */

	for (size_t i = 0; i < ranking->count; i++)
		if (ranking->list[i].full.storage_bytes > 0)
			sizes[count++] = ranking->list[i].full.storage_bytes;
	qsort(sizes, count, sizeof(*sizes), compare_sizes);
	for (size_t i = 0; i < count; i++)
		if (!kept || sizes[i] > sizes[kept - 1])
			sizes[kept++] = sizes[i];
	return kept;
}

/* Tries each size: a winner may win again, as the cheapest of another tie. */
static int try_sizes(
    const struct search *search, size_t count, struct error *err)
{
	struct sensitivity_axis *axis = search->axis;
	const char *last = NULL;

	for (size_t i = 0; i < count && !axis->is_cut; i++) {
		struct end end = { .step = i };

		if (find_winner(search, &end, err))
			return -1;
		if (!axis->count || !same(end.strategy, last))
			add_span(axis, &end);
		last = end.strategy;
	}
	return 0;
}

/* Turns places in the list into bytes. */
static void name_sizes(
    struct sensitivity_axis *axis, const double *sizes, size_t count)
{
	for (size_t i = 0; i < axis->count; i++) {
		struct sensitivity_span *span = &axis->spans[i];

		span->from = span->from > 0 ? sizes[(size_t)span->from] : 0;
		if (span->to + 1 < (double)count)
			span->to = sizes[(size_t)span->to + 1];
	}
}

static int explore_storage(
    struct search *search, const struct ranking *ranking, struct error *err)
{
	double *sizes = calloc(ranking->count + 1, sizeof(*sizes));
	size_t count;
	int rc;

	if (!sizes)
		return error_memory(err, (ranking->count + 1) * sizeof(*sizes));
	count = list_sizes(ranking, sizes);
	search->sizes = sizes;
	search->change = change_storage;
	rc = try_sizes(search, count, err);
	if (rc == 0)
		name_sizes(search->axis, sizes, count);
	free(sizes);
	return rc;
}

/* ---- all ---- */

int sensitivity_make(struct sensitivity *sensitivity,
    const struct figures_list *figures, const struct request *request,
    struct error *err)
{
	struct search search = { .figures = figures, .request = request };
	struct ranking ranking = RANKING_INIT;
	int rc = -1;

	*sensitivity =
	    (struct sensitivity){ .epochs_by = objective_over_epochs(request) };
	if (ranking_make(&ranking, figures, request, err))
		goto done;
	search.axis = &sensitivity->epochs;
	search.change = change_epochs;
	if (explore(&search, 1, EPOCHS_IN_PRACTICE, err))
		goto done;
	search.axis = &sensitivity->storage;
	if (explore_storage(&search, &ranking, err))
		goto done;
	rc = explore_weight(&search, &sensitivity->prep, WEIGHT_PREP, err) ||
	             explore_weight(&search, &sensitivity->storage_weight,
	                 WEIGHT_STORAGE, err) ||
	             explore_weight(&search, &sensitivity->throughput,
	                 WEIGHT_THROUGHPUT, err)
	         ? -1
	         : 0;
done:
	ranking_release(&ranking);
	return rc;
}
