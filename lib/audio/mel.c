/* mel.c - see mel.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/kernels.h"
#include "lib/audio/mel_tables.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"

struct mel {
	struct mel_tables tables;
	const struct audio_kernels *kernels;
	struct buf work;
};

/* ---- the scales ---- */

static double to_mel(enum mel_scale scale, double hertz)
{
	const double step = log(6.4) / 27; /* above 1000 Hz */

	if (scale == MEL_HTK)
		return 1127 * log1p(hertz / 700);
	return hertz < 1000 ? hertz * 3 / 200 : 15 + log(hertz / 1000) / step;
}

static double to_hertz(enum mel_scale scale, double mel)
{
	const double step = log(6.4) / 27;

	if (scale == MEL_HTK)
		return 700 * expm1(mel / 1127);
	return mel < 15 ? mel * 200 / 3 : 1000 * exp((mel - 15) * step);
}

/* Returns edge `i` of bands + 2 in Hz. */
static double edge_hertz(const struct mel_plan *plan, size_t i)
{
	const double low = to_mel(plan->scale, plan->low);
	const double high = to_mel(plan->scale, plan->high);

	if (i == 0)
		return plan->low;
	if (i == plan->bands + 1)
		return plan->high;
	return to_hertz(plan->scale,
	    low + (high - low) * (double)i / (double)(plan->bands + 1));
}

static double bin_hertz(const struct mel_plan *plan, size_t bin)
{
	return plan->rate / 2 * (double)bin / (double)(plan->bins - 1);
}

/* Maps Hz to the scale on which triangles have straight sides. */
static double ruler(const struct mel_plan *plan, double hertz)
{
	return plan->scale == MEL_HTK ? to_mel(MEL_HTK, hertz) : hertz;
}

/* Returns the fraction of the way from `from` to `to` at which `at` lies. */
static double share(
    const struct mel_plan *plan, double from, double at, double to)
{
	return (ruler(plan, at) - ruler(plan, from)) /
	       (ruler(plan, to) - ruler(plan, from));
}

double mel_weight(const struct mel_plan *plan, size_t bin, size_t band)
{
	const double at = bin_hertz(plan, bin);
	const double left = edge_hertz(plan, band);
	const double peak = edge_hertz(plan, band + 1);
	const double right = edge_hertz(plan, band + 2);
	const double factor = plan->norm == MEL_AREA ? 2 / (right - left) : 1;

	if (at < left || at >= right)
		return 0;
	return factor * (at < peak ? share(plan, left, at, peak)
	                           : share(plan, right, at, peak));
}

/* ---- tables ---- */

size_t mel_tables_work(const struct mel_tables *tables)
{
	return KERNEL_LANES_MAX *
	       (tables->count + tables->plan.bands + tables->plan.bins);
}

/* Returns the number of bins below this edge. */
static size_t bins_below(const struct mel_plan *plan, double hertz)
{
	size_t bin = 0;

	while (bin < plan->bins && bin_hertz(plan, bin) < hertz)
		bin++;
	return bin;
}

static void fill_run(struct mel_tables *tables, size_t run, size_t from)
{
	const struct mel_plan *plan = &tables->plan;
	float *weights = tables->weights + 2 * (from - tables->first);

	for (size_t i = 0; i < tables->runs[run]; i++) {
		weights[2 * i] =
		    run > 0 ? (float)mel_weight(plan, from + i, run - 1) : 0;
		weights[2 * i + 1] =
		    run < plan->bands ? (float)mel_weight(plan, from + i, run)
		                      : 0;
	}
}

static int make_tables(struct mel_tables *tables, struct error *err)
{
	const struct mel_plan *plan = &tables->plan;
	size_t from = bins_below(plan, plan->low);

	tables->first = from;
	tables->runs = calloc(plan->bands + 1, sizeof(*tables->runs));
	tables->weights = calloc(plan->bins, 2 * sizeof(float));
	if (!tables->runs || !tables->weights)
		return error_memory(err, plan->bands * sizeof(uint32_t) +
		                             plan->bins * 2 * sizeof(float));
	for (size_t run = 0; run <= plan->bands; run++) {
		const size_t to = bins_below(plan, edge_hertz(plan, run + 1));

		tables->runs[run] = (uint32_t)(to - from);
		fill_run(tables, run, from);
		from = to;
	}
	tables->count = from - tables->first;
	return 0;
}

/* ---- a bank ---- */

static int set_up(struct mel *mel, struct error *err)
{
	size_t bytes;

	mel->kernels = audio_kernels();
	if (make_tables(&mel->tables, err))
		return -1;
	bytes = mel_tables_work(&mel->tables) * sizeof(float);
	if (buf_reserve(&mel->work, bytes, err))
		return -1;
	memset(mel->work.data, 0, bytes);
	return 0;
}

struct mel *mel_new(const struct mel_plan *plan, struct error *err)
{
	struct mel *mel = memory_zeroed(sizeof(*mel), err);

	if (!mel)
		return NULL;
	mel->tables.plan = *plan;
	if (set_up(mel, err)) {
		mel_free(mel);
		return NULL;
	}
	return mel;
}

void mel_free(struct mel *mel)
{
	if (!mel)
		return;
	free(mel->tables.runs);
	free(mel->tables.weights);
	buf_release(&mel->work);
	free(mel);
}

const struct mel_plan *mel_plan(const struct mel *mel)
{
	return &mel->tables.plan;
}

const struct mel_tables *mel_tables(const struct mel *mel)
{
	return &mel->tables;
}

void mel_use(struct mel *mel, const struct audio_kernels *kernels)
{
	mel->kernels = kernels;
}

void mel_run(struct mel *mel, const void *in, size_t count, float *out)
{
	const struct mel_plan *plan = &mel->tables.plan;
	struct mel_group group = { .in = in, .out = out };

	for (size_t i = 0; i < count; i += group.count) {
		group.count = count - i < mel->kernels->lanes
		                  ? count - i
		                  : mel->kernels->lanes;
		group.in =
		    (const unsigned char *)in + i * plan->bins * sizeof(float);
		group.out = out + i * plan->bands;
		mel->kernels->mel(
		    &mel->tables, &group, (float *)(void *)mel->work.data);
	}
}
