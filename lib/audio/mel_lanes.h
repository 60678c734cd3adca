/*
 * mel_lanes.h - mel bands of LANES frames at once, see mel_tables.h.
 *
 * A template, see lanes.h; defines `mel_lanes`.
 */
#include "lib/audio/lanes.h"
#include "lib/audio/mel_tables.h"

/* Loads the bins of all runs, one row each: element i belongs to frame i. */
BODY void mel_load(
    const struct mel_tables *tables, const float *frames, lanes *rows)
{
	const size_t bins = tables->plan.bins;
	size_t i = 0;

	frames += tables->first;
	for (; i + 4 <= tables->count; i += 4) {
		lanes four[4];

#pragma GCC unroll 4
		for (size_t k = 0; k < 4; k++)
			four[k] =
			    lanes_load_fours(frames + i + k * bins, 4 * bins);
		lanes_mix_fours(four);
#pragma GCC unroll 4
		for (size_t k = 0; k < 4; k++)
			rows[i + k] = four[k];
	}
	for (; i < tables->count; i++)
		for (size_t lane = 0; lane < LANES; lane++)
			memcpy((float *)&rows[i] + lane,
			    frames + i + lane * bins, sizeof(float));
}

BODY void mel_sum(
    const struct mel_tables *tables, const lanes *rows, lanes *bands)
{
	const float *weights = tables->weights;
	lanes falls = { 0 }, rises = { 0 };

	for (size_t run = 0; run <= tables->plan.bands; run++) {
		for (size_t i = 0; i < tables->runs[run]; i++) {
			falls += rows[i] * weights[2 * i];
			rises += rows[i] * weights[2 * i + 1];
		}
		rows += tables->runs[run];
		weights += 2 * tables->runs[run];
		if (run > 0)
			bands[run - 1] = falls;
		falls = rises;
		rises = (lanes){ 0 };
	}
}

BODY void mel_store(const struct mel_tables *tables,
    const struct mel_group *group, const lanes *bands)
{
	const size_t count = tables->plan.bands;

	for (size_t i = 0; i < count; i += LANES) {
		const size_t width = count - i < LANES ? count - i : LANES;
		lanes block[LANES] = { 0 };

		if (width == LANES) {
#pragma GCC unroll 16
			for (size_t k = 0; k < LANES; k++)
				block[k] = bands[i + k];
		} else {
			memcpy(block, bands + i, width * sizeof(lanes));
		}
		lanes_store_block(
		    block, group->out + i, count, group->count, width);
	}
}

TARGET static void mel_lanes(
    const struct mel_tables *tables, const struct mel_group *group, float *work)
{
	lanes *rows = (lanes *)(void *)work;
	lanes *bands = rows + tables->count;
	float *copy = (float *)(bands + tables->plan.bands);
	const float *frames = group->in;

	if (group->count < LANES) { /* other lanes keep what is there */
		memcpy(copy, group->in,
		    group->count * tables->plan.bins * sizeof(float));
		frames = copy;
	}
	mel_load(tables, frames, rows);
	mel_sum(tables, rows, bands);
	mel_store(tables, group, bands);
}
