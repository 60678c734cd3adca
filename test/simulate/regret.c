/*
 * regret.c - what does a recommendation lose, and does it say so?
 *
 * Sessions of unprocessed and six stored strategies.  Their speeds are drawn
 * anew for each session: four over a factor of six, and two within 8 % of
 * another one, so that there are rivals.  The regret is the fraction of the
 *best speed that the recommended strategy lacks, by the true speeds with the
 *full dataset, without any noise.
 *
 * in memory	each strategy was loaded from the page cache, and fits
 * outgrowing	each was also read cold; about half of them do not fit in memory
 *		in full, so their cold speed counts.  Their warm runs have a
 *		noise of their own, of a factor of 1.6, as if memory were short
 * first epochs	the same without cold trials: the first epochs of the runs count
 *
 * A recommendation has a doubt where it names a trial that these runs cannot
 * tell from the winner; presto recommend then says so, and how to settle it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/decide/advice.h"
#include "strategies/decide/derived_session.h"
#include "strategies/decide/rank.h"
#include "test/simulate/generated_session.h"
#include "test/simulate/noise_models.h"
#include "test/simulate/simulate.h"

enum { STRATEGIES = 7, TRIALS = 2 * STRATEGIES, EPOCHS = 2, RUNS = 10 };

enum where { IN_MEMORY, OUTGROWING, FIRST_EPOCHS, WHERES };

static const double memory_bytes = 1e9;
static const double short_of_memory = 0.5; /* noise of a logarithm */
static const double large_regret = 0.05;

static const char *const names[STRATEGIES] = { "unprocessed", "a/tar/none",
	"b/tar/none", "c/tar/none", "d/tar/none", "e/tar/none", "f/tar/none" };

struct truth {
	double cold[STRATEGIES], warm[STRATEGIES]; /* samples/s */
	double storage_bytes[STRATEGIES];
	bool outgrows[STRATEGIES];
};

struct tally {
	double sessions, doubts, large;
};

/* ---- the truth ---- */

static double between(struct random *random, double low, double high)
{
	return low + (high - low) * random_unit(random);
}

static struct truth draw_truth(struct random *random, enum where where)
{
	struct truth truth;

	for (size_t i = 0; i < STRATEGIES; i++) {
		truth.warm[i] = 1000 * exp(between(random, -0.4, 1.4));
		truth.storage_bytes[i] = memory_bytes * between(random, 0.1, 1);
	}
	truth.warm[5] = truth.warm[4] * exp(between(random, -0.08, 0.08));
	truth.warm[6] = truth.warm[3] * exp(between(random, -0.08, 0.08));
	for (size_t i = 0; i < STRATEGIES; i++) {
		truth.cold[i] = truth.warm[i] * between(random, 0.3, 1);
		truth.outgrows[i] =
		    where != IN_MEMORY && random_unit(random) < 0.5;
		if (truth.outgrows[i])
			truth.storage_bytes[i] *= 20;
	}
	return truth;
}

static double speed(const struct truth *truth, size_t strategy)
{
	return truth->outgrows[strategy] ? truth->cold[strategy]
	                                 : truth->warm[strategy];
}

static double regret(const struct truth *truth, const char *label)
{
	double best = 0, chosen = 0;

	for (size_t i = 0; i < STRATEGIES; i++) {
		best = fmax(best, speed(truth, i));
		if (strcmp(names[i], label) == 0)
			chosen = speed(truth, i);
	}
	return 1 - chosen / best;
}

/* ---- a session ---- */

/* A trial of even number is cold, the next one warm: of the same strategy. */
static size_t strategy_of(size_t trial)
{
	return trial / 2;
}

static bool is_warm(size_t trial)
{
	return trial % 2 == 1;
}

/* Two epochs of each run; the first one of a run is cold. */
static void draw_rates(
    struct noisy_machine *machine, const struct truth *truth, double *rates)
{
	double offsets[STRATEGIES];

	for (size_t i = 0; i < STRATEGIES; i++)
		offsets[i] = noisy_machine_offset(machine);
	for (size_t run = 0; run < RUNS; run++) {
		noisy_machine_next_round(machine);
		for (size_t i = 0; i < TRIALS; i++) {
			const size_t s = strategy_of(i);
			double *to = &rates[(i * RUNS + run) * EPOCHS];
			double noise = offsets[s] + noisy_machine_run(machine);

			to[0] = to[1] = truth->cold[s] * exp(noise);
			if (!is_warm(i))
				continue;
			noise = offsets[s] + noisy_machine_run(machine);
			if (truth->outgrows[s])
				noise += short_of_memory *
				         random_normal(&machine->random);
			to[1] = truth->warm[s] * exp(noise);
		}
	}
}

static struct measured_session make_session(
    const double *rates, const struct truth *truth, enum where where)
{
	struct measured_session session =
	    generated_session(rates, TRIALS, RUNS * EPOCHS);

	session.memory_bytes = memory_bytes;
	for (size_t i = 0; i < TRIALS * RUNS * EPOCHS; i++) {
		session.epochs[i].run =
		    (unsigned)(i % (RUNS * EPOCHS) / EPOCHS) + 1;
		session.epochs[i].epoch = i % EPOCHS + 1;
	}
	for (size_t i = 0; i < TRIALS; i++) {
		struct measured_trial *trial = &session.trials[i];
		const size_t s = strategy_of(i);

		trial->strategy = (int64_t)s + 1;
		trial->cache = is_warm(i) ? CACHE_SYSTEM : CACHE_NONE;
		trial->is_unprocessed = s == 0;
		trial->storage_bytes = truth->storage_bytes[s];
		trial->prep_s = (double)s;
		if (!is_warm(i) && where != OUTGROWING)
			trial->is_done = false;
		if (!trial->is_done)
			trial->epoch_count = 0;
	}
	return session;
}

