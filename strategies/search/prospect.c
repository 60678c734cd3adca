/* prospect.c - see prospect.h. */
#include "strategies/search/prospect.h"

#include <math.h>
#include <string.h>

#include "lib/pipeline/commute.h"
#include "lib/stores/store.h"
#include "strategies/forecast/cache_place.h"

/*
 * Where a model does not know its own errors: a forecast of the throughput was
 * off by up to 40 % on an idle machine, one of a size by up to 26 %.
 */
static const double guessed_rate = 1.5, guessed_size = 1.5, guessed_prep = 2;

static const double no_bound = 1e15; /* samples per second */

static enum answer find_fit(double bytes, double memory_bytes)
{
	if (isnan(memory_bytes) || isnan(bytes))
		return ANSWER_UNKNOWN;
	return bytes <= memory_bytes ? ANSWER_YES : ANSWER_NO;
}

/* "zstd:1" of "resized/tar/zstd:1". */
static const char *codec_of(const struct strategy *strategy)
{
	const char *slash = strrchr(strategy->label, '/');

	return slash ? slash + 1 : "";
}

/* A codec may lose something, and so may steps that changed places. */
static bool is_lossy(const struct strategy *strategy)
{
	return strategy_is_lossy(strategy) ||
	       (strategy->pipeline &&
	           commute_order(strategy->pipeline) != COMMUTE_EXACT);
}

static struct figures expect(const struct prospect_scene *scene,
    const struct strategy *strategy, struct trial_mode mode,
    const struct prediction *p)
{
	const double samples =
	    (double)strategy_samples(strategy, scene->samples);
	const double delivered = p->samples_per_s * p->epoch_s;
	struct figures f = figures_none();

	f.strategy = strategy->label;
	if (!strategy->unprocessed) {
		f.store = strategy->store->name;
		f.codec = codec_of(strategy);
	}
	f.threads = mode.threads;
	f.cache = mode.cache;
	f.state = TRIAL_DONE;
	f.answers.equivalent =
	    is_lossy(strategy) ? EQUIVALENT_LOSSY : EQUIVALENT_UNKNOWN;
	f.psnr_db = INFINITY; /* not known, so within any tolerance */
	f.answers.portable =
	    strategy_is_readable(strategy, NULL) ? ANSWER_YES : ANSWER_NO;
	f.throughput.median = p->samples_per_s;
	f.throughput.first_epoch = delivered / p->first_epoch_s;
	f.throughput.runs = f.throughput.counted = 1;
	f.profiled = (struct dataset_figures){ delivered,
		strategy->unprocessed ? 0 : p->prep_s, p->storage_bytes, NAN };
	f.full.samples = scene->full_samples;
	f.source_samples = samples;
	return f;
}

/* Bytes that an application cache keeps of these samples; NAN: there is none.
 */
static double kept_bytes(const struct prospect_scene *scene,
    const struct strategy *strategy, const struct load *load)
{
	struct cache_place place;

	if (load->cache != CACHE_APPLICATION)
		return NAN;
	place = cache_place_of(scene->model, strategy, load);
	return place.bytes * place.share;
}

/* The cache modes that keep the full dataset need room for it. */
static void set_fit(
    struct prospect *prospect, const struct prospect_scene *scene)
{
	struct figures *f = &prospect->expected;
	const double scale = scene->full_samples / f->source_samples;

	f->answers.fits_memory = find_fit(
	    scale * number_or(f->cached.bytes, prospect->low_storage_bytes),
	    scene->memory_bytes);
}

struct prospect prospect_make(const struct prospect_scene *scene,
    const struct strategy *strategy, struct trial_mode mode)
{
	const struct load load =
	    load_of_mode(strategy_samples(strategy, scene->samples), &mode);
	const struct prediction p =
	    model_predict(scene->model, strategy, &load);
	struct prospect prospect = {
		.strategy = strategy,
		.mode = mode,
		.always = strategy->unprocessed,
		.expected = expect(scene, strategy, mode, &p),
		.low_samples_per_s =
		    p.high_samples_per_s > 0 ? p.low_samples_per_s : 0,
		.high_samples_per_s = p.high_samples_per_s > 0
		                          ? p.high_samples_per_s
		                          : p.samples_per_s * guessed_rate,
		.low_prep_s =
		    p.high_prep_s > 0 ? p.low_prep_s : p.prep_s / guessed_prep,
		.low_storage_bytes = p.high_storage_bytes > 0
		                         ? p.low_storage_bytes
		                         : p.storage_bytes / guessed_size,
	};

	/* Without a forecast it may be as fast as any. */
	if (!(p.samples_per_s > 0)) {
		prospect.expected.throughput.median = 1;
		prospect.high_samples_per_s = no_bound;
	}
	if (strategy->unprocessed) {
		prospect.low_prep_s = 0;
		prospect.low_storage_bytes = p.storage_bytes;
	}
	prospect.first_high_samples_per_s =
	    prospect.expected.throughput.first_epoch *
	    prospect.high_samples_per_s / prospect.expected.throughput.median;
	prospect.expected.cached.bytes = kept_bytes(scene, strategy, &load);
	set_fit(&prospect, scene);
	return prospect;
}

bool prospect_is_forecast(const struct prospect *prospect)
{
	return prospect->high_samples_per_s < no_bound;
}

bool prospect_is_like(const struct prospect *a, const struct prospect *b)
{
	const unsigned from_a =
	    a->strategy->unprocessed ? 0 : a->strategy->split;
	const unsigned from_b =
	    b->strategy->unprocessed ? 0 : b->strategy->split;

	return from_a == from_b && a->mode.number == b->mode.number &&
	       a->strategy->samples == b->strategy->samples &&
	       strcmp(a->strategy->order, b->strategy->order) == 0;
}

struct figures prospect_at_best(const struct prospect *prospect,
    double bound_samples_per_s, double least_prep_s)
{
	const double passed =
	    bound_samples_per_s / prospect->high_samples_per_s;
	struct figures f = prospect->expected;
	struct throughput *rate = &f.throughput;

	/* An interval with a width is no guess to the ranking. */
	rate->low = rate->median;
	rate->median = rate->high = bound_samples_per_s;
	rate->first_low = rate->first_epoch;
	rate->first_epoch = rate->first_high =
	    passed * prospect->first_high_samples_per_s;
	f.profiled.prep_s = least_prep_s;
	f.profiled.storage_bytes = prospect->low_storage_bytes;
	return f;
}

bool prospect_is_measured(const struct prospect *prospect)
{
	return prospect->state == PROSPECT_RACING ||
	       prospect->state == PROSPECT_KNOWN ||
	       prospect->state == PROSPECT_BEATEN;
}
