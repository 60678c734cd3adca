/* candidate.c - see candidate.h. */
#include "strategies/figures/candidate.h"

#include <math.h>
#include <string.h>

#include "lib/db/grid.h"

/* Two single figures closer than twice this are not told apart. */
static const double single_figure_spread = 0.025;

void candidate_set_demand(struct candidate *candidate, double samples_per_s)
{
	candidate->covers = candidate->full_throughput / samples_per_s;
	candidate->sufficient = candidate->able && candidate->covers >= 1;
}

bool candidate_is_of(
    const struct candidate *candidate, const struct grid *view, size_t row)
{
	return strcmp(grid_text(view, row, "strategy"), candidate->strategy) ==
	           0 &&
	       strcmp(grid_text(view, row, "cache"), candidate->cache) == 0 &&
	       !islessgreater(
	           grid_number(view, row, "threads"), candidate->threads);
}

bool candidate_rows_match(
    const struct grid *a, size_t row_a, const struct grid *b, size_t row_b)
{
	const struct candidate of = {
		.strategy = grid_text(b, row_b, "strategy"),
		.cache = grid_text(b, row_b, "cache"),
		.threads = grid_number(b, row_b, "threads"),
	};

	return candidate_is_of(&of, a, row_a);
}

size_t candidate_same_row(
    const struct grid *in, const struct grid *of, size_t row)
{
	size_t i = 0;

	while (i < in->row_count && !candidate_rows_match(in, i, of, row))
		i++;
	return i;
}

bool candidate_is_rival(const struct candidate *c)
{
	return c->able && c->readable && c->assumed;
}

bool candidate_is_ranked(const struct candidate *c)
{
	return candidate_is_rival(c) && c->meets;
}

bool candidate_is_unprocessed(const struct candidate *candidate)
{
	return strcmp(candidate->strategy, "unprocessed") == 0;
}

bool candidate_is_cached(const struct candidate *candidate)
{
	return strcmp(candidate->cache, "none") != 0;
}

double candidate_full_kept_bytes(const struct candidate *c)
{
	if (!candidate_is_cached(c))
		return NAN;
	return strcmp(c->cache, "application") == 0
	           ? c->cache_bytes * c->full_epoch_samples / c->samples
	           : c->full_storage_bytes;
}

double candidate_first_epoch(const struct candidate *c, double throughput)
{
	return candidate_is_cached(c) && !isnan(c->first_epoch) ? c->first_epoch
	                                                        : throughput;
}

double candidate_total_s(
    const struct candidate *candidate, double epochs, double throughput)
{
	const double first = candidate_first_epoch(candidate, throughput);

	return candidate->full_prep_s + candidate->full_epoch_samples / first +
	       (epochs - 1) * candidate->full_epoch_samples / throughput;
}

double candidate_break_even(
    const struct candidate *candidate, const struct candidate *base)
{
	const double first =
	    candidate_total_s(candidate, 1, candidate->full_throughput);
	const double base_first =
	    candidate_total_s(base, 1, base->full_throughput);
	const double gain =
	    base->full_epoch_samples / base->full_throughput -
	    candidate->full_epoch_samples / candidate->full_throughput;

	if (gain < 0)
		return NAN;
	if (first <= base_first)
		return 1;
	return gain > 0 ? 1 + ceil((first - base_first) / gain) : NAN;
}

static bool is_scale(double ratio)
{
	return ratio > 0 && isfinite(ratio);
}

/*
 * Of a report without the numbers of samples: preparation is in proportion to
 * them, and all trials are of the same; storage only nearly.
 */
static double guess_scale(const struct grid *report, size_t row)
{
	const double session = grid_number(report, row, "session");

	for (size_t i = 0; i < report->row_count; i++) {
		const double ratio = grid_number(report, i, "full_prep_s") /
		                     grid_number(report, i, "prep_s");

		if (is_scale(ratio) &&
		    !islessgreater(grid_number(report, i, "session"), session))
			return ratio;
	}
	return grid_number(report, row, "full_storage_bytes") /
	       grid_number(report, row, "storage_bytes");
}

