/* orders_cost.c - see orders.h: what orders cost, and which ones differ. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/orders/orders_state.h"

/* Costs that differ by less, as a fraction, are equal. */
static const double same = 1e-9;
/* An order that changes the data must save this fraction of the work. */
static const double lossy_gain = 0.1;

/* Returns what a step makes of a byte. */
static double growth(const struct order_costs *costs, unsigned step)
{
	const double in = costs->bytes[step], out = costs->bytes[step + 1];

	return in > 0 && out > 0 ? out / in : 1;
}

/* The cost of a step whose input has so many bytes. */
static double step_cost(
    const struct order_costs *costs, unsigned step, double bytes)
{
	return costs->bytes[step] > 0
	           ? costs->step_s[step] * bytes / costs->bytes[step]
	           : costs->step_s[step];
}

/* Returns the bytes behind the steps of a set, whatever their order. */
static double bytes_of(
    const struct orders *orders, const struct order_costs *costs, uint64_t done)
{
	const struct pipeline *given = orders->given;
	double bytes = costs->bytes[given->from];

	for (unsigned i = given->from; i < given->count; i++)
		if (done & order_bit(i))
			bytes *= growth(costs, i);
	return bytes;
}

double orders_cost(const struct orders *orders, const struct order *order,
    unsigned from, const struct order_costs *costs)
{
	const struct pipeline *pipeline = order->pipeline;
	double bytes = costs->bytes[orders->given->from], all = 0;

	for (unsigned i = pipeline->from; i < pipeline->count; i++) {
		const unsigned step = pipeline->steps[i].given;

		if (i >= from)
			all += step_cost(costs, step, bytes);
		bytes *= growth(costs, step);
	}
	return all;
}

/* ---- their text ---- */

int order_costs_print(const struct order_costs *costs, unsigned steps,
    struct buf *out, struct error *err)
{
	for (unsigned i = 0; i < steps; i++)
		if (buf_printf(
		        out, err, "%a %a ", costs->bytes[i], costs->step_s[i]))
			return -1;
	return buf_printf(out, err, "%a", costs->bytes[steps]);
}

/* Takes the next number of a text, if it can be a cost. */
static bool take_cost(const char **text, double *cost)
{
	char *end;

	*cost = strtod(*text, &end);
	if (end == *text || !isfinite(*cost) || *cost < 0)
		return false;
	*text = end;
	return true;
}

bool order_costs_parse(
    struct order_costs *costs, unsigned steps, const char *text)
{
	*costs = (struct order_costs){ .step_s = { 0 } };
	if (steps > PIPELINE_STEPS)
		return false;
	for (unsigned i = 0; i < steps; i++)
		if (!take_cost(&text, &costs->bytes[i]) ||
		    !take_cost(&text, &costs->step_s[i]))
			return false;
	return take_cost(&text, &costs->bytes[steps]) && !*text;
}

/* ---- the orders that differ in cost ---- */

static struct priced_order price(const struct orders *orders,
    const struct order_costs *costs, uint64_t number)
{
	const struct pipeline *given = orders->given;
	struct priced_order priced = { .number = number };
	double bytes = costs->bytes[given->from];
	unsigned char steps[PIPELINE_STEPS];
	bool offline = true;

	orders_walk(orders, number, steps);
	priced.offline_bytes = bytes;
	for (unsigned i = given->from; i < given->count; i++) {
		priced.all_s += step_cost(costs, steps[i], bytes);
		bytes *= growth(costs, steps[i]);
		offline = offline && !given->steps[steps[i]].random;
		if (offline) {
			priced.offline_s = priced.all_s;
			priced.offline_bytes = bytes;
		}
	}
	return priced;
}

/* Is a more than b, by more than rounding? */
static int compare_costs(double a, double b)
{
	if (fabs(a - b) <= same * fmax(fabs(a), fabs(b)))
		return 0;
	return a < b ? -1 : 1;
}

static int compare_priced(
    const struct priced_order *a, const struct priced_order *b)
{
	int by = compare_costs(a->all_s, b->all_s);

	if (!by)
		by = compare_costs(a->offline_s, b->offline_s);
	return by ? by : compare_costs(a->offline_bytes, b->offline_bytes);
}

/*
 * Is the order in the list?  Costs that are nearly equal are no key to sort by,
 * since rounding is not transitive: so the list, of few entries, is searched.
 */
static bool is_listed(const struct priced_order *list, size_t count,
    const struct priced_order *priced)
{
	for (size_t i = 0; i < count; i++)
		if (compare_priced(&list[i], priced) == 0)
			return true;
	return false;
}

