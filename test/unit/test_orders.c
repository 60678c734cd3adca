/*
 * test_orders.c - legal orders: how many, their labels, what they cost, and
 * which ones are worth a try.  The golden values are cedar's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/forecast/reuse.h"
#include "strategies/orders/orders.h"
#include "test/unit/chained.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

struct setup {
	struct chained chained;
	struct orders *orders;
};

static void open_orders(
    struct setup *s, const char *lines, const struct type *type)
{
	struct error err = ERROR_INIT;

	test_ok(chained_open(&s->chained, lines, type, NULL, &err), &err);
	s->orders = orders_new(&s->chained.pipeline, &err);
	test_ok(s->orders ? 0 : -1, &err);
}

static void close_orders(struct setup *s)
{
	orders_free(s->orders);
	chained_close(&s->chained);
}

/* "decoded,resized": the steps of an order, in turn. */
static const char *names_of(const struct order *order, char text[512])
{
	size_t used = 0;

	for (unsigned i = 0; i < order->pipeline->count; i++)
		used += (size_t)snprintf(text + used, 512 - used, "%s%s",
		    i ? "," : "", order->pipeline->steps[i].name);
	return text;
}

/* ---- counts ---- */

static void test_orders_are_counted(void **state)
{
	static const struct {
		const char *lines;
		uint64_t count;
	} cases[] = {
		{ "crop = center_crop size=8\ncentered = center\n"
		  "half = to_half",
		    3 },
		{ "crop = center_crop size=8\ncentered = center\n"
		  "half = to_half after=crop",
		    2 },
		{ "crop = center_crop size=8\nflip = hflip after=crop\n"
		  "centered = center\nhalf = to_half",
		    6 },
		{ "f = to_float fixed=yes\nchw = to_chw\nhalf = to_half", 2 },
		{ "resized = resize shorter=9\ngrey = grayscale", 2 },
		{ "resized = resize shorter=9\ncrop = center_crop size=8\n"
		  "centered = center",
		    3 },
		{ "resized = resize shorter=9\ncrop = center_crop size=8", 1 },
		/* cedar's three fixtures, tests/test_reorder.py */
		{ "base = identity fixed=yes\na = identity after=base\n"
		  "b = identity after=base\nc = identity after=base",
		    6 },
		{ "one = identity after=raw\ntwo = identity after=raw\n"
		  "three = identity after=one\nfour = identity after=one\n"
		  "five = identity after=three",
		    15 },
		{ "one = identity after=raw\ntwo = identity after=raw\n"
		  "three = identity after=one fixed=yes\n"
		  "four = identity after=one\nfive = identity after=three",
		    4 },
		/* 12! */
		{ "a = identity\nb = identity\nc = identity\nd = identity\n"
		  "e = identity\nf = identity\ng = identity\nh = identity\n"
		  "i = identity\nj = identity\nk = identity\nl = identity",
		    479001600 },
	};
	const struct type pixels = chained_pixels();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct setup s;

		open_orders(&s, cases[i].lines, &pixels);
		if (orders_count(s.orders) != cases[i].count)
			fail_msg("%s: %llu", cases[i].lines,
			    (unsigned long long)orders_count(s.orders));
		close_orders(&s);
	}
}

static void test_orders_of_very_free_steps_are_not_counted(void **state)
{
	const struct type pixels = chained_pixels();
	struct order_costs costs = { .bytes = { 1 } };
	const struct order *chosen[ORDERS_CHOSEN];
	struct error err = ERROR_INIT;
	char lines[1024] = "";
	size_t used = 0, count;
	struct setup s;
	bool all;

	(void)state;
	for (unsigned i = 0; i < 20; i++)
		used += (size_t)snprintf(
		    lines + used, sizeof(lines) - used, "s%u = identity\n", i);
	open_orders(&s, lines, &pixels);
	assert_true(orders_count(s.orders) == UINT64_MAX);
	assert_null(orders_find(s.orders, "o1", &err));
	test_contains(err.text, "too many legal orders");
	test_ok(
	    orders_choose(s.orders, &costs, chosen, &count, &all, &err), &err);
	assert_int_equal(count, 0);
	close_orders(&s);
}

/* ---- labels ---- */

