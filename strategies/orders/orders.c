/* orders.c - see orders.h: the sets, their numbers, and single orders. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/orders/orders_state.h"

enum { TABLE = 4 * ORDERS_SETS }; /* a power of two */

/* ---- which steps wait for which ---- */

/* Returns the bits of the steps that option `after` names. */
static uint64_t named_after(
    const struct pipeline *pipeline, const struct pipeline_step *step)
{
	uint64_t steps = 0;

	for (const char *at = step->after; *at;) {
		const size_t len = strcspn(at, ",");

		for (unsigned i = 0; i < pipeline->count; i++)
			if (strncmp(pipeline->steps[i].name, at, len) == 0 &&
			    !pipeline->steps[i].name[len])
				steps |= order_bit(i);
		at += len + (at[len] == ',');
	}
	return steps;
}

static uint64_t find_waits(const struct pipeline *pipeline, unsigned number)
{
	const struct pipeline_step *step = &pipeline->steps[number];
	uint64_t steps = 0;

	if (step->after) /* steps in front of `from` ran long ago */
		return named_after(pipeline, step) &
		       ~(order_bit(pipeline->from) - 1);
	for (unsigned i = pipeline->from; i < number; i++)
		if (commute_steps(&pipeline->steps[i], step) == COMMUTE_NOT)
			steps |= order_bit(i);
	return steps;
}

static uint64_t find_changes(const struct pipeline *pipeline, unsigned number)
{
	const struct pipeline_step *steps = pipeline->steps;
	uint64_t found = 0;

	for (unsigned i = number + 1; i < pipeline->count; i++)
		if (commute_steps(&steps[number], &steps[i]) != COMMUTE_EXACT)
			found |= order_bit(i);
	return found;
}

static void find_all_waits(struct orders *orders)
{
	const struct pipeline *pipeline = orders->given;
	uint64_t before = 0;

	for (unsigned i = pipeline->from; i < pipeline->count; i++) {
		orders->waits_for[i] = find_waits(pipeline, i);
		orders->changed_by[i] = find_changes(pipeline, i);
		for (unsigned k = pipeline->from; k < i; k++)
			if (pipeline->steps[k].fixed)
				orders->waits_for[i] |= order_bit(k);
		if (pipeline->steps[i].fixed)
			orders->waits_for[i] |= before;
		before |= order_bit(i);
	}
	orders->all = before;
}

/* ---- sets ---- */

static bool schema_equal(const struct schema *a, const struct schema *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned f = 0; f < a->count; f++)
		if (strcmp(a->fields[f].name, b->fields[f].name) != 0 ||
		    !type_equal(&a->fields[f].type, &b->fields[f].type))
			return false;
	return true;
}

static size_t hash_of(uint64_t done)
{
	return (size_t)((done * UINT64_C(0x9e3779b97f4a7c15)) >> 40) &
	       (TABLE - 1);
}

/* Finds or adds a set; its number, or -1 without memory. */
static int take_set(struct orders *orders, uint64_t done,
    const struct schema *schema, size_t *number, struct error *err)
{
	size_t at = hash_of(done);
	struct order_set *sets;

	for (; orders->table[at]; at = (at + 1) & (TABLE - 1)) {
		const size_t i = orders->table[at] - 1;

		if (orders->sets[i].done != done ||
		    !schema_equal(&orders->sets[i].schema, schema))
			continue;
		*number = i;
		return 0;
	}
	sets = array_grow(orders->sets, &orders->set_capacity,
	    orders->set_count + 1, sizeof(*sets), err);
	if (!sets)
		return -1;
	orders->sets = sets;
	*number = orders->set_count++;
	sets[*number] = (struct order_set){ .done = done, .schema = *schema };
	orders->table[at] = *number + 1;
	return 0;
}

/*
 * Finds what a step gives for this input.  What the order given has seen is
 * known; binding may load a table.
 */
static bool takes(const struct pipeline *given, unsigned step,
    const struct schema *in, struct schema *out)
{
	struct error ignored = ERROR_INIT;

	if (!schema_equal(in, &given->schemas[step]))
		return pipeline_bind_step(given, step, in, out, &ignored) == 0;
	*out = given->schemas[step + 1];
	return true;
}