static int by_cost(const void *a, const void *b)
{
	const struct priced_order *one = a, *two = b;

	if (one->all_s < two->all_s || one->all_s > two->all_s)
		return one->all_s < two->all_s ? -1 : 1;
	return one->number < two->number ? -1 : one->number > two->number;
}

int orders_list(const struct orders *orders, const struct order_costs *costs,
    struct priced_order **list, size_t *count, struct error *err)
{
	const uint64_t all = orders_count(orders);
	size_t capacity = 0;

	*list = NULL;
	*count = 0;
	for (uint64_t i = 0; all <= ORDERS_LISTED && i < all; i++) {
		const struct priced_order priced = price(orders, costs, i);
		struct priced_order *longer;

		if (is_listed(*list, *count, &priced))
			continue;
		longer = array_grow(
		    *list, &capacity, *count + 1, sizeof(**list), err);
		if (!longer) {
			free(*list);
			*list = NULL;
			return -1;
		}
		*list = longer;
		longer[(*count)++] = priced;
	}
	if (*count)
		qsort(*list, *count, sizeof(**list), by_cost);
	return 0;
}

/* ---- the orders worth a try ---- */

static bool is_clearly_less(double a, double b)
{
	return a < (1 - lossy_gain) * b;
}

bool orders_outdo(const struct orders *orders, const struct order *exact,
    const struct order *other, unsigned split, const struct order_costs *costs)
{
	const double one = orders_cost(orders, exact, split, costs);
	const double two = orders_cost(orders, other, split, costs);

	return exact->how == COMMUTE_EXACT && other->how != COMMUTE_EXACT &&
	       orders_ran_same(exact, other, split) &&
	       !is_clearly_less(two, one) &&
	       !is_clearly_less(orders_cost(orders, other, 0, costs) - two,
	           orders_cost(orders, exact, 0, costs) - one);
}

/* Which steps may follow on a way. */
enum steps { EXACT_STEPS, ALL_STEPS };

/* The cheapest ways to a set, and from it to the end. */
struct way {
	double front_s; /* INFINITY: not without a random step */
	size_t before;  /* the set in front on this way, and the step */
	unsigned step;
	double rest_s; /* INFINITY: no legal order goes on here */
	size_t next;   /* the edge to go on with */
	bool is_covered;
};

/* Is the first clearly less?  Of equal ways the first one found stays. */
static bool is_less(double a, double b)
{
	return a < b && (isinf(b) || compare_costs(a, b) < 0);
}

static bool may_follow(const struct order_edge *edge, enum steps steps)
{
	return edge->is_exact || steps == ALL_STEPS;
}

/* A step that may run next leads to a set by a cheaper way. */
static void go_front(const struct orders *orders,
    const struct order_costs *costs, enum steps steps, struct way *ways,
    size_t at)
{
	const struct order_set *set = &orders->sets[at];
	const double bytes = bytes_of(orders, costs, set->done);

	for (size_t e = set->first; e < set->first + set->edges; e++) {
		const struct order_edge *edge = &orders->edges[e];
		struct way *to = &ways[edge->to];
		const double s =
		    ways[at].front_s + step_cost(costs, edge->step, bytes);

		if (orders->given->steps[edge->step].random ||
		    !may_follow(edge, steps) || !is_less(s, to->front_s))
			continue;
		to->front_s = s;
		to->before = at;
		to->step = edge->step;
	}
}

/* Chooses the step that begins the cheapest rest. */
static void go_rest(const struct orders *orders,
    const struct order_costs *costs, enum steps steps, struct way *ways,
    size_t at)
{
	const struct order_set *set = &orders->sets[at];
	const double bytes = bytes_of(orders, costs, set->done);

	for (size_t e = set->first; e < set->first + set->edges; e++) {
		const struct order_edge *edge = &orders->edges[e];
		const double s =
		    ways[edge->to].rest_s + step_cost(costs, edge->step, bytes);

		if (!may_follow(edge, steps) || !is_less(s, ways[at].rest_s))
			continue;
		ways[at].rest_s = s;
		ways[at].next = e;
	}
}

/* A set is behind its subsets, so one pass each way finds all. */
static void find_ways(const struct orders *orders,
    const struct order_costs *costs, enum steps steps, struct way *ways)
{
	for (size_t i = 0; i < orders->set_count; i++)
		ways[i] = (struct way){ .front_s = i ? INFINITY : 0,
			.rest_s = orders->sets[i].done == orders->all
			              ? 0
			              : INFINITY };
	for (size_t i = 0; i < orders->set_count; i++)
		go_front(orders, costs, steps, ways, i);
	for (size_t i = orders->set_count; i-- > 0;)
		go_rest(orders, costs, steps, ways, i);
}

