/*
 * auto.c - measures what can still win, and proves the rest away.
 *
 * The best forecast is measured first, behind unprocessed.  Whatever a measured
 * trial clearly beats even at the best of its forecast is ruled out, and so is
 * what misses a constraint or is no rival.  Measured trials that are clearly
 * beaten have no more runs.  The others have those of the plan, and more while
 * one of them may be better than the winner by more than 2 %.
 *
 * A picked strategy is prepared from all samples of the session.  The stage on
 * few samples, which drops what is far behind, was the pilot: up to 96 samples
 * of each strategy went through the real loader (strategies/forecast/pilot.h).
 * Another such stage would find next to nothing to drop.  In simulated races,
 * less than 5 % of the time for preparations goes to strategies that turn out
 * to be 1.5 times behind, and none to those twice behind
 * (test/unit/test_search.c).  scripts/search-against-all prints it for real
 * ones.
 *
 * All of this is asked of the ranking (strategies/decide/rank.h), which
 * presto recommend asks as well.  The race is more careful in one thing: the
 * interval of a trial with few runs is widened, by a half of the throughput
 * over their number.  So what may still win has CLEAR_RUNS before the next one
 * is measured: in simulated races that takes a third of the time off
 * (test/unit/test_search.c).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/stats/statistics.h"
#include "strategies/decide/constraints.h"
#include "strategies/decide/order.h"
#include "strategies/search/search.h"

/* Trials that differ by less are as good as each other. */
static const double tie = 1.02;
/* A single run may be off by this fraction. */
static const double doubt_of_one = 0.5;

/*
 * Unprocessed is what others are compared with: a single run is too few, unless
 * its epochs take so many seconds that its noise has evened out.
 */
enum { ALWAYS_RUNS = 2 };
static const double long_epoch_s = 0.5;
/* The best has so many runs before the next one is measured. */
enum { CLEAR_RUNS = 3 };

/* ---- candidates ---- */

/* Few runs agree by chance: the interval is widened until there are enough. */
static void widen(const struct search *search, struct throughput *rate)
{
	const double n = number_or(rate->counted, 0);
	const double more = 1 + doubt_of_one / n;

	if (n < 1 || n >= INTERVAL_LEAST || n >= search->plan.least)
		return;
	rate->low = number_or(rate->low, rate->median) / more;
	rate->high = number_or(rate->high, rate->median) * more;
	rate->relative_low = rate->relative_high = NAN;
	rate->first_low = number_or(rate->first_low, rate->first_epoch) / more;
	rate->first_high =
	    number_or(rate->first_high, rate->first_epoch) * more;
}

/*
 * The candidates of a ranking.  Prospects have the numbers of measured ones,
 * negated.
 */
struct pool {
	struct figures_list figures;
	size_t measured; /* the first of them */
	struct ranking ranking;
};

static void pool_release(struct pool *pool)
{
	free(pool->figures.list);
	ranking_release(&pool->ranking);
}

static int pool_init(struct pool *pool, const struct search *search,
    const struct figures_list *measured, struct error *err)
{
	const size_t most = measured->count + search->count + 1;

	*pool = (struct pool){ .ranking = RANKING_INIT };
	pool->figures.list = calloc(most, sizeof(*pool->figures.list));
	if (!pool->figures.list)
		return error_memory(err, most * sizeof(*pool->figures.list));
	for (size_t i = 0; i < measured->count; i++) {
		struct figures *f = &pool->figures.list[pool->figures.count++];

		*f = measured->list[i];
		f->session = 0;
		widen(search, &f->throughput);
	}
	pool->measured = pool->figures.count;
	return 0;
}

static void pool_add(
    struct pool *pool, const struct figures *figures, size_t prospect)
{
	struct figures *f = &pool->figures.list[pool->figures.count++];

	*f = *figures;
	f->trial = -(int64_t)prospect - 1;
}

