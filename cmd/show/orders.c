/* orders.c - see orders.h. */
#include "cmd/show/orders.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/program/terminal.h"
#include "cmd/writers/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "strategies/forecast/order_models.h"
#include "strategies/orders/orders.h"

enum { ROWS_MOST = 12, NAMES = 900 };

enum { ORDER, MOVED, DATA, STEPS };

/* Returns words for the effect that the order has on the data. */
static const char *data_words(enum commute how)
{
	static const char *const words[] = {
		[COMMUTE_NOT] = "what after= allows",
		[COMMUTE_ROUNDING] = "up to rounding",
		[COMMUTE_EXACT] = "the same",
	};

	return words[how];
}

static const char *step_names(const struct pipeline *pipeline, char text[NAMES])
{
	size_t used = 0;

	*text = '\0';
	for (unsigned i = 1; i <= pipeline->count && used < NAMES; i++)
		used += (size_t)snprintf(text + used, NAMES - used, "%s%s",
		    i > 1 ? ", " : "", pipeline_name(pipeline, i));
	return text;
}

static int add_row(struct grid *table, const struct order *order, double moved,
    struct error *err)
{
	char bytes[UNITS_TEXT], names[NAMES];

	return grid_add_row(table, err) ||
	               grid_set_text(table, ORDER,
	                   *order->label ? order->label : "given", err) ||
	               grid_set_text(
	                   table, MOVED, units_bytes(moved, bytes), err) ||
	               grid_set_text(
	                   table, DATA, data_words(order->how), err) ||
	               grid_set_text(table, STEPS,
	                   step_names(order->pipeline, names), err)
	           ? -1
	           : 0;
}

static int fill(struct grid *table, struct orders *orders,
    const struct priced_order *list, size_t count, struct error *err)
{
	static const char *const titles[] = { "order", "moved", "data",
		"steps" };
	for (size_t i = 0; i < ARRAY_LEN(titles); i++)
		if (grid_add_column(table, titles[i], err))
			return -1;
	for (size_t i = 0; i < count && i < ROWS_MOST; i++) {
		const struct order *order =
		    orders_at(orders, list[i].number, err);

		if (!order || add_row(table, order, list[i].all_s, err))
			return -1;
	}
	return 0;
}

static int print_list(struct orders *orders, const struct priced_order *list,
    size_t count, struct error *err)
{
	static const struct table_column columns[] = { [ORDER] = { 0, 0 },
		[MOVED] = { 2, 0 },
		[DATA] = { 1, 0 },
		[STEPS] = { 0, 30 } };
	const struct table_page page = { .width = terminal_columns(stdout),
		.columns = columns,
		.indent = 2 };
	struct grid table = GRID_INIT;
	const int rc = fill(&table, orders, list, count, err);

	if (rc == 0)
		table_write_page(&table, &page, stdout);
	if (rc == 0 && count > ROWS_MOST)
		terminal_print(
		    stdout, "  ", "and %zu that move more", count - ROWS_MOST);
	grid_release(&table);
	return rc;
}

/* Prints the count, and what `--order all` may choose from. */
static int print_all(
    struct orders *orders, const struct order_costs *costs, struct error *err)
{
	const uint64_t all = orders_count(orders);
	struct priced_order *list = NULL;
	size_t count = 0;
	int rc;

	if (all == 1) {
		terminal_print(
		    stdout, "orders: ", "1 legal order, the one given");
		return 0;
	}
	if (all == UINT64_MAX) {
		terminal_print(stdout, "orders: ",
		    "too many legal ones to count; fixed=yes and after=NAME "
		    "make them fewer");
		return 0;
	}
	if (orders_list(orders, costs, &list, &count, err))
		return -1;
	if (!list)
		terminal_print(stdout, "orders: ",
		    "%" PRIu64 " legal orders, too many to compare their "
		    "costs; fixed=yes and after=NAME make them fewer",
		    all);
	else if (count == 1)
		terminal_print(stdout, "orders: ",
		    "%" PRIu64 " legal orders, which do not differ in cost",
		    all);
	else
		terminal_print(stdout, "orders: ",
		    "%" PRIu64 " legal orders, %zu of them differ in cost", all,
		    count);
	rc = count > 1 ? print_list(orders, list, count, err) : 0;
	free(list);
	return rc;
}

int show_orders(const struct pipeline *pipeline, const struct model *model,
    struct error *err)
{
	struct orders *orders = orders_new(pipeline, err);
	struct order_costs costs;
	int rc = -1;

	if (!orders)
		return -1;
	order_costs_of(model, &costs);
	/*
	 * Nothing is measured here: a step costs the bytes that it reads and
	 * writes, and the same is printed each time.
	 */
	for (unsigned i = 0; i < pipeline->count; i++)
		costs.step_s[i] = costs.bytes[i] + costs.bytes[i + 1];
	rc = print_all(orders, &costs, err);
	orders_free(orders);
	return rc;
}
