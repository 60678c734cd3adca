/* spots.c - see spots.h. */
#include "cmd/page/spots.h"

#include <math.h>
#include <stdlib.h>

#include "cmd/page/facts.h"
#include "cmd/page/scale.h"
#include "lib/base/error.h"

bool spot_is_shown(const struct fact *fact)
{
	return fact->is_measured && fact->candidate->full.storage_bytes > 0;
}

static double low_of(const struct candidate *c)
{
	return c->full.is_assumed ? c->full.throughput : c->full.low;
}

static double high_of(const struct candidate *c)
{
	return c->full.is_assumed ? c->full.throughput : c->full.high;
}

int spot_importance(const struct spot *spot)
{
	return 4 * spot->fact->is_winner + 2 * spot->is_front +
	       candidate_is_unprocessed(spot->fact->candidate);
}

static int compare_spots(const void *pa, const void *pb)
{
	const struct spot *a = pa, *b = pb;
	const int order = spot_importance(b) - spot_importance(a);

	return order ? order : (a->fact > b->fact) - (a->fact < b->fact);
}

/*
 * The ranking's front counts preparation as well.  Marks those of its trials
 * that no other one of it beats in storage and throughput.
 */
static void mark_front(struct spots *spots)
{
	for (size_t i = 0; i < spots->count; i++) {
		const struct candidate *a = spots->list[i].fact->candidate;
		bool is_front = a->pareto;

		for (size_t k = 0; is_front && k < spots->count; k++) {
			const struct candidate *b =
			    spots->list[k].fact->candidate;

			is_front =
			    !b->pareto ||
			    b->full.throughput <= a->full.throughput ||
			    b->full.storage_bytes > a->full.storage_bytes;
		}
		spots->list[i].is_front = is_front;
	}
}

int spots_find(
    struct spots *spots, const struct facts *facts, struct error *err)
{
	const size_t most = facts->trial_count + 1;

	spots->list = calloc(most, sizeof(*spots->list));
	spots->front = calloc(most, sizeof(*spots->front));
	if (!spots->list || !spots->front)
		return error_memory(err, most * sizeof(*spots->list));
	for (size_t i = 0; i < facts->trial_count; i++)
		if (spot_is_shown(&facts->trials[i]))
			spots->list[spots->count++].fact = &facts->trials[i];
	mark_front(spots);
	qsort(spots->list, spots->count, sizeof(*spots->list), compare_spots);
	return 0;
}

void spots_release(struct spots *spots)
{
	free(spots->list);
	free(spots->front);
}

void spots_scales(
    const struct spots *spots, unsigned ticks, struct scale *x, struct scale *y)
{
	double least = INFINITY, most = 0, small = INFINITY, large = 0;

	for (size_t i = 0; i < spots->count; i++) {
		const struct candidate *c = spots->list[i].fact->candidate;

		least = fmin(least, fmin(low_of(c), c->full.throughput));
		most = fmax(most, fmax(high_of(c), c->full.throughput));
		small = fmin(small, c->full.storage_bytes);
		large = fmax(large, c->full.storage_bytes);
	}
	*x = scale_of_range(small, large, ticks);
	*y = scale_of_range(least, most, ticks);
}

static int compare_x(const void *pa, const void *pb)
{
	const struct spot *a = pa, *b = pb;

	return (a->x > b->x) - (a->x < b->x);
}

void spots_place(
    struct spots *spots, const struct scale *x, const struct scale *y)
{
	for (size_t i = 0; i < spots->count; i++) {
		struct spot *spot = &spots->list[i];
		const struct candidate *c = spot->fact->candidate;

		spot->x = scale_at(x, c->full.storage_bytes);
		spot->y = scale_at(y, c->full.throughput);
		spot->low = scale_at(y, low_of(c));
		spot->high = scale_at(y, high_of(c));
		if (spot->is_front)
			spots->front[spots->front_count++] = *spot;
	}
	if (spots->front_count)
		qsort(spots->front, spots->front_count, sizeof(*spots->front),
		    compare_x);
}