static int pool_rank(
    struct pool *pool, const struct search *search, struct error *err)
{
	return ranking_place(
	    &pool->ranking, &pool->figures, &search->request, err);
}

/* The prospect that a candidate stands for; NULL: it was measured. */
static struct prospect *prospect_of(
    const struct search *search, const struct candidate *candidate)
{
	return candidate->trial.trial < 0
	           ? &search->list[-candidate->trial.trial - 1]
	           : NULL;
}

static bool is_unmeasured(const struct prospect *prospect)
{
	return prospect->state == PROSPECT_OPEN ||
	       prospect->state == PROSPECT_RULED_OUT;
}

/* ---- prospects that were not measured ---- */

/* Is no trial of this strategy, which is always measured, under way? */
static bool is_due(const struct search *search, const struct prospect *prospect)
{
	for (size_t i = 0; prospect->always && i < search->count; i++)
		if (search->list[i].strategy == prospect->strategy &&
		    !is_unmeasured(&search->list[i]))
			return false;
	return prospect->always;
}

static void rule_out(struct prospect *prospect, const char *why)
{
	prospect->state = PROSPECT_RULED_OUT;
	snprintf(prospect->why, sizeof(prospect->why), "%s", why);
}

/* Says by how much a prospect is behind, in the terms of the objective. */
static void say_beaten(const struct search *search, struct prospect *prospect,
    const struct candidate *best, const struct candidate *by)
{
	const struct objective_ops *objective = search->request.objective;
	char a[UNITS_TEXT], b[UNITS_TEXT];

	prospect->state = PROSPECT_RULED_OUT;
	if (objective->is_rate)
		snprintf(prospect->why, sizeof(prospect->why),
		    SEARCH_CANNOT_WIN
		    ": at most %s samples/s are forecast, and %s "
		    "was measured with %s",
		    units_number(best->full.throughput, a), by->trial.strategy,
		    units_number(by->full.throughput, b));
	else if (!isnan(best->total_s))
		snprintf(prospect->why, sizeof(prospect->why),
		    SEARCH_CANNOT_WIN
		    ": at least %s are forecast for preparation "
		    "and all epochs, and %s takes %s",
		    units_time(best->total_s, a), by->trial.strategy,
		    units_time(by->total_s, b));
	else
		snprintf(prospect->why, sizeof(prospect->why),
		    SEARCH_CANNOT_WIN
		    " by objective %s: %s is better than the best "
		    "of its forecast",
		    objective->name, by->trial.strategy);
}

/*
 * The best of the measured candidates that beat it even at its best; NULL: none
 * does.
 */
static const struct candidate *find_better(const struct search *search,
    const struct pool *pool, const struct candidate *best)
{
	const struct candidate *better = NULL;

	/* Such a worth depends on the extremes of all, which are not known. */
	if (search->request.objective->uses_weights)
		return NULL;
	for (size_t i = 0; i < pool->measured; i++) {
		const struct candidate *c = &pool->ranking.list[i];

		if (candidate_is_ranked(c) &&
		    candidate_beats(c, best, &search->request) &&
		    (!better || c->worth.value > better->worth.value))
			better = c;
	}
	return better;
}

/*
 * Only the cache mode that the ranking assumes has rivals.  Where nothing can
 * be ranked, such as behind a filter that keeps no sample, it assumes none.
 */
static void judge_mode(const struct search *search, struct prospect *prospect,
    enum cache_mode assumed)
{
	prospect->state = PROSPECT_OPEN;
	prospect->why[0] = '\0';
	prospect->bound_samples_per_s =
	    prospect_is_forecast(prospect)
	        ? search->passed * prospect->high_samples_per_s
	        : 0;
	if (prospect->mode.cache == assumed || assumed == CACHE_UNKNOWN)
		return;
	prospect->state = PROSPECT_RULED_OUT;
	snprintf(prospect->why, sizeof(prospect->why),
	    "the recommendation for the full dataset assumes cache %s, and "
	    "not cache %s",
	    cache_word(assumed), cache_word(prospect->mode.cache));
}