static int add_edge(
    struct orders *orders, const struct order_edge *edge, struct error *err)
{
	struct order_edge *edges =
	    array_grow(orders->edges, &orders->edge_capacity,
	        orders->edge_count + 1, sizeof(*edges), err);

	if (!edges)
		return -1;
	orders->edges = edges;
	edges[orders->edge_count++] = *edge;
	return 0;
}

/* Adds the sets that one more step leads to. */
static int extend(struct orders *orders, size_t number, struct error *err)
{
	const struct pipeline *given = orders->given;
	const uint64_t done = orders->sets[number].done;
	/* adding sets moves them */
	const struct schema in = orders->sets[number].schema;

	orders->sets[number].first = orders->edge_count;
	for (unsigned i = given->from; i < given->count; i++) {
		struct order_edge edge = {
			.step = i,
			.is_exact = !(orders->changed_by[i] & done),
		};
		struct schema out;

		if ((done & order_bit(i)) || (orders->waits_for[i] & ~done) ||
		    !takes(given, i, &in, &out))
			continue;
		if (take_set(
		        orders, done | order_bit(i), &out, &edge.to, err) ||
		    add_edge(orders, &edge, err))
			return -1;
	}
	orders->sets[number].edges =
	    orders->edge_count - orders->sets[number].first;
	return 0;
}