/* How many times more the full dataset is than what was profiled. */
static double find_scale(
    const struct grid *report, size_t row, double full_samples)
{
	double taken = grid_number(report, row, "source_samples");
	double full = full_samples, ratio;

	if (isnan(taken))
		taken = grid_number(report, row, "samples");
	if (isnan(full))
		full = grid_number(report, row, "full_samples");
	ratio = full / taken;
	if (!is_scale(ratio))
		ratio = guess_scale(report, row);
	return is_scale(ratio) ? ratio : 1;
}

/* As recorded, which may be better than in proportion to the samples. */
static double find_full_storage(
    const struct grid *report, size_t row, double full_samples, double scaled)
{
	const double recorded = grid_number(report, row, "full_storage_bytes");
	const double others =
	    isnan(full_samples)
	        ? 1
	        : full_samples / grid_number(report, row, "full_samples");

	return recorded * others >= 0 ? recorded * others : scaled;
}

static bool is_able(const struct grid *report, size_t row, double throughput)
{
	const char *status = grid_text(report, row, "status");
	const char *equivalent = grid_text(report, row, "equivalent");

	return throughput > 0 && strcmp(status, "done") == 0 &&
	       strcmp(equivalent, "no") != 0;
}

/* An interval of a single figure is not known: it is no point. */
static void set_tie_range(struct candidate *c)
{
	const bool known = c->low < c->high;

	c->tie_low =
	    known ? c->low : c->throughput * (1 - single_figure_spread);
	c->tie_high =
	    known ? c->high : c->throughput * (1 + single_figure_spread);
}

/* Until the candidate is ranked. */
static void set_unknown(struct candidate *c)
{
	c->break_even_epochs = NAN;
	c->paired_low = NAN;
	c->paired_high = NAN;
	c->score = NAN;
	c->total_s = NAN;
	c->cost = NAN;
}

struct candidate candidate_read(
    const struct grid *report, size_t row, double full_samples)
{
	const double scale = find_scale(report, row, full_samples);
	struct candidate c = {
		.strategy = grid_text(report, row, "strategy"),
		.split = grid_text(report, row, "split"),
		.store = grid_text(report, row, "store"),
		.codec = grid_text(report, row, "codec"),
		.cache = grid_text(report, row, "cache"),
		.bottleneck = grid_text(report, row, "bottleneck"),
		.bottleneck_evidence =
		    grid_text(report, row, "bottleneck_evidence"),
		.equivalent = grid_text(report, row, "equivalent"),
		.portable = grid_text(report, row, "portable"),
		.emulated_storage = grid_text(report, row, "emulated_storage"),
		.threads = grid_number(report, row, "threads"),
		.samples = grid_number(report, row, "samples"),
		.runs = grid_number(report, row, "runs"),
		.figures = grid_number(report, row, "figures"),
		.throughput =
		    grid_number(report, row, "throughput_samples_per_s"),
		.low = grid_number(report, row, "throughput_low_samples_per_s"),
		.high =
		    grid_number(report, row, "throughput_high_samples_per_s"),
		.relative_low = grid_number(report, row, "relative_low"),
		.relative_high = grid_number(report, row, "relative_high"),
		.first_epoch =
		    grid_number(report, row, "first_epoch_samples_per_s"),
		.resident_percent =
		    grid_number(report, row, "resident_percent"),
		.cache_bytes = grid_number(report, row, "cache_bytes"),
		.prep_s = grid_number(report, row, "prep_s"),
		.storage_bytes = grid_number(report, row, "storage_bytes"),
		.unranked = "",
	};

	set_unknown(&c);
	c.low = number_or(c.low, c.throughput);
	c.high = number_or(c.high, c.throughput);
	set_tie_range(&c);
	c.figures = number_or(c.figures, c.runs); /* of a report in CSV */
	if (candidate_is_unprocessed(&c))
		c.prep_s = 0;
	c.full_prep_s = c.prep_s * scale;
	c.full_storage_bytes = find_full_storage(
	    report, row, full_samples, c.storage_bytes * scale);
	c.full_epoch_samples = c.samples * scale;
	c.full_throughput = c.throughput;
	c.outgrows_memory =
	    candidate_is_cached(&c) &&
	    strcmp(grid_text(report, row, "fits_memory"), "no") == 0;
	c.lossy = strcmp(c.equivalent, "lossy") == 0;
	c.able = is_able(report, row, c.throughput);
	return c;
}