static void test_orders_have_labels_that_stay(void **state)
{
	static const char *const names[] = {
		"crop,centered,half",
		"centered,crop,half",
		"centered,half,crop",
	};
	const struct type pixels = chained_pixels();
	struct error err = ERROR_INIT;
	char text[512];
	struct setup s;

	(void)state;
	open_orders(&s,
	    "crop = center_crop size=8\ncentered = center\nhalf = to_half",
	    &pixels);
	assert_string_equal(
	    names_of(orders_find(s.orders, "given", &err), text), names[0]);
	for (unsigned i = 1; i < ARRAY_LEN(names); i++) {
		char label[ORDER_LABEL];
		const struct order *order;

		snprintf(label, sizeof(label), "o%u", i);
		order = orders_find(s.orders, label, &err);
		test_ok(order ? 0 : -1, &err);
		assert_string_equal(names_of(order, text), names[i]);
		assert_string_equal(order->label, label);
		assert_int_equal(order->how, COMMUTE_EXACT);
		assert_true(order == orders_find(s.orders, label, &err));
	}
	assert_null(orders_find(s.orders, "o3", &err));
	assert_string_equal(err.text,
	    "no order 'o3': besides the one given there are 2, from o1 on; "
	    "presto show lists them");
	assert_null(orders_find(s.orders, "o0", &err));
	assert_null(orders_find(s.orders, "o1x", &err));
	assert_null(orders_find(s.orders, "all", &err));
	assert_string_equal(err.text,
	    "'all' is no order: it must be given, or a label such as o1; "
	    "presto show lists them");
	close_orders(&s);
}

static void test_orders_say_what_they_change(void **state)
{
	const struct type pixels = chained_pixels();
	struct error err = ERROR_INIT;
	struct setup s;

	(void)state;
	open_orders(&s, "resized = resize size=9\ngrey = grayscale", &pixels);
	assert_int_equal(
	    orders_find(s.orders, "o1", &err)->how, COMMUTE_ROUNDING);
	close_orders(&s);
	open_orders(&s,
	    "grey = grayscale\njitter = color_jitter contrast=0.5 after=raw",
	    &pixels);
	assert_int_equal(orders_find(s.orders, "o1", &err)->how, COMMUTE_NOT);
	close_orders(&s);
}

static void test_orders_store_the_same_if_exact(void **state)
{
	const struct type pixels = chained_pixels();
	const struct order *one, *given;
	struct error err = ERROR_INIT;
	struct setup s;

	(void)state;
	open_orders(
	    &s, "crop = center_crop size=8\ncentered = center", &pixels);
	given = orders_given(s.orders);
	one = orders_find(s.orders, "o1", &err);
	assert_true(orders_store_same(given, one, 0));
	assert_false(orders_store_same(given, one, 1));
	assert_true(orders_store_same(given, one, 2));
	close_orders(&s);
	open_orders(&s, "resized = resize size=9\ngrey = grayscale", &pixels);
	given = orders_given(s.orders);
	one = orders_find(s.orders, "o1", &err);
	assert_false(orders_store_same(given, one, 2));
	close_orders(&s);
}

/* ---- costs ---- */

enum { SIMCLR = 10 };

/* cedar's statistics of SimCLR (cedar_cache_stats.yaml), rounded to a us. */
static const char simclr[] = "list = identity fixed=yes\n"
                             "read = identity fixed=yes\n"
                             "float = identity after=read\n"
                             "crop = identity after=read\n"
                             "flip = identity after=crop\n"
                             "jitter = identity after=read\n"
                             "gray = identity after=read\n"
                             "blur = identity after=read\n"
                             "norm = identity after=float\n"
                             "batch = identity fixed=yes";

static struct order_costs simclr_costs(void)
{
	static const double ms[SIMCLR] = { 0.057, 1.986, 0.269, 2.029, 0.116,
		9.056, 0.326, 8.263, 0.225, 4.717 };
	static const double bytes[SIMCLR + 1] = { 160, 160, 487347, 1949389,
		714432, 714432, 714432, 238144, 238144, 238144, 238144 };
	struct order_costs costs = { .bytes = { 0 } };
	double all = 0;

	for (unsigned i = 0; i < SIMCLR; i++)
		all += ms[i];
	/* 40.298 samples/s are divided among the steps by their time. */
	for (unsigned i = 0; i < SIMCLR; i++)
		costs.step_s[i] = ms[i] / all / 40.298;
	memcpy(costs.bytes, bytes, sizeof(bytes));
	return costs;
}

static void near(double is, double golden)
{
	if (!(fabs(is / golden - 1) < 1e-3))
		fail_msg("%.9f is not %.9f", is, golden);
}

