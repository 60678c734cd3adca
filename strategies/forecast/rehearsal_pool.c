/* rehearsal_pool.c - see rehearsal_pool.h. */
#include "strategies/forecast/rehearsal_pool.h"

#include <math.h>

#include "lib/stats/statistics.h"
#include "strategies/forecast/predict.h"

enum { POOL_MOST = 256, POOL_LEAST = 3 };

/*
 * In the pool, a codec takes no larger part of a strategy's time, and the
 * online steps no smaller one; stores differ in what is left.
 */
static const double codec_fraction = 0.2, online_fraction = 0.5;

static double width_of(const struct model *model, const struct rehearsed *r)
{
	return fmin(r->threads, fmax(model->machine.cores, 1));
}

/* Wall time of decompressing a sample, with all threads. */
static double decode_s(const struct model *model, const struct rehearsed *r)
{
	return model->packing[r->rep][r->store][r->codec].decode_s /
	       width_of(model, r);
}

static bool is_pooled(const struct model *model, const struct rehearsed *r)
{
	return !r->unprocessed && !r->cached &&
	       decode_s(model, r) < codec_fraction * r->sample_s &&
	       model->online_s[r->rep] >=
	           online_fraction * r->sample_s * width_of(model, r);
}

static bool is_alike(const struct rehearsed *a, const struct rehearsed *b)
{
	return a->rep == b->rep && a->threads == b->threads;
}

/* Returns the median without decompressing; 0: too few are alike. */
static double median_alike(
    const struct model *model, const struct rehearsed *of)
{
	double values[POOL_MOST];
	size_t count = 0;

	for (size_t i = 0; i < model->rehearsed.count && count < POOL_MOST;
	     i++) {
		const struct rehearsed *r = &model->rehearsed.list[i];

		if (is_pooled(model, r) && is_alike(r, of))
			values[count++] = r->sample_s - decode_s(model, r);
	}
	return count >= POOL_LEAST ? median_of(values, count) : 0;
}

void rehearsal_pool(struct model *model)
{
	double pooled_s[POOL_MOST];
	const size_t count = model->rehearsed.count < POOL_MOST
	                         ? model->rehearsed.count
	                         : POOL_MOST;

	for (size_t i = 0; i < count; i++) {
		const struct rehearsed *r = &model->rehearsed.list[i];
		const double alike_s =
		    is_pooled(model, r) ? median_alike(model, r) : 0;

		pooled_s[i] =
		    alike_s > 0
		        ? sqrt(r->sample_s * (alike_s + decode_s(model, r)))
		        : r->sample_s;
	}
	for (size_t i = 0; i < count; i++)
		model->rehearsed.list[i].sample_s = pooled_s[i];
}
