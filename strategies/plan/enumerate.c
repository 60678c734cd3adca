/* enumerate.c - see strategies.h: the strategies that a plan asks for. */
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/strategies.h"

enum { WORD = 64, TRIED = 64 };

/* Online work must be less by this fraction to be worth a strategy. */
static const double gain = 0.01;

/* Takes the next word of a list with commas; false: there is none. */
static bool take_word(const char **list, char word[WORD])
{
	static const char between[] = ", \t\n";
	const char *at = *list + strspn(*list, between);
	const size_t len = strcspn(at, between);

	snprintf(word, WORD, "%.*s", (int)len, at);
	*list = at + len;
	return len > 0;
}

/* ---- splits ---- */

/*
 * Marks the representations that [strategies] split names.  Unless `is_strict`,
 * names that cannot be stored in this order are passed over.
 */
static int choose_splits(const struct plan *plan,
    const struct pipeline *pipeline, bool is_strict,
    bool chosen[PIPELINE_STEPS + 1], struct error *err)
{
	const unsigned last = pipeline_last_split(pipeline);
	const char *list = plan->strategies.split;
	char name[WORD];

	while (take_word(&list, name)) {
		struct error why = ERROR_INIT;
		unsigned split;

		if (strcmp(name, "unprocessed") == 0)
			continue;
		if (strcmp(name, "all") == 0) {
			for (unsigned i = 0; i <= last; i++)
				chosen[i] = true;
		} else if (strategy_find_split(pipeline, name, &split, &why)) {
			if (!is_strict && pipeline_find(pipeline, name) >= 0)
				continue;
			*err = why;
			return error_prefix(err, "split");
		} else {
			chosen[split] = true;
		}
	}
	return 0;
}

/* Puts the place of the key in the file in front of the error. */
static int blame(
    const struct pipeline *pipeline, const char *key, struct error *err)
{
	const struct ini_section *section =
	    ini_section(pipeline->ini, "strategies");
	const struct ini_entry *entry =
	    section ? ini_entry(section, key) : NULL;

	return entry ? ini_error_at(pipeline->ini, entry, err) : -1;
}

/* Adds the strategies of an order with this split. */
static int add_split(struct strategies *strategies, const struct plan *plan,
    const struct order *order, unsigned split, struct error *err)
{
	struct strategy strategy = { .split = split };
	char what[RESULTS_LABEL];

	if (*order->label)
		strategy.pipeline = order->pipeline;
	memcpy(strategy.order, order->label, sizeof(strategy.order));
	for (unsigned s = 0; s < plan->strategies.store_count; s++) {
		strategy.store = plan->strategies.stores[s];
		for (unsigned c = 0; c < plan->strategies.codec_count; c++) {
			if (!plan_wants_codec(
			        plan, c, &order->pipeline->schemas[split]))
				continue;
			strategy.codec = plan->strategies.codecs[c];
			strategy_set_label(&strategy, order->pipeline);
			if (strategy_check(
			        &strategy, order->pipeline, what, err)
			        ? strategies_leave_out(strategies, what, err)
			        : strategies_append(strategies, &strategy, err))
				return -1;
		}
	}
	return 0;
}

/* ---- orders ---- */

/* The list of orders, taken apart. */
struct wanted {
	bool given, all;
	const struct order *tried[TRIED]; /* in turn */
	size_t count;
	const struct order_costs *costs; /* NULL: not known */
};

static bool has_word(const char *list, const char *wanted)
{
	char word[WORD];

	while (take_word(&list, word))
		if (strcmp(word, wanted) == 0)
			return true;
	return false;
}

bool strategies_want_all_orders(const struct plan *plan)
{
	return plan->strategies.orders &&
	       has_word(plan->strategies.orders, "all");
}

/* Do both orders run the same steps in turn from place `from` on? */
static bool has_same_rest(
    const struct order *a, const struct order *b, unsigned from)
{
	for (unsigned i = from; i < a->pipeline->count; i++)
		if (a->pipeline->steps[i].given != b->pipeline->steps[i].given)
			return false;
	return true;
}

/*
 * Does an order that was tried store the same, with as little to do online, or
 * exactly what this one would only nearly store?
 */
static bool is_covered(const struct strategies *strategies,
    const struct plan *plan, const struct wanted *wanted,
    const struct order *order, unsigned split)
{
	struct error ignored = ERROR_INIT;

	for (size_t i = 0; i < wanted->count; i++) {
		const struct order *other = wanted->tried[i];
		bool chosen[PIPELINE_STEPS + 1] = { false };

		if (choose_splits(
		        plan, other->pipeline, false, chosen, &ignored) ||
		    !chosen[split])
			continue;
		if (wanted->costs && orders_outdo(strategies->orders, other,
		                         order, split, wanted->costs))
			return true;
		if (!orders_store_same(other, order, split))
			continue;
		if (has_same_rest(other, order, split) ||
		    (wanted->costs &&
		        orders_cost(
		            strategies->orders, order, split, wanted->costs) >=
		            (1 - gain) * orders_cost(strategies->orders, other,
		                             split, wanted->costs)))
			return true;
	}
	return false;
}

/* Adds the strategies of an order, less those that are covered. */
static int try_order(struct strategies *strategies, const struct plan *plan,
    struct wanted *wanted, const struct order *order, struct error *err)
{
	bool chosen[PIPELINE_STEPS + 1] = { false };