static void test_orders_cost_what_cedar_says(void **state)
{
	const struct type pixels = chained_pixels();
	const struct order_costs costs = simclr_costs();
	struct error err = ERROR_INIT;
	struct priced_order *list;
	char text[512];
	struct setup s;
	size_t count;

	(void)state;
	open_orders(&s, simclr, &pixels);
	assert_int_equal(orders_count(s.orders), 1260);
	near(orders_cost(s.orders, orders_given(s.orders), 0, &costs),
	    24.815271e-3);
	test_ok(orders_list(s.orders, &costs, &list, &count, &err), &err);
	assert_int_equal(count, 352);
	near(list[0].all_s, 9.395972e-3);
	near(list[count - 1].all_s, 95.139904e-3);
	/* Six orders tie; the first one by the places given is named. */
	assert_string_equal(
	    names_of(orders_at(s.orders, list[0].number, &err), text),
	    "list,read,gray,crop,flip,jitter,blur,float,norm,batch");
	free(list);
	close_orders(&s);
}

static void test_orders_cost_from_a_split_on(void **state)
{
	const struct type pixels = chained_pixels();
	const struct order_costs costs = {
		.step_s = { 4, 2, 1 },
		.bytes = { 100, 50, 200, 100 },
	};
	const struct order *order;
	struct error err = ERROR_INIT;
	struct setup s;

	(void)state;
	open_orders(&s,
	    "crop = center_crop size=8\ncentered = center\nhalf = to_half",
	    &pixels);
	order = orders_find(s.orders, "o2", &err); /* centered, half, crop */
	near(orders_cost(s.orders, order, 0, &costs), 4 + 2 + 8);
	near(orders_cost(s.orders, order, 1, &costs), 2 + 8);
	near(orders_cost(s.orders, order, 2, &costs), 8);
	assert_true(orders_cost(s.orders, order, 3, &costs) <= 0);
	close_orders(&s);
}

/* ---- choices ---- */

static void test_orders_worth_a_try_store_something_new(void **state)
{
	const struct type pixels = chained_pixels();
	const struct order_costs costs = {
		.step_s = { 4, 1, 1 },
		.bytes = { 100, 100, 50, 200 },
	};
	const struct order *chosen[ORDERS_CHOSEN];
	struct error err = ERROR_INIT;
	struct setup s;
	size_t count;
	char text[512];
	bool all;

	(void)state;
	/* center may run behind resize, which makes a later split legal. */
	open_orders(&s,
	    "resized = resize size=96 fixed=yes\n"
	    "crop = random_crop size=8\ncentered = center",
	    &pixels);
	test_ok(
	    orders_choose(s.orders, &costs, chosen, &count, &all, &err), &err);
	assert_int_equal(count, 1);
	assert_true(all);
	assert_string_equal(names_of(chosen[0], text), "resized,centered,crop");
	close_orders(&s);
	/* Steps that make samples let nothing pass. */
	open_orders(
	    &s, "one = identity fixed=yes\ntwo = center_crop size=8", &pixels);
	test_ok(
	    orders_choose(s.orders, &costs, chosen, &count, &all, &err), &err);
	assert_int_equal(count, 0);
	close_orders(&s);
}

#define SWAPS                         \
	"resized = resize size=96\n"  \
	"crop = random_crop size=8\n" \
	"centered = center\n"

/* The order that changes the data is cheaper, by 1.6 % and by half. */
static const struct order_costs hardly_less = {
	.step_s = { 4, 1, 1 },
	.bytes = { 100, 105, 50, 50 },
};
static const struct order_costs clearly_less = {
	.step_s = { 4, 1, 1 },
	.bytes = { 100, 400, 50, 50 },
};

static void test_orders_prefer_the_exact_one(void **state)
{
	const struct type pixels = chained_pixels();
	const struct order *chosen[ORDERS_CHOSEN];
	struct error err = ERROR_INIT;
	struct setup s;
	size_t count;
	char text[512];
	bool all;

	(void)state;
	open_orders(&s, SWAPS, &pixels);
	test_ok(
	    orders_choose(s.orders, &hardly_less, chosen, &count, &all, &err),
	    &err);
	assert_int_equal(count, 2);
	assert_string_equal(names_of(chosen[0], text), "resized,centered,crop");
	assert_int_equal(chosen[0]->how, COMMUTE_EXACT);
	/* Only this one stores what center makes of whole images. */
	assert_string_equal(names_of(chosen[1], text), "centered,resized,crop");
	assert_int_equal(chosen[1]->how, COMMUTE_ROUNDING);
	assert_true(
	    orders_outdo(s.orders, chosen[0], chosen[1], 2, &hardly_less));
	assert_false(
	    orders_outdo(s.orders, chosen[0], chosen[1], 2, &clearly_less));
	assert_false(
	    orders_outdo(s.orders, chosen[1], chosen[0], 2, &hardly_less));
	assert_false(
	    orders_outdo(s.orders, chosen[0], chosen[1], 1, &hardly_less));
	close_orders(&s);
}

