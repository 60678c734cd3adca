/*
 * bands_lanes.h - the mel bands of LANES frames at once: the transform, and
 * only those frequencies that a band looks at, which stay in rows as they are.
 *
 * A template, see lanes.h, to be included behind fft_lanes.h and mel_lanes.h;
 * defines `bands_lanes`.
 */
#include "lib/audio/lanes.h"

/* Row i becomes frequency first + i, as untwist_all has it. */
BODY void untwist_wanted(const struct fft_tables *tables,
    const struct mel_tables *mel, const struct cell *cells, bool is_magnitude,
    lanes *rows)
{
	const size_t n = tables->half, first = mel->first, count = mel->count;
	lanes one, other;

	ends(cells, is_magnitude, &one, &other);
	if (0 - first < count)
		rows[0] = one;
	if (n - first < count)
		rows[n - first] = other;
	for (size_t k = 1; k <= n / 2; k++) {
		const bool has_one = k - first < count; /* or it wraps */
		const bool has_other = n - k - first < count;

		if (has_one && has_other)
			untwist(tables, cells, k, is_magnitude,
			    &rows[k - first], &rows[n - k - first]);
		else if (has_one)
			untwist(tables, cells, k, is_magnitude,
			    &rows[k - first], &other);
		else if (has_other)
			untwist(tables, cells, k, is_magnitude, &one,
			    &rows[n - k - first]);
	}
}

TARGET static void bands_lanes(const struct fft_tables *tables,
    const struct fft_group *group, const struct mel_tables *mel, float *work)
{
	struct cell *cells = (void *)work;
	lanes *rows = (lanes *)(void *)(work + fft_tables_work(tables));
	lanes *bands = rows + mel->count;
	const struct mel_group out = {
		.count = group->count,
		.out = group->out,
	};

	load(tables, group, cells, work + 2 * tables->half * LANES);
	passes(tables, cells);
	if (tables->plan.power == 1)
		untwist_wanted(tables, mel, cells, true, rows);
	else
		untwist_wanted(tables, mel, cells, false, rows);
	mel_sum(mel, rows, bands);
	mel_store(mel, &out, bands);
}
