/* compare_rounds.c - see compare_parts.h: all trials together. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/stats/ranksum.h"
#include "strategies/compare/compare_parts.h"

/* The first trial has its rounds, and the others no more than those. */
static int add_values(double **sums, size_t *count, bool is_first,
    const struct ranksum_values *values, struct error *err)
{
	if (is_first) {
		*sums = calloc(values->count + 1, sizeof(**sums));
		if (!*sums)
			return error_memory(
			    err, (values->count + 1) * sizeof(**sums));
		*count = values->count;
	}
	if (values->count < *count)
		*count = values->count;
	for (size_t i = 0; i < *count; i++)
		(*sums)[i] += values->values[i];
	return 0;
}

int compare_rounds_add(struct compare_rounds *rounds, const struct compared *of,
    const struct ranksum_values *base, const struct ranksum_values *new_one,
    struct error *err)
{
	const bool is_first = rounds->trials == 0;

	if (!of->is_tested || isnan(of->ratio_low)) {
		rounds->is_whole = false;
		return 0;
	}
	if (add_values(
	        &rounds->base, &rounds->base_count, is_first, base, err) ||
	    add_values(
	        &rounds->new_one, &rounds->new_count, is_first, new_one, err))
		return -1;
	rounds->trials++;
	rounds->doubt += of->speed_doubt;
	rounds->more += log(fmax(of->left_ratio, 1));
	rounds->less += log(fmin(of->left_ratio, 1));
	return 0;
}

/*
 * Slower beyond the threshold, and for sure by more than half of it.  Of one
 * trial that is too little (compare.h); the mean of several varies less from
 * session to session.
 */
static bool is_slower(const struct compare_mean *mean, double threshold)
{
	return mean->ratio < 1 - threshold && mean->high < 1 - threshold / 2 &&
	       mean->p < 1 - COMPARE_CONFIDENCE &&
	       !(mean->fastest_ratio >= 1 - threshold);
}

static void set_fastest(
    const struct compare_rounds *rounds, struct compare_mean *mean)
{
	const struct compare_fastest all =
	    compare_fastest_of_all(&rounds->fastest);

	mean->fastest_ratio = exp(all.mean);
	mean->fastest_low = exp(all.mean - all.doubt);
	mean->fastest_high = exp(all.mean + all.doubt);
}

int compare_rounds_judge(const struct compare_rounds *rounds,
    struct comparison *comparison, struct error *err)
{
	const struct ranksum_values base = { rounds->base, rounds->base_count };
	const struct ranksum_values new_one = { rounds->new_one,
		rounds->new_count };
	const double n = (double)rounds->trials;
	struct compare_mean *mean = &comparison->mean;
	struct ranksum_shift shift;

	if (!rounds->is_whole || rounds->trials < 2)
		return 0;
	set_fastest(rounds, mean);
	mean->is_slower_by_fastest =
	    mean->fastest_high < 1 - comparison->threshold;
	mean->is_slower = mean->is_slower_by_fastest;
	if (ranksum_shift(&base, &new_one, COMPARE_CONFIDENCE, &shift, err) ||
	    ranksum_test(&base, &new_one, &mean->p, err))
		return -1;
	if (!isfinite(shift.low))
		return 0;
	mean->low = mean->ratio *
	            exp(-hypot(shift.shift - shift.low, rounds->doubt) / n) /
	            exp(rounds->more / n);
	mean->high = mean->ratio *
	             exp(hypot(shift.high - shift.shift, rounds->doubt) / n) /
	             exp(rounds->less / n);
	if (is_slower(mean, comparison->threshold)) {
		mean->is_slower = true;
		mean->is_slower_by_fastest = false;
	}
	return 0;
}

void compare_rounds_release(struct compare_rounds *rounds)
{
	free(rounds->base);
	free(rounds->new_one);
	*rounds = (struct compare_rounds)COMPARE_ROUNDS_INIT;
}