/* Judges an unmeasured prospect by its candidate, which is at its best. */
static void judge_unmeasured(const struct search *search,
    const struct pool *pool, struct prospect *prospect,
    const struct candidate *best)
{
	const struct candidate *better;
	char missed[CONSTRAINTS_TEXT] = "", text[PROSPECT_WHY];

	judge_mode(search, prospect, pool->ranking.cache);
	if (prospect->state == PROSPECT_RULED_OUT || is_due(search, prospect))
		return;
	if (prospect->strategy->yours)
		rule_out(prospect, "your own loader is measured in one way");
	else if (!best->able)
		rule_out(prospect, "its samples may differ from those of "
		                   "unprocessed, which needs "
		                   "--lossy");
	else if (!best->readable)
		rule_out(
		    prospect, "the readers that were asked for cannot read it");
	else if (!best->meets) {
		constraints_add_missed(best, &search->request, missed);
		snprintf(text, sizeof(text),
		    "it misses %s at the best of its forecast, too", missed);
		rule_out(prospect, text);
	} else if ((better = find_better(search, pool, best))) {
		say_beaten(search, prospect, best, better);
	}
}

/*
 * A strategy whose data outgrows the memory is judged by its cold trial.  A
 * measured one must not be judged by the forecast of that, so this forecast is
 * no candidate beside it.
 */
static bool would_judge(
    const struct prospect *prospect, const struct figures_list *measured)
{
	if (prospect->mode.cache != CACHE_NONE)
		return false;
	for (size_t i = 0; i < measured->count; i++)
		if (measured->list[i].cache != CACHE_NONE &&
		    measured->list[i].threads == prospect->mode.threads &&
		    strcmp(measured->list[i].strategy,
		        prospect->expected.strategy) == 0)
			return true;
	return false;
}

static int judge_forecasts(struct search *search,
    const struct figures_list *measured, struct error *err)
{
	struct pool pool;
	int rc = pool_init(&pool, search, measured, err);

	for (size_t i = 0; rc == 0 && i < search->count; i++) {
		const struct prospect *p = &search->list[i];
		const struct figures best = prospect_at_best(
		    p, search_bound(search, p), search_least_prep_s(search, p));

		if (is_unmeasured(p) && !would_judge(p, measured))
			pool_add(&pool, &best, i);
	}
	/* Their order does not matter; candidates stand as the figures do. */
	if (rc == 0)
		rc = ranking_weigh(
		    &pool.ranking, &pool.figures, &search->request, err);
	for (size_t i = pool.measured; rc == 0 && i < pool.ranking.count; i++) {
		const struct candidate *c = &pool.ranking.list[i];

		judge_unmeasured(search, &pool, prospect_of(search, c), c);
	}
	for (size_t i = 0; rc == 0 && i < search->count; i++) {
		struct prospect *p = &search->list[i];

		if (is_unmeasured(p) && would_judge(p, measured))
			judge_mode(search, p, pool.ranking.cache);
	}
	pool_release(&pool);
	return rc;
}

/* ---- prospects that were measured ---- */

static const struct candidate *find_candidate(const struct search *search,
    const struct ranking *ranking, const struct prospect *prospect)
{
	for (size_t i = 0; i < ranking->count; i++)
		if (ranking->list[i].trial.trial == prospect - search->list + 1)
			return &ranking->list[i];
	return NULL;
}

static bool is_contender(const struct candidate *candidate)
{
	return candidate_is_ranked(candidate) && !candidate->beaten;
}

/* May another one be better than the winner by more than a tie? */
static bool is_rival(const struct search *search, const struct candidate *c,
    const struct candidate *winner)
{
	return c != winner && is_contender(c) &&
	       candidate_gain(c, winner, &search->request) > tie;
}