/* As a report has them. */
static struct figures figures_of(const struct derived_trial *trial)
{
	const struct trial_figures *f = &trial->figures;
	struct figures figures = figures_none();

	figures.session = 1;
	figures.trial = trial->measured->id;
	figures.strategy = names[trial->measured->strategy - 1];
	figures.split = figures.strategy;
	figures.threads = trial->measured->threads;
	figures.cache = trial->measured->cache;
	figures.state = trial->measured->is_done ? TRIAL_DONE : TRIAL_SKIPPED;
	figures.answers.equivalent = EQUIVALENT_YES;
	figures.answers.portable = ANSWER_YES;
	figures.answers.fits_memory = f->fits > 0    ? ANSWER_YES
	                              : f->fits <= 0 ? ANSWER_NO
	                                             : ANSWER_UNKNOWN;
	figures.throughput = (struct throughput){
		.median = f->throughput,
		.low = f->low,
		.high = f->high,
		.relative_low = f->relative_low,
		.relative_high = f->relative_high,
		.first_epoch = f->first_samples_per_s,
		.first_low = f->first_low,
		.first_high = f->first_high,
		.runs = f->runs,
		.counted = f->figures,
	};
	figures.profiled = (struct dataset_figures){
		.samples = f->samples,
		.prep_s = trial->measured->prep_s,
		.storage_bytes = trial->measured->storage_bytes,
	};
	figures.full = (struct dataset_figures){
		.samples = f->samples,
		.prep_s = f->full_prep_s,
		.storage_bytes = f->full_storage_bytes,
	};
	figures.source_samples = f->samples;
	return figures;
}

static void recommend(struct tally *tally, const struct derived_session *s,
    const struct truth *truth)
{
	const struct request request = request_default();
	const struct surroundings surroundings = { .memory_bytes = NAN };
	struct figures rows[TRIALS];
	const struct figures_list figures = { .list = rows, .count = TRIALS };
	struct ranking ranking = RANKING_INIT;
	struct error err = ERROR_INIT;
	struct advice advice;

	for (size_t i = 0; i < TRIALS; i++)
		rows[i] = figures_of(&s->trials[i]);
	if (ranking_make(&ranking, &figures, &request, &err))
		simulate_fail(err.text);
	advice_make(&advice, &ranking, &request, &surroundings);
	tally->sessions++;
	if (*advice.open)
		tally->doubts++;
	else
		tally->large +=
		    regret(truth, advice.winner->trial.strategy) > large_regret;
	ranking_release(&ranking);
}

static void try_session(
    struct tally *tally, struct noisy_machine *machine, enum where where)
{
	const struct truth truth = draw_truth(&machine->random, where);
	double rates[TRIALS * RUNS * EPOCHS];
	struct derived_session derived = DERIVED_SESSION_INIT;
	struct measured_session session;
	struct error err = ERROR_INIT;

	draw_rates(machine, &truth, rates);
	session = make_session(rates, &truth, where);
	if (derived_session_compute(&derived, &session, &err))
		simulate_fail(err.text);
	recommend(tally, &derived, &truth);
	derived_session_release(&derived);
	measured_release(&session);
}

/* ---- the section ---- */

static void run(const struct noise_model *model, unsigned sessions,
    uint64_t seed, double *cells)
{
	for (size_t where = 0; where < WHERES; where++) {
		struct tally tally = { 0 };

		for (unsigned i = 0; i < sessions; i++) {
			struct noisy_machine machine =
			    noisy_machine_init(model, seed, i);

			try_session(&tally, &machine, (enum where)where);
		}
		cells[2 * where] = 100 * tally.large / tally.sessions;
		cells[2 * where + 1] =
		    100 * (tally.sessions - tally.doubts) / tally.sessions;
	}
}

static bool is_much(const struct noise_model *model, double value)
{
	UNUSED(model);
	return value > 2;
}

/* A tool that always doubts is of no use. */
static bool is_shy(const struct noise_model *model, double value)
{
	const bool is_independent =
	    strncmp(model->name, "independent", 11) == 0;

	return is_independent && value < 90;
}

#define REGRET(where_is, of)                                             \
	{ .title = "regret over 5 %, " where_is,                         \
		.meaning = "recommendations without a doubt whose true " \
		           "speed lacks more than 5 % of the best, " of, \
		.unit = " %",                                            \
		.decimals = 1,                                           \
		.fails = is_much },                                      \
	{                                                                \
		.title = "no doubt, " where_is,                          \
		.meaning = "recommendations without a doubt, " of,       \
		.unit = " %", .decimals = 1, .fails = is_shy             \
	}

const struct simulate_section simulate_regret = {
	.name = "regret",
	.sessions = 1000,
	.columns = {
		REGRET("in memory", "where all data fits in memory"),
		REGRET("outgrowing", "where half of the strategies do not fit "
		                     "and cold trials tell their speed"),
		REGRET("first epochs", "where half of the strategies do not "
		                       "fit and no trial is cold"),
	},
	.run = run,
};