static uint64_t add_ways(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Counts from the last set, which is behind all others, to the first. */
static void count_ways(struct orders *orders)
{
	for (size_t i = orders->set_count; i-- > 0;) {
		struct order_set *set = &orders->sets[i];

		set->ways = set->done == orders->all;
		for (size_t e = 0; e < set->edges; e++)
			set->ways = add_ways(set->ways,
			    orders->sets[orders->edges[set->first + e].to]
			        .ways);
	}
}

/* Sets with as many steps stand together, so a set is behind its subsets. */
static int find_sets(struct orders *orders, struct error *err)
{
	const struct pipeline *given = orders->given;
	size_t first;

	orders->table = calloc(TABLE, sizeof(*orders->table));
	if (!orders->table)
		return error_memory(err, TABLE * sizeof(*orders->table));
	if (take_set(orders, 0, &given->schemas[given->from], &first, err))
		return -1;
	for (size_t i = 0; i < orders->set_count; i++) {
		if (extend(orders, i, err))
			return -1;
		if (orders->set_count <= ORDERS_SETS)
			continue;
		orders->is_many = true;
		return 0;
	}
	count_ways(orders);
	return 0;
}

struct orders *orders_new(const struct pipeline *given, struct error *err)
{
	struct orders *orders = calloc(1, sizeof(*orders));

	if (!orders) {
		error_memory(err, sizeof(*orders));
		return NULL;
	}
	orders->given = given;
	orders->unchanged =
	    (struct order){ .pipeline = given, .how = COMMUTE_EXACT };
	find_all_waits(orders);
	if (find_sets(orders, err)) {
		orders_free(orders);
		return NULL;
	}
	return orders;
}

void orders_free(struct orders *orders)
{
	if (!orders)
		return;
	for (size_t i = 0; i < orders->made_count; i++)
		free(orders->made[i]);
	free(orders->made);
	free(orders->sets);
	free(orders->edges);
	free(orders->table);
	free(orders);
}

/* ---- numbers ---- */

uint64_t orders_count(const struct orders *orders)
{
	return orders->is_many ? UINT64_MAX : orders->sets[0].ways;
}

const struct order *orders_given(const struct orders *orders)
{
	return &orders->unchanged;
}

void orders_walk(const struct orders *orders, uint64_t number,
    unsigned char steps[PIPELINE_STEPS])
{
	const unsigned from = orders->given->from;
	const struct order_set *set = &orders->sets[0];

	for (unsigned i = 0; i < from; i++)
		steps[i] = (unsigned char)i;
	for (unsigned place = from; place < orders->given->count; place++) {
		const struct order_edge *edge = &orders->edges[set->first];

		while (number >= orders->sets[edge->to].ways) {
			number -= orders->sets[edge->to].ways;
			edge++;
		}
		steps[place] = (unsigned char)edge->step;
		set = &orders->sets[edge->to];
	}
}

uint64_t orders_number(
    const struct orders *orders, const unsigned char steps[PIPELINE_STEPS])
{
	const struct order_set *set = &orders->sets[0];
	uint64_t number = 0;

	for (unsigned i = orders->given->from; i < orders->given->count; i++) {
		const struct order_edge *edge = &orders->edges[set->first];

		for (; edge->step != steps[i]; edge++)
			number = add_ways(number, orders->sets[edge->to].ways);
		set = &orders->sets[edge->to];
	}
	return number;
}

/* ---- single orders ---- */

static struct made_order *made_new(
    const struct orders *orders, uint64_t number, struct error *err)
{
	const struct pipeline *given = orders->given;
	struct made_order *made = memory_zeroed(sizeof(*made), err);
	unsigned char steps[PIPELINE_STEPS];

	if (!made)
		return NULL;
	orders_walk(orders, number, steps);
	pipeline_permute(&made->pipeline, given, steps);
	if (pipeline_bind(&made->pipeline, &given->schemas[given->from], err)) {
		free(made);
		return NULL;
	}
	made->number = number;
	made->order.pipeline = &made->pipeline;
	made->order.how = commute_order(&made->pipeline);
	snprintf(
	    made->order.label, sizeof(made->order.label), "o%" PRIu64, number);
	return made;
}

const struct order *orders_at(
    struct orders *orders, uint64_t number, struct error *err)
{
	struct made_order **list;

	if (number == 0)
		return &orders->unchanged;
	for (size_t i = 0; i < orders->made_count; i++)
		if (orders->made[i]->number == number)
			return &orders->made[i]->order;
	list = array_grow(orders->made, &orders->made_capacity,
	    orders->made_count + 1, sizeof(struct made_order *), err);
	if (!list)
		return NULL;
	orders->made = list;
	list[orders->made_count] = made_new(orders, number, err);
	return list[orders->made_count] ? &list[orders->made_count++]->order
	                                : NULL;
}

/* Reads "o3"; false: it is no label. */
static bool parse_label(const char *label, uint64_t *number)
{
	const size_t digits =
	    label[0] == 'o' ? strspn(label + 1, "0123456789") : 0;

	if (!digits || label[1 + digits] || label[1] == '0' ||
	    digits >= ORDER_LABEL - 1)
		return false;
	*number = strtoull(label + 1, NULL, 10);
	return *number <= orders_number_most;
}

const struct order *orders_find(
    struct orders *orders, const char *label, struct error *err)
{
	const uint64_t count = orders_count(orders);
	uint64_t number;

	if (strcmp(label, "given") == 0)
		return &orders->unchanged;
	if (!parse_label(label, &number))
		error_set(err, ERROR_USAGE,
		    "'%.32s' is no order: it must be given, or a label such as "
		    "o1; presto show lists them",
		    label);
	else if (orders->is_many)
		error_set(err, ERROR_USAGE,
		    "this pipeline has too many legal orders to number them; "
		    "fixed=yes and after=NAME make them fewer");
	else if (number >= count && count == 1)
		error_set(err, ERROR_USAGE,
		    "no order '%s': only the order given is legal", label);
	else if (number >= count)
		error_set(err, ERROR_USAGE,
		    "no order '%s': besides the one given there are %" PRIu64
		    ", from o1 on; presto show lists them",
		    label, count - 1);
	else
		return orders_at(orders, number, err);
	return NULL;
}

bool orders_ran_same(
    const struct order *a, const struct order *b, unsigned split)
{
	uint64_t first = 0, second = 0;

	for (unsigned i = 0; i < split; i++) {
		first |= order_bit(a->pipeline->steps[i].given);
		second |= order_bit(b->pipeline->steps[i].given);
	}
	return first == second;
}

bool orders_store_same(
    const struct order *a, const struct order *b, unsigned split)
{
	const struct pipeline_step *one = a->pipeline->steps;
	const struct pipeline_step *two = b->pipeline->steps;
	unsigned place[PIPELINE_STEPS];

	if (!orders_ran_same(a, b, split))
		return false;
	for (unsigned i = 0; i < split; i++)
		place[two[i].given] = i;
	for (unsigned i = 0; i < split; i++)
		for (unsigned k = i + 1; k < split; k++)
			if (place[one[i].given] > place[one[k].given] &&
			    commute_steps(&one[i], &one[k]) != COMMUTE_EXACT)
				return false;
	return true;
}
