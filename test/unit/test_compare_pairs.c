/*
 * test_compare_pairs.c - how often comparing is wrong, on generated pairs of
 * sessions: false alarms where nothing changed, and misses where NEW is 8 %
 * slower.  A rule of strategies/compare is worth keeping if these counts are
 * worse without it.  With PAIRS=100 it prints the counts of 100 pairs of each
 * kind.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "strategies/compare/compare.h"
#include "strategies/figures/runs.h"
#include "test/unit/test.h"

enum { TRIALS = 3, RUNS_MOST = 25, PAIRS = 10 };

static const double slower_by = 0.92;

/* Numbers without a unit are fractions; noise and drift standard deviations. */
struct world {
	const char *name;
	unsigned sessions, runs; /* of each side; a session has so many runs */
	double noise;            /* of a run */
	double drift;            /* of the machine's speed, a session */
	double feels;     /* the least part of a drift that a trial feels */
	double busy;      /* part of the time that threads do not wait */
	double neighbour; /* slows up to this part of the runs */
	double noticed;   /* by the reference workload */
	double others;    /* cores that others take in NEW, 1.3 at most */
	unsigned false_alarms, misses; /* at most, of PAIRS */
};

static const struct world worlds[] = {
	{ "quiet", 1, 10, 0.015, 0.005, 0.7, 1, 0, 1, 0, 0, 0 },
	{ "noisy, by turns", 5, 5, 0.06, 0.01, 0.7, 1, 0, 1, 0, 0, 1 },
	{ "drift", 1, 10, 0.015, 0.04, 0.7, 1, 0, 1, 0, 0, 2 },
	{ "drift, by turns", 5, 5, 0.015, 0.04, 0.7, 1, 0, 1, 0, 0, 1 },
	{ "drift, odd", 1, 25, 0.015, 0.05, 0.3, 1, 0, 1, 0, 2, 3 },
	{ "waits", 1, 10, 0.015, 0.05, 0.7, 0.3, 0, 1, 0, 0, 1 },
	{ "neighbour", 1, 25, 0.015, 0.01, 0.7, 1, 0.95, 1, 0, 0, 1 },
	{ "unnoticed", 1, 25, 0.015, 0.01, 0.7, 1, 0.95, 0.1, 0, 1, 3 },
	{ "others", 1, 10, 0.015, 0.005, 0.7, 1, 0, 1, 1, 0, PAIRS },
};

struct side {
	struct figures trials[TRIALS];
	struct timed_run runs[TRIALS * RUNS_MOST];
	struct figures_list trial_list;
	struct timed_runs run_list;
	struct compare_session session;
};

/* One session: its runs go behind those that are there. */
static void add_session(struct side *side, const struct world *world,
    struct random *random, double rate, double others)
{
	const double drift = world->drift * random_normal(random);
	const double felt =
	    drift * world->busy *
	    (world->feels + (1.1 - world->feels) * random_unit(random));
	const double hit = world->neighbour * random_unit(random);

	for (unsigned k = 0; k < world->runs * TRIALS; k++) {
		const double slow = random_unit(random) < hit
		                        ? 0.05 + 0.2 * random_unit(random)
		                        : 0;
		const double noise =
		    world->noise *
		    (random_normal(random) / 2 - fabs(random_normal(random)));
		const double took = others * (0.8 + 0.4 * random_unit(random));
		const double reference =
		    log1p(slow * world->noticed * (0.5 + random_unit(random))) -
		    drift + 0.01 * fabs(random_normal(random));

		side->runs[side->run_list.count++] = (struct timed_run){
			.trial = k % TRIALS,
			/* One thread finds what is left of 2 cores. */
			.samples_per_s = rate * exp(felt + noise) *
			                 fmin(1, 2 - took) /
			                 (1 + slow * world->busy),
			.own_cores = 0.97 * world->busy,
			.others_cores = took,
			.reference_ns = 1e6 * exp(reference),
			.started_ns = 1e9 * (double)side->run_list.count,
		};
	}
}

static void make_side(struct side *side, const struct world *world,
    struct random *random, double rate, bool is_new)
{
	static const char *const labels[TRIALS] = { "a/tar/none", "b/tar/none",
		"c/tar/none" };

	side->trial_list = (struct figures_list){ side->trials, TRIALS };
	side->run_list = (struct timed_runs){ side->runs, 0 };
	side->session = (struct compare_session){ &side->trial_list,
		&side->run_list, "done", 2, "cpu", "zlib 1" };
	for (int64_t i = 0; i < TRIALS; i++) {
		side->trials[i] = figures_none();
		side->trials[i].trial = i;
		side->trials[i].strategy = labels[i];
		side->trials[i].threads = 1;
		side->trials[i].state = TRIAL_DONE;
	}
	for (unsigned s = 0; s < world->sessions; s++)
		add_session(side, world, random, rate,
		    world->others * (is_new ? 0.4 : 0.05) +
		        world->others * is_new * random_unit(random));
}

static enum compare_verdict compare(
    const struct world *world, unsigned number, double change)
{
	static struct side base, new_one;
	struct random random = random_stream(number, 0, 0, 0);
	struct comparison comparison;
	struct error err = ERROR_INIT;
	enum compare_verdict verdict;

	make_side(&base, world, &random, 100, false);
	make_side(&new_one, world, &random, 100 * change, true);
	test_ok(comparison_make(
	            &comparison, &base.session, &new_one.session, 0.05, &err),
	    &err);
	verdict = comparison_verdict(&comparison);
	comparison_release(&comparison);
	return verdict;
}

static void check(const struct world *world, unsigned pairs)
{
	unsigned false_alarms = 0, open = 0, denied = 0, misses = 0;

	for (unsigned i = 0; i < pairs; i++) {
		const enum compare_verdict same = compare(world, i + 1, 1);
		const enum compare_verdict slower =
		    compare(world, i + 1, slower_by);

		false_alarms += same == COMPARE_SLOWER;
		open += same == COMPARE_UNCLEAR;
		denied += slower == COMPARE_FINE;
		misses += slower != COMPARE_SLOWER;
	}
	if (pairs != PAIRS)
		printf("%-16s %4u pairs: false alarms %3u, open %3u; slower: "
		       "missed %3u, of which denied %3u\n",
		    world->name, pairs, false_alarms, open, misses, denied);
	else if (false_alarms > world->false_alarms || misses > world->misses)
		fail_msg("%s: %u false alarms, %u misses of %u", world->name,
		    false_alarms, misses, pairs);
}

static void test_compare_pairs_are_seldom_judged_wrongly(void **state)
{
	const char *pairs = getenv("PAIRS");

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(worlds); i++)
		check(&worlds[i],
		    pairs ? (unsigned)strtoul(pairs, NULL, 10) : PAIRS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compare_pairs_are_seldom_judged_wrongly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
