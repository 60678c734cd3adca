/*
 * bands_lanes.h - mel bands of LANES frames at once, straight from the
 * transform.  Only frequencies that a band needs are computed, and each is
 * added at once: so additions overlap with the next square roots.
 *
 * A template, see lanes.h; include it after fft_lanes.h and mel_lanes.h.  It
 * defines `bands_lanes`.
 */
#include "lib/audio/lanes.h"

/* Like mel_sum, but computes each frequency when it is added. */
BODY void sum_wanted(const struct fft_tables *tables,
    const struct mel_tables *mel, const struct cell *cells, bool is_magnitude,
    lanes *bands)
{
	const float *weights = mel->weights;
	size_t k = mel->first;
	lanes falls = { 0 }, rises = { 0 };

	for (size_t run = 0; run <= mel->plan.bands; run++) {
		for (size_t i = 0; i < mel->runs[run]; i++, k++) {
			const struct twisted x = untwist(tables, cells, k);
			const lanes row = frequency(&x, is_magnitude);

			falls += row * weights[0];
			rises += row * weights[1];
			weights += 2;
		}
		if (run > 0)
			bands[run - 1] = falls;
		falls = rises;
		rises = (lanes){ 0 };
	}
}

TARGET static void bands_lanes(const struct fft_tables *tables,
    const struct fft_group *group, const struct mel_tables *mel, float *work)
{
	struct cell *cells = (void *)work;
	lanes *bands = (lanes *)(void *)(work + fft_tables_work(tables));
	const struct mel_group out = {
		.count = group->count,
		.out = group->out,
	};

	load(tables, group, cells, work + 2 * tables->half * LANES);
	passes(tables, cells);
	if (tables->plan.power == 1)
		sum_wanted(tables, mel, cells, true, bands);
	else
		sum_wanted(tables, mel, cells, false, bands);
	mel_store(mel, &out, bands);
}