	if (wanted->count == TRIED)
		return error_set(
		    err, ERROR_USAGE, "more than %d orders", TRIED);
	if (choose_splits(plan, order->pipeline, false, chosen, err))
		return blame(order->pipeline, "split", err);
	for (unsigned i = 0; i <= pipeline_last_split(order->pipeline); i++)
		if (chosen[i] &&
		    !is_covered(strategies, plan, wanted, order, i) &&
		    add_split(strategies, plan, order, i, err))
			return -1;
	wanted->tried[wanted->count++] = order;
	return 0;
}

/* Adds the strategies in the orders that the plan names, in turn. */
static int try_named(struct strategies *strategies, const struct plan *plan,
    const struct pipeline *pipeline, struct wanted *wanted, struct error *err)
{
	const char *list = plan->strategies.orders;
	char word[WORD];

	while (take_word(&list, word)) {
		const struct order *order;

		if (strcmp(word, "all") == 0 || strcmp(word, "given") == 0)
			continue;
		order = orders_find(strategies->orders, word, err);
		if (!order)
			return blame(pipeline, "order", err);
		if (try_order(strategies, plan, wanted, order, err))
			return -1;
	}
	return 0;
}

/* ERROR_USAGE if splits are named that no order stores. */
static int check_splits(const struct strategies *strategies,
    const struct plan *plan, const struct pipeline *pipeline, struct error *err)
{
	bool chosen[PIPELINE_STEPS + 1] = { false };

	for (size_t i = 0; i < strategies->count; i++)
		if (!strategies->list[i].unprocessed)
			return 0;
	if (choose_splits(plan, pipeline, true, chosen, err))
		return blame(pipeline, "split", err);
	return strategies_check_any(strategies, pipeline->ini, err);
}

static struct wanted read_wanted(const struct plan *plan)
{
	const char *list = plan->strategies.orders;
	struct wanted wanted = { .given = !list, .all = false };

	if (list) {
		wanted.all = has_word(list, "all");
		wanted.given = wanted.all || has_word(list, "given");
	}
	return wanted;
}

/* Does the list name more than the order given? */
static bool wants_others(const struct plan *plan)
{
	const char *list = plan->strategies.orders;
	char word[WORD];

	while (list && take_word(&list, word))
		if (strcmp(word, "given") != 0)
			return true;
	return false;
}

int strategies_enumerate(struct strategies *strategies, const struct plan *plan,
    const struct pipeline *pipeline, struct error *err)
{
	const struct strategy nothing = {
		.label = "unprocessed",
		.unprocessed = true,
	};
	const struct order given = { .pipeline = pipeline };
	struct wanted wanted = read_wanted(plan);
	bool chosen[PIPELINE_STEPS + 1] = { false };

	if (!wants_others(plan) &&
	    choose_splits(plan, pipeline, true, chosen, err))
		return blame(pipeline, "split", err);
	if (strategies_append(strategies, &nothing, err) ||
	    (wanted.given && try_order(strategies, plan, &wanted, &given, err)))
		return -1;
	if (wants_others(plan)) {
		strategies->orders = orders_new(pipeline, err);
		if (!strategies->orders ||
		    try_named(strategies, plan, pipeline, &wanted, err))
			return -1;
	}
	if (!wanted.all && check_splits(strategies, plan, pipeline, err))
		return -1;
	return strategies_sweep(strategies, 0, plan, err);
}

/* Says which orders are not tried. */
static int leave_out(struct strategies *strategies, struct error *err)
{
	if (orders_count(strategies->orders) == UINT64_MAX)
		error_set(err, ERROR_USAGE,
		    "this pipeline has too many to compare; fixed=yes and "
		    "after=NAME make them fewer");
	else
		error_set(err, ERROR_USAGE,
		    "more than %d are worth a try, and those with the least "
		    "work are measured; --order LABEL measures another one",
		    ORDERS_CHOSEN);
	return strategies_leave_out(strategies, "other orders", err);
}

int strategies_add_orders(struct strategies *strategies,
    const struct plan *plan, const struct pipeline *pipeline,
    const struct order_costs *costs, struct error *err)
{
	const struct order *chosen[ORDERS_CHOSEN];
	struct wanted wanted = { .costs = costs };
	const size_t first = strategies->count;
	const char *list = plan->strategies.orders;
	char word[WORD];
	size_t count;
	bool all;

	if (!strategies_want_all_orders(plan))
		return 0;
	wanted.tried[wanted.count++] = orders_given(strategies->orders);
	while (take_word(&list, word) && wanted.count < TRIED)
		if (strcmp(word, "all") != 0 && strcmp(word, "given") != 0) {
			const struct order *named =
			    orders_find(strategies->orders, word, err);

			if (!named)
				return -1;
			wanted.tried[wanted.count++] = named;
		}
	if (orders_choose(strategies->orders, costs, chosen, &count, &all, err))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (try_order(strategies, plan, &wanted, chosen[i], err))
			return -1;
	if ((!all || orders_count(strategies->orders) == UINT64_MAX) &&
	    leave_out(strategies, err))
		return -1;
	if (check_splits(strategies, plan, pipeline, err))
		return -1;
	return strategies_sweep(strategies, first, plan, err);
}
