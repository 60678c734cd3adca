/* search.c - see search.h. */
#include "strategies/search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/nearest.h"

static const struct search_ops *const searches[] = {
#define SEARCH(name) &search_##name,
#include "strategies/search/searches.def"
#undef SEARCH
};

const struct search_ops *search_at(size_t i)
{
	return i < ARRAY_LEN(searches) ? searches[i] : NULL;
}

const struct search_ops *search_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(searches); i++)
		if (strcmp(searches[i]->name, name) == 0)
			return searches[i];
	return NULL;
}

const struct search_ops *search_default(void)
{
	size_t i = 0;

	while (!searches[i]->is_default)
		i++;
	return searches[i];
}

const struct search_ops *search_parse(const char *name, struct error *err)
{
	const struct search_ops *ops =
	    name ? search_find(name) : search_default();
	struct nearest nearest;
	char hint[NEAREST_HINT];

	if (ops)
		return ops;
	nearest = nearest_to(name);
	for (size_t i = 0; i < ARRAY_LEN(searches); i++)
		nearest_try(&nearest, searches[i]->name);
	error_set(err, ERROR_USAGE, "unknown search '%s'%s", name,
	    nearest_hint(&nearest, hint));
	return NULL;
}

/* ---- a search ---- */

void search_init(struct search *search, const struct search_plan *plan)
{
	*search = (struct search){
		.plan = *plan, .request = *plan->request, .passed = 1
	};
	search->request.session = 0; /* there is no other in the figures */
	search->request.order_only = true;
}

void search_release(struct search *search)
{
	free(search->list);
	free(search->ran);
	*search = (struct search){ .list = NULL };
}

int search_add(
    struct search *search, const struct prospect *prospect, struct error *err)
{
	struct prospect *list = array_grow(search->list, &search->capacity,
	    search->count + 1, sizeof(*list), err);

	if (!list)
		return -1;
	search->list = list;
	list[search->count++] = *prospect;
	return 0;
}

/* ---- measured trials ---- */

/* The forecast of a trial that was faster than its upper end was too low. */
static void note_passed(struct search *search, const struct prospect *prospect,
    const struct throughput *rate)
{
	const double passed = rate->median / prospect->high_samples_per_s;

	if (isfinite(passed) && passed > search->passed)
		search->passed = passed;
}

static void note_prep(struct search *search, const struct prospect *prospect,
    const struct figures *figures)
{
	const double took =
	    figures->profiled.prep_s / prospect->expected.profiled.prep_s;

	if (took > 0 && isfinite(took) &&
	    (search->least_prep <= 0 || took < search->least_prep))
		search->least_prep = took;
}

static void note(struct search *search, struct prospect *prospect,
    const struct figures *figures)
{
	if (figures->state != TRIAL_DONE) {
		prospect->state = PROSPECT_FAILED;
		return;
	}
	prospect->runs = (unsigned)number_or(figures->throughput.counted, 0);
	if (prospect->runs == 0)
		return;
	prospect->samples_per_s = figures->throughput.median;
	/* Nobody can forecast the user's own loader. */
	if (!prospect->strategy->yours) {
		note_passed(search, prospect, &figures->throughput);
		note_prep(search, prospect, figures);
	}
	if (!prospect_is_measured(prospect))
		prospect->state = PROSPECT_RACING;
}

/* They are few, and the bound of each prospect depends on them. */
static int list_ran(struct search *search, struct error *err)
{
	size_t *ran = array_grow(search->ran, &search->ran_capacity,
	    search->count + 1, sizeof(*ran), err);

	if (!ran)
		return -1;
	search->ran = ran;
	search->ran_count = 0;
	for (size_t i = 0; i < search->count; i++)
		if (search->list[i].runs)
			ran[search->ran_count++] = i;
	return 0;
}

int search_look(struct search *search, const struct figures_list *measured,
    struct error *err)
{
	for (size_t i = 0; i < measured->count; i++) {
		const struct figures *figures = &measured->list[i];

		note(search, &search->list[figures->trial - 1], figures);
	}
	if (list_ran(search, err))
		return -1;
	return search->plan.ops->judge(search, measured, err);
}

/* ---- bounds ---- */

/* A run may be faster than the median of many by this fraction. */
static const double luck_of_one = 0.1;

/* How many times its forecast it may well have been. */
static double passed_by(const struct prospect *measured)
{
	return measured->samples_per_s * (1 + luck_of_one / measured->runs) /
	       measured->expected.throughput.median;
}

double search_bound(
    const struct search *search, const struct prospect *prospect)
{
	const double expected = prospect->expected.throughput.median;
	double known = 0;

	for (size_t i = 0; i < search->ran_count; i++) {
		const struct prospect *other = &search->list[search->ran[i]];

		if (!other->strategy->yours &&
		    prospect_is_like(prospect, other))
			known = fmax(known, passed_by(other));
	}
	return known > 0 ? expected * known *
	                       sqrt(prospect->high_samples_per_s / expected)
	                 : search->passed * prospect->high_samples_per_s;
}

double search_least_prep_s(
    const struct search *search, const struct prospect *prospect)
{
	const double expected = prospect->expected.profiled.prep_s;

	if (!(search->least_prep > 0) || !(expected > 0))
		return prospect->low_prep_s;
	return expected * search->least_prep *
	       sqrt(prospect->low_prep_s / expected);
}

/* ---- picking ---- */

int search_pick(
    struct search *search, struct prospect **picked, struct error *err)
{
	*picked = NULL;
	if (search->plan.ops->pick(search, picked, err))
		return -1;
	if (*picked)
		(*picked)->state = PROSPECT_PICKED;
	return 0;
}

bool search_wants(const struct search *search, const struct strategy *strategy,
    struct trial_mode mode)
{
	for (size_t i = 0; i < search->count; i++) {
		const struct prospect *p = &search->list[i];

		if (p->state == PROSPECT_PICKED && p->strategy == strategy &&
		    p->mode.number == mode.number)
			return true;
	}
	return false;
}

bool search_has(const struct search *search, enum prospect_state state)
{
	for (size_t i = 0; i < search->count; i++)
		if (search->list[i].state == state)
			return true;
	return false;
}

void search_finish(struct search *search, bool late)
{
	for (size_t i = 0; i < search->count; i++) {
		struct prospect *p = &search->list[i];

		if (p->state != PROSPECT_OPEN)
			continue;
		p->bound_samples_per_s = search_bound(search, p);
		snprintf(p->why, sizeof(p->why), "%s",
		    late ? "it may still win: the budget ended before it was "
		           "measured"
		         : search->plan.ops->left);
	}
}