/* Writes the cheapest order through a set; marks the sets that it covers. */
static uint64_t go_through(
    const struct orders *orders, struct way *ways, size_t number)
{
	const struct pipeline *given = orders->given;
	unsigned char steps[PIPELINE_STEPS];
	unsigned place = given->from;

	for (uint64_t done = orders->sets[number].done; done; done &= done - 1)
		place++;
	for (size_t at = number, i = place; i > given->from;
	     at = ways[at].before)
		steps[--i] = (unsigned char)ways[at].step;
	for (size_t at = number; place < given->count;) {
		const struct order_edge *edge = &orders->edges[ways[at].next];

		steps[place++] = (unsigned char)edge->step;
		ways[at].is_covered = true;
		at = edge->to;
	}
	ways[number].is_covered = true;
	return orders_number(orders, steps);
}

/* Sets that the order given passes are covered if nothing is cheaper. */
static void cover_given(const struct orders *orders,
    const struct order_costs *costs, struct way *ways)
{
	const struct pipeline *given = orders->given;
	size_t at = 0;

	for (unsigned i = given->from; i < given->count; i++) {
		const struct order_edge *edge =
		    &orders->edges[orders->sets[at].first];
		const double rest =
		    orders_cost(orders, &orders->unchanged, i, costs);

		ways[at].is_covered = !is_less(ways[at].rest_s, rest);
		at = edge->to; /* its next step has the lowest number */
	}
	ways[at].is_covered = true;
}

struct picks {
	struct priced_order list[ORDERS_CHOSEN];
	size_t count;
	size_t kept; /* these stay, whatever is found */
	bool all;
};

/* Adds an order; when there is no room, it replaces a more expensive one. */
static void note(struct picks *picks, const struct priced_order *priced)
{
	struct priced_order *list = picks->list;
	size_t most = picks->kept;

	for (size_t i = 0; i < picks->count; i++) {
		if (list[i].number == priced->number)
			return;
		if (i >= picks->kept && list[i].all_s > list[most].all_s)
			most = i;
	}
	if (picks->count < ORDERS_CHOSEN) {
		list[picks->count++] = *priced;
		return;
	}
	picks->all = false;
	if (most < picks->count && priced->all_s < list[most].all_s)
		list[most] = *priced;
}

/* Is a way clearly cheaper than the exact one, or is there no exact one? */
static bool is_gain(const struct way *way, const struct way *exact)
{
	return is_clearly_less(way->front_s, exact->front_s) ||
	       is_clearly_less(way->rest_s, exact->rest_s);
}

/*
 * Notes the cheapest order through each set that no other one covers.  `exact`:
 * ways that must be beaten; NULL: none.
 */
static void note_ways(const struct orders *orders,
    const struct order_costs *costs, struct way *ways, const struct way *exact,
    struct picks *picks)
{
	const size_t first = picks->count;

	picks->kept = first;
	for (size_t i = 0; i < orders->set_count; i++) {
		uint64_t number;
		struct priced_order priced;

		if (ways[i].is_covered || isinf(ways[i].front_s) ||
		    isinf(ways[i].rest_s) ||
		    (exact && !is_gain(&ways[i], &exact[i])))
			continue;
		number = go_through(orders, ways, i);
		if (number == 0 || number > orders_number_most)
			continue;
		priced = price(orders, costs, number);
		note(picks, &priced);
	}
	if (picks->count > first)
		qsort(&picks->list[first], picks->count - first,
		    sizeof(picks->list[0]), by_cost);
}

int orders_choose(struct orders *orders, const struct order_costs *costs,
    const struct order *chosen[ORDERS_CHOSEN], size_t *count, bool *all,
    struct error *err)
{
	const size_t sets = orders->set_count;
	struct picks picks = { .all = true };
	struct way *exact, *any;

	*count = 0;
	*all = true;
	if (orders->is_many || orders_count(orders) == 1)
		return 0;
	exact = calloc(2 * sets, sizeof(*exact));
	if (!exact)
		return error_memory(err, 2 * sets * sizeof(*exact));
	any = exact + sets;
	find_ways(orders, costs, EXACT_STEPS, exact);
	cover_given(orders, costs, exact);
	note_ways(orders, costs, exact, NULL, &picks);
	find_ways(orders, costs, ALL_STEPS, any);
	cover_given(orders, costs, any);
	note_ways(orders, costs, any, exact, &picks);
	free(exact);
	*all = picks.all;
	*count = picks.count;
	for (size_t i = 0; i < picks.count; i++) {
		chosen[i] = orders_at(orders, picks.list[i].number, err);
		if (!chosen[i])
			return -1;
	}
	return 0;
}
