/*
 * balanced.c - the weighted sum of Isenko et al., "Where Is My Training
 * Bottleneck?", SIGMOD 2022, section 3: preparation, storage and throughput,
 * each spread to 0..1 over the candidates, the first two inverted.
 *
 * Apart from the original, `unprocessed` is charged with the storage of the
 * dataset itself, and a quantity that is the same everywhere counts 1.
 */
#include "strategies/candidate.h"
#include "strategies/objectives/objective.h"

/* The least of it is best; the inversion of "all the same" is that too. */
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

	/* What has no weight need not be known. */
	if (weights->prep > 0)
		sum += weights->prep * place_inverted(&scales->full_prep_s,
		                           candidate->full_prep_s);
	if (weights->storage > 0)
		sum += weights->storage *
		       place_inverted(&scales->full_storage_bytes,
		           candidate->full_storage_bytes);
	if (weights->throughput > 0)
		sum += weights->throughput *
		       range_place(&scales->throughput, throughput);
	return sum;
}

const struct objective_ops objective_balanced = {
	.name = "balanced",
	.summary = "throughput, preparation and storage, weighed",
	.scored = true,
	.worth = balanced_worth,
};
