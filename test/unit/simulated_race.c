/* simulated_race.c - see simulated_race.h. */
#include "test/unit/simulated_race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/stats/statistics.h"
#include "lib/stores/store.h"
#include "test/unit/test.h"

enum { SAMPLES = 1000, ALL_RUNS = 5 };

/* Quantile of the normal distribution for an interval of 95 %. */
static const double two_sided = 1.96;

/* ---- the truth ---- */

static double spread(struct random *random, double deviation)
{
	return exp(deviation * random_normal(random));
}

static void draw_truth(struct simulated *s, size_t i, struct random *random)
{
	s->strategy =
	    (struct strategy){ .unprocessed = i == 0, .split = (unsigned)i };
	s->samples_per_s = 1000 * exp(3 * random_unit(random));
	s->prep_s = 0;
	s->storage_bytes = 1e9;
	if (i == 0) {
		snprintf(s->strategy.label, sizeof(s->strategy.label),
		    "unprocessed");
		s->samples_per_s = 800;
		return;
	}
	snprintf(
	    s->strategy.label, sizeof(s->strategy.label), "s%zu/tar/none", i);
	s->strategy.store = store_find("tar");
	s->strategy.codec = (struct codec){ .ops = &codec_none };
	s->prep_s = 1 + 2 * random_unit(random);
	s->storage_bytes = 1e9 * exp(3 * random_unit(random) - 1.5);
}

static struct figures expect(const struct simulated *s)
{
	struct figures f = figures_none();

	f.strategy = s->strategy.label;
	f.store = s->strategy.unprocessed ? "" : "tar";
	f.codec = s->strategy.unprocessed ? "" : "none";
	f.threads = 2;
	f.cache = CACHE_SYSTEM;
	f.state = TRIAL_DONE;
	f.answers.equivalent = EQUIVALENT_YES;
	f.answers.portable = ANSWER_YES;
	f.answers.fits_memory = ANSWER_YES;
	f.profiled.samples = f.full.samples = f.source_samples = SAMPLES;
	return f;
}

/* A forecast is off by chance, and its interval is made for that. */
static struct prospect draw_prospect(struct simulated *s,
    const struct simulated_errors *errors, struct random *random)
{
	const double reach = two_sided * errors->claimed;
	struct prospect p = { .strategy = &s->strategy,
		.mode = { .threads = 2, .cache = CACHE_SYSTEM, .batch = 64 },
		.always = s->strategy.unprocessed,
		.expected = expect(s) };
	const double rate =
	    s->samples_per_s * errors->bias * spread(random, errors->rate);
	const double prep = s->prep_s * spread(random, errors->prep);
	const double bytes =
	    s->strategy.unprocessed
	        ? s->storage_bytes
	        : s->storage_bytes * spread(random, errors->storage);

	p.expected.throughput.median = p.expected.throughput.first_epoch = rate;
	p.expected.throughput.runs = p.expected.throughput.counted = 1;
	p.expected.profiled.prep_s = prep;
	p.expected.profiled.storage_bytes = bytes;
	p.high_samples_per_s = rate * exp(reach * errors->rate);
	p.first_high_samples_per_s = p.high_samples_per_s;
	p.low_prep_s = prep / exp(reach * errors->prep);
	p.low_storage_bytes = s->strategy.unprocessed
	                          ? bytes
	                          : bytes / exp(reach * errors->storage);
	return p;
}

void simulated_race_begin(struct simulated_race *race,
    const struct search_plan *plan, const struct simulated_errors *errors,
    uint64_t seed)
{
	struct error err = ERROR_INIT;

	*race = (struct simulated_race){ .noise = 0.01 };
	search_init(&race->search, plan);
	for (size_t i = 0; i < SIMULATED; i++) {
		struct random random = random_stream(seed, 1, i, 0);
		struct prospect p;

		draw_truth(&race->list[i], i, &random);
		p = draw_prospect(&race->list[i], errors, &random);
		test_ok(search_add(&race->search, &p, &err), &err);
	}
}

void simulated_race_end(struct simulated_race *race)
{
	search_release(&race->search);
}

/* ---- runs ---- */