/* ---- strategies ---- */

static bool has_label(const struct strategies *strategies, const char *label)
{
	for (size_t i = 0; i < strategies->count; i++)
		if (strcmp(strategies->list[i].label, label) == 0)
			return true;
	return false;
}

static struct schema pixels_schema(void)
{
	const struct type pixels = chained_pixels();
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;

	test_ok(schema_add(&schema, "data", &pixels, &err), &err);
	return schema;
}

#define MOVES                                              \
	"[pipeline]\nresized = resize size=96 fixed=yes\n" \
	"crop = random_crop size=8\ncentered = center\n"   \
	"[strategies]\nstore = tar\ncodec = none\n"

static void test_orders_make_strategies(void **state)
{
	static const struct order_costs costs = {
		.step_s = { 4, 1, 1 },
		.bytes = { 100, 100, 50, 200 },
	};
	const struct schema schema = pixels_schema();
	struct error err = ERROR_INIT;
	struct planned p;

	(void)state;
	test_ok(planned_read(&p, MOVES "order = all\n", &schema, &err), &err);
	assert_int_equal(p.strategies.count, 3);
	test_ok(strategies_add_orders(
	            &p.strategies, &p.plan, &p.pipeline, &costs, &err),
	    &err);
	assert_int_equal(p.strategies.count, 4);
	assert_true(has_label(&p.strategies, "o1:centered/tar/none"));
	planned_release(&p);
	test_ok(planned_read(&p, MOVES "order = o1\n", &schema, &err), &err);
	assert_int_equal(p.strategies.count, 4);
	assert_true(has_label(&p.strategies, "o1:resized/tar/none"));
	assert_false(has_label(&p.strategies, "resized/tar/none"));
	planned_release(&p);
	test_ok(planned_read(&p, MOVES "order = given, o1\nsplit = centered\n",
	            &schema, &err),
	    &err);
	assert_int_equal(p.strategies.count, 2);
	assert_string_equal(p.strategies.list[1].label, "o1:centered/tar/none");
	planned_release(&p);
	test_error_is(planned_read(&p, MOVES "order = o7\n", &schema, &err),
	    &err,
	    "test.conf:8: no order 'o7': besides the one given there are 1, "
	    "from o1 on; presto show lists them");
	planned_release(&p);
	test_error_is(
	    planned_read(&p, MOVES "split = centered\n", &schema, &err), &err,
	    "test.conf:8: split: 'centered' cannot be stored: step 'crop' is "
	    "random, so it and all later steps stay online");
	planned_release(&p);
}

static void test_orders_that_round_make_fewer_strategies(void **state)
{
	static const struct {
		const struct order_costs *costs;
		bool twice;
	} cases[] = { { &hardly_less, false }, { &clearly_less, true } };
	static const char text[] = "[pipeline]\n" SWAPS "[strategies]\n"
	                           "store = tar\n"
	                           "codec = none\n"
	                           "order = all\n";
	const struct schema schema = pixels_schema();
	struct error err = ERROR_INIT;
	struct planned p;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		test_ok(planned_read(&p, text, &schema, &err), &err);
		test_ok(strategies_add_orders(&p.strategies, &p.plan,
		            &p.pipeline, cases[i].costs, &err),
		    &err);
		assert_true(has_label(&p.strategies, "o1:centered/tar/none"));
		assert_true(has_label(&p.strategies, "o2:centered/tar/none"));
		assert_int_equal(
		    has_label(&p.strategies, "o2:resized/tar/none"),
		    cases[i].twice);
		planned_release(&p);
	}
}

