/* all_trials.c - see all_trials.h. */
#include "strategies/compare/all_trials.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/stats/ranksum.h"

/* The first trial sets the rounds; later ones may have fewer, and cut them. */
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

int all_trials_add(struct all_trials *all, const struct compared *trial,
    const struct ranksum_values *base, const struct ranksum_values *new_one,
    struct error *err)
{
	const bool is_first = all->trials == 0;

	if (!trial->is_tested || isnan(trial->ratio_low)) {
		all->is_whole = false;
		return 0;
	}
	if (add_values(&all->base, &all->base_count, is_first, base, err) ||
	    add_values(&all->new_one, &all->new_count, is_first, new_one, err))
		return -1;
	all->trials++;
	all->more += log(fmax(trial->left_ratio, 1));
	all->less += log(fmin(trial->left_ratio, 1));
	return 0;
}

/*
 * The mean of several trials varies less from session to session than one
 * trial.  So the interval need only exclude half of the threshold.
 */
static bool is_slower(const struct compare_mean *mean, double threshold)
{
	return mean->ratio < 1 - threshold && mean->high < 1 - threshold / 2 &&
	       mean->p < 1 - COMPARE_CONFIDENCE &&
	       !(mean->fastest_ratio >= 1 - threshold);
}

static void set_fastest(const struct all_trials *all, struct compare_mean *mean)
{
	const struct fastest_runs fastest = fastest_sum_mean(&all->fastest);

	mean->fastest_ratio = exp(fastest.mean);
	mean->fastest_low = exp(fastest.mean - fastest.doubt);
	mean->fastest_high = exp(fastest.mean + fastest.doubt);
}

int all_trials_judge(const struct all_trials *all,
    struct comparison *comparison, struct error *err)
{
	const struct ranksum_values base = { all->base, all->base_count };
	const struct ranksum_values new_one = { all->new_one, all->new_count };
	const double n = (double)all->trials;
	struct compare_mean *mean = &comparison->mean;
	struct ranksum_shift shift;

	if (!all->is_whole || all->trials < 2)
		return 0;
	set_fastest(all, mean);
	mean->is_slower_by_fastest =
	    mean->fastest_high < 1 - comparison->threshold;
	mean->is_slower = mean->is_slower_by_fastest;
	if (ranksum_shift(&base, &new_one, COMPARE_CONFIDENCE, &shift, err) ||
	    ranksum_test(&base, &new_one, &mean->p, err))
		return -1;
	if (!isfinite(shift.low))
		return 0;
	mean->low = mean->ratio * exp((shift.low - shift.shift) / n) /
	            exp(all->more / n);
	mean->high = mean->ratio * exp((shift.high - shift.shift) / n) /
	             exp(all->less / n);
	if (is_slower(mean, comparison->threshold)) {
		mean->is_slower = true;
		mean->is_slower_by_fastest = false;
	}
	return 0;
}

void all_trials_release(struct all_trials *all)
{
	free(all->base);
	free(all->new_one);
	*all = (struct all_trials)ALL_TRIALS_INIT;
}