static void run(struct simulated_race *race, size_t i)
{
	struct simulated *s = &race->list[i];
	struct random random =
	    random_stream(race->search.plan.seed, s->runs + 2, i, 0);

	assert_true(s->runs < SIMULATED_RUNS);
	if (s->runs == 0)
		race->seconds += s->prep_s + SAMPLES / s->samples_per_s;
	race->seconds += SAMPLES / s->samples_per_s;
	s->rates[s->runs++] = s->samples_per_s * spread(&random, race->noise);
}

static struct figures measure(const struct simulated *s, size_t number)
{
	double rates[SIMULATED_RUNS];
	struct figures f = expect(s);
	struct interval interval;

	memcpy(rates, s->rates, sizeof(rates));
	interval = interval_of(rates, s->runs);
	f.trial = (int64_t)number;
	f.throughput.median = f.throughput.first_epoch = interval.median;
	f.throughput.low = f.throughput.first_low = interval.low;
	f.throughput.high = f.throughput.first_high = interval.high;
	f.throughput.runs = f.throughput.counted = s->runs;
	f.profiled.prep_s = s->prep_s;
	f.profiled.storage_bytes = s->storage_bytes;
	return f;
}

static struct figures_list measure_all(
    const struct simulated_race *race, struct figures list[SIMULATED])
{
	struct figures_list figures = { .list = list };

	for (size_t i = 0; i < SIMULATED; i++)
		if (race->list[i].runs)
			list[figures.count++] = measure(&race->list[i], i + 1);
	return figures;
}

static void look(struct simulated_race *race)
{
	struct figures list[SIMULATED];
	const struct figures_list figures = measure_all(race, list);
	struct error err = ERROR_INIT;

	test_ok(search_look(&race->search, &figures, &err), &err);
}

void simulated_race_run(struct simulated_race *race, unsigned rounds)
{
	struct error err = ERROR_INIT;
	struct prospect *picked;

	while (rounds-- > 0) {
		look(race);
		test_ok(search_pick(&race->search, &picked, &err), &err);
		if (picked) {
			run(race, (size_t)(picked - race->search.list));
			continue;
		}
		if (!search_has(&race->search, PROSPECT_RACING))
			return;
		for (size_t i = 0; i < SIMULATED; i++)
			if (race->search.list[i].state == PROSPECT_RACING)
				run(race, i);
	}
	look(race);
}

/* ---- what came out ---- */

const struct simulated *simulated_race_winner(const struct simulated_race *race)
{
	struct figures list[SIMULATED];
	const struct figures_list figures = measure_all(race, list);
	struct ranking ranking = RANKING_INIT;
	struct error err = ERROR_INIT;
	const struct simulated *winner;

	test_ok(
	    ranking_make(&ranking, &figures, race->search.plan.request, &err),
	    &err);
	winner = &race->list[ranking.list[0].trial.trial - 1];
	ranking_release(&ranking);
	return winner;
}

static bool meets(const struct simulated_race *race, const struct simulated *s)
{
	const double most = race->search.plan.request->max_storage_bytes;

	return isnan(most) || s->storage_bytes <= most;
}

/* Less is better. */
static double total_s(
    const struct simulated_race *race, const struct simulated *s)
{
	const struct request *request = race->search.plan.request;

	return request->objective->is_rate
	           ? 1 / s->samples_per_s
	           : s->prep_s + request->epochs * SAMPLES / s->samples_per_s;
}

const struct simulated *simulated_race_best(const struct simulated_race *race)
{
	const struct simulated *best = NULL;

	for (size_t i = 0; i < SIMULATED; i++)
		if (meets(race, &race->list[i]) &&
		    (!best ||
		        total_s(race, &race->list[i]) < total_s(race, best)))
			best = &race->list[i];
	return best;
}

double simulated_race_loss(const struct simulated_race *race,
    const struct simulated *one, const struct simulated *best)
{
	return 1 - total_s(race, best) / total_s(race, one);
}

double simulated_race_all_s(const struct simulated_race *race)
{
	double seconds = 0;

	for (size_t i = 0; i < SIMULATED; i++)
		seconds +=
		    race->list[i].prep_s +
		    (1 + ALL_RUNS) * SAMPLES / race->list[i].samples_per_s;
	return seconds;
}

size_t simulated_race_measured(const struct simulated_race *race)
{
	size_t count = 0;

	for (size_t i = 0; i < SIMULATED; i++)
		count += race->list[i].runs > 0;
	return count;
}