static bool is_open(const struct search *search, const struct ranking *ranking)
{
	for (size_t i = 0; i < ranking->count; i++)
		if (is_rival(search, &ranking->list[i], &ranking->list[0]))
			return true;
	return false;
}

/* The runs without which a beaten trial does not end. */
static unsigned least_runs(const struct search *search,
    const struct prospect *prospect, const struct candidate *c)
{
	const double epoch_s =
	    c->trial.profiled.samples / c->trial.throughput.median;

	if (!prospect->always || epoch_s >= long_epoch_s)
		return 1;
	return (unsigned)fmin(ALWAYS_RUNS, search->plan.least);
}

static void judge_measured(const struct search *search,
    const struct ranking *ranking, struct prospect *prospect)
{
	const struct candidate *c = find_candidate(search, ranking, prospect);
	const struct candidate *winner = &ranking->list[0];

	prospect->state = c ? PROSPECT_RACING : PROSPECT_FAILED;
	if (!c)
		return; /* its runs are not to be found */
	if (!is_contender(c)) {
		if (prospect->runs >= least_runs(search, prospect, c))
			prospect->state = PROSPECT_BEATEN;
		return;
	}
	if (prospect->runs < search->plan.least && !prospect->over)
		return;
	if (prospect->over || prospect->runs >= search->plan.most ||
	    !(c == winner ? is_open(search, ranking)
	                  : is_rival(search, c, winner)))
		prospect->state = PROSPECT_KNOWN;
}

static int judge_runs(struct search *search,
    const struct figures_list *measured, struct error *err)
{
	struct pool pool;
	int rc = pool_init(&pool, search, measured, err);

	if (rc == 0)
		rc = pool_rank(&pool, search, err);
	for (size_t i = 0; rc == 0 && i < search->count; i++)
		if (prospect_is_measured(&search->list[i]))
			judge_measured(search, &pool.ranking, &search->list[i]);
	pool_release(&pool);
	return rc;
}

static int judge(struct search *search, const struct figures_list *measured,
    struct error *err)
{
	if (judge_runs(search, measured, err))
		return -1;
	return judge_forecasts(search, measured, err);
}

/* ---- picking ---- */

static bool is_open_and_due(
    const struct search *search, const struct prospect *prospect)
{
	return prospect->state == PROSPECT_OPEN && is_due(search, prospect);
}

/*
 * Has the best so far, which has runs to make anyway, too few to rule others
 * out?  Its interval is wide then.
 */
static bool is_vague(const struct search *search)
{
	bool vague = false;

	for (size_t i = 0; i < search->count; i++) {
		const struct prospect *p = &search->list[i];

		if (p->state == PROSPECT_PICKED)
			return false;
		vague |= p->state == PROSPECT_RACING && !p->always &&
		         !p->over &&
		         p->runs < fmin(CLEAR_RUNS, search->plan.least);
	}
	return vague;
}

static int pick(
    struct search *search, struct prospect **picked, struct error *err)
{
	const struct figures_list none = { .list = NULL };
	struct pool pool;
	bool due = false;
	int rc;

	if (is_vague(search))
		return 0;
	rc = pool_init(&pool, search, &none, err);
	for (size_t i = 0; i < search->count; i++)
		due |= is_open_and_due(search, &search->list[i]);
	for (size_t i = 0; rc == 0 && i < search->count; i++) {
		const struct prospect *p = &search->list[i];

		if (due ? is_open_and_due(search, p)
		        : p->state == PROSPECT_OPEN)
			pool_add(&pool, &p->expected, i);
	}
	if (rc == 0)
		rc = pool_rank(&pool, search, err);
	if (rc == 0 && pool.ranking.count)
		*picked = prospect_of(search, &pool.ranking.list[0]);
	pool_release(&pool);
	return rc;
}

const struct search_ops search_auto = {
	.name = "auto",
	.summary = "measure what can win, and rule out the rest by forecasts",
	.judge = judge,
	.pick = pick,
	.left = "it was not measured",
};
