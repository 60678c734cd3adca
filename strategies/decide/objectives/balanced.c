/*
 * balanced.c - the weighted sum of Isenko et al., "Where Is My Training
 * Bottleneck?", SIGMOD 2022, section 3: preparation, storage and throughput,
 * each spread to 0..1 over the candidates, the first two inverted.
 *
 * It departs from the paper in two points: `unprocessed` is charged with the
 * storage of the dataset itself, and a quantity that is the same for all
 * candidates counts 1.
 */
#include <stdio.h>

#include "lib/base/array.h"
#include "strategies/decide/objectives/objective.h"
#include "strategies/figures/candidate.h"

/* 1 for the least of all candidates, 0 for the most. */
static double place_inverted(const struct range *range, double value)
{
	const struct range inverted = { -range->high, -range->low };

	return range_place(&inverted, -value);
}

static double balanced_worth(const struct candidate *candidate,
    const struct scales *scales, double throughput)
{
	const struct weights *weights = &scales->weights;
	double sum = 0;

	/* A quantity without weight need not be known. */
	if (weights->prep > 0)
		sum += weights->prep * place_inverted(&scales->full_prep_s,
		                           candidate->full.prep_s);
	if (weights->storage > 0)
		sum += weights->storage *
		       place_inverted(&scales->full_storage_bytes,
		           candidate->full.storage_bytes);
	if (weights->throughput > 0)
		sum += weights->throughput *
		       range_place(&scales->throughput, throughput);
	return sum;
}

static void say_best(const struct candidate *best, const struct scales *scales,
    char text[OBJECTIVE_TEXT])
{
	UNUSED(best);
	snprintf(text, OBJECTIVE_TEXT,
	    "it scores best when preparation counts %g, storage %g and "
	    "throughput %g",
	    scales->weights.prep, scales->weights.storage,
	    scales->weights.throughput);
}

static void say_nothing(const struct scales *scales, char text[OBJECTIVE_TEXT])
{
	UNUSED(scales);
	snprintf(text, OBJECTIVE_TEXT,
	    "the dataset as it is scores best by these weights");
}

const struct objective_ops objective_balanced = {
	.name = "balanced",
	.summary = "throughput, preparation and storage, weighed",
	.uses_weights = true,
	.scored = true,
	.worth = balanced_worth,
	.say_best = say_best,
	.say_nothing = say_nothing,
};