static void test_orders_are_read_in_labels(void **state)
{
	const struct schema schema = pixels_schema();
	struct strategy strategy;
	struct error err = ERROR_INIT;
	struct orders *orders;
	struct planned p;

	(void)state;
	test_ok(planned_read(&p, MOVES, &schema, &err), &err);
	orders = orders_new(&p.pipeline, &err);
	test_ok(orders ? 0 : -1, &err);
	test_ok(
	    strategy_parse_ordered(&strategy, "o1:centered/tar", orders, &err),
	    &err);
	assert_string_equal(strategy.label, "o1:centered/tar/none");
	assert_string_equal(strategy.order, "o1");
	assert_int_equal(strategy.split, 2);
	assert_string_equal(
	    strategy_pipeline(&strategy, &p.pipeline)->steps[1].name,
	    "centered");
	assert_false(strategy_may_differ(&strategy, &p.pipeline));
	test_ok(strategy_parse_ordered(
	            &strategy, "resized/tar/gzip:6", orders, &err),
	    &err);
	assert_null(strategy.pipeline);
	assert_int_equal(
	    strategy_parse_ordered(&strategy, "o1:crop/tar", orders, &err), -1);
	test_contains(err.text, "'crop' cannot be stored");
	assert_int_equal(
	    strategy_parse_ordered(&strategy, "o1:unprocessed", orders, &err),
	    -1);
	assert_int_equal(
	    strategy_parse_ordered(&strategy, "o9:resized/tar", orders, &err),
	    -1);
	orders_free(orders);
	planned_release(&p);
}

static void test_orders_take_over_what_they_begin_with(void **state)
{
	const struct schema schema = pixels_schema();
	struct strategy given, moved;
	struct error err = ERROR_INIT;
	struct orders *orders;
	struct planned p;

	(void)state;
	test_ok(planned_read(&p, MOVES, &schema, &err), &err);
	orders = orders_new(&p.pipeline, &err);
	test_ok(orders ? 0 : -1, &err);
	test_ok(
	    strategy_parse_ordered(&given, "resized/tar", orders, &err), &err);
	test_ok(strategy_parse_ordered(&moved, "o1:centered/tar", orders, &err),
	    &err);
	assert_true(reuse_gives_samples(&p.pipeline, &given, &moved));
	assert_false(reuse_gives_samples(&p.pipeline, &moved, &given));
	assert_false(reuse_gives_frames(&p.pipeline, &given, &moved));
	orders_free(orders);
	planned_release(&p);
	/* Where the first steps differ, nothing can be taken over. */
	test_ok(planned_read(&p,
	            "[pipeline]\ncrop = center_crop size=8\n"
	            "centered = center\nhalf = to_half\n",
	            &schema, &err),
	    &err);
	orders = orders_new(&p.pipeline, &err);
	test_ok(orders ? 0 : -1, &err);
	test_ok(strategy_parse_ordered(&given, "crop/tar", orders, &err), &err);
	test_ok(
	    strategy_parse_ordered(&moved, "o1:half/tar", orders, &err), &err);
	assert_false(reuse_gives_samples(&p.pipeline, &given, &moved));
	orders_free(orders);
	planned_release(&p);
}

static void test_order_costs_are_read_as_they_were_written(void **state)
{
	static const char *const wrong[] = { "", "1 2 3", "1 2 3 4 5 6",
		"1 2 3 4 nan", "1 2 -3 4 5", "1 2 3 4 5 x" };
	const struct order_costs costs = { .step_s = { 1.0 / 3, 1e-9 },
		.bytes = { 1e7 / 7, 0, 12 } };
	struct order_costs read;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	UNUSED(state);
	test_ok(order_costs_print(&costs, 2, &text, &err), &err);
	assert_true(order_costs_parse(&read, 2, (const char *)text.data));
	assert_memory_equal(&read, &costs, sizeof(costs));
	assert_false(order_costs_parse(&read, 1, (const char *)text.data));
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_false(order_costs_parse(&read, 2, wrong[i]));
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders_are_counted),
		cmocka_unit_test(
		    test_orders_of_very_free_steps_are_not_counted),
		cmocka_unit_test(test_orders_have_labels_that_stay),
		cmocka_unit_test(test_orders_say_what_they_change),
		cmocka_unit_test(test_orders_store_the_same_if_exact),
		cmocka_unit_test(test_orders_cost_what_cedar_says),
		cmocka_unit_test(test_orders_cost_from_a_split_on),
		cmocka_unit_test(test_orders_worth_a_try_store_something_new),
		cmocka_unit_test(test_orders_prefer_the_exact_one),
		cmocka_unit_test(test_orders_make_strategies),
		cmocka_unit_test(test_orders_that_round_make_fewer_strategies),
		cmocka_unit_test(test_orders_are_read_in_labels),
		cmocka_unit_test(test_orders_take_over_what_they_begin_with),
		cmocka_unit_test(
		    test_order_costs_are_read_as_they_were_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
