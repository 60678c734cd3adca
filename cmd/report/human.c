/* human.c - see human.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report/human.h"
#include "cmd/report/human_columns.h"
#include "cmd/report/trial_order.h"
#include "lib/db/grid.h"
#include "strategies/figures/figures.h"

/* A table that is being filled. */
struct making {
	const struct column *columns;
	struct grid *to;
	bool leave_threads, leave_cache;
	unsigned told; /* numbers that tell loads apart; see load_figures.h */
};

/* Is it a column of the load that says nothing here? */
static bool is_untold(const struct making *making, const char *source)
{
	for (unsigned i = 0; i < LOAD_NUMBERS; i++)
		if (strcmp(source, load_number_column(i)) == 0)
			return !(making->told & (1U << i));
	return false;
}

/* Finds the numbers that tell loads apart, or that `auto` has found. */
static int find_told(
    struct making *making, const struct grid *from, struct error *err)
{
	struct figures_list figures;

	if (figures_read(&figures, from, err))
		return -1;
	for (size_t i = 0; i < figures.count; i++) {
		const struct load_figures *load = &figures.list[i].load;

		making->told |= load->differs;
		for (unsigned k = 0; k < LOAD_NUMBERS; k++)
			if (load_figures_found(load, k))
				making->told |= 1U << k;
	}
	figures_release(&figures);
	return 0;
}

static bool is_left(const struct making *making, const char *source)
{
	return (making->leave_threads && strcmp(source, "threads") == 0) ||
	       (making->leave_cache && strcmp(source, "cache") == 0) ||
	       is_untold(making, source);
}

static int add_row(
    const struct making *making, struct row row, struct error *err)
{
	if (grid_add_row(making->to, err))
		return -1;
	for (size_t i = 0; making->columns[i].title; i++) {
		const struct column *column = &making->columns[i];
		char cell[HUMAN_CELL] = "";

		if (!is_left(making, column->source))
			column->print(row, column->source, cell);
		if (*cell && grid_set_text(making->to, i, cell, err))
			return -1;
	}
	return 0;
}

bool human_is_of(const struct grid *grid, size_t row, int64_t session)
{
	const int64_t of = grid_integer(grid, row, "session");

	/* Rows without a number are of any session. */
	return session == 0 || of == 0 || of == session;
}

bool human_common(const struct grid *from, int64_t session, const char *column,
    char cell[HUMAN_CELL])
{
	const int at = grid_column(from, column);
	char buffer[VALUE_TEXT_SIZE];
	bool same = at >= 0;

	*cell = '\0';
	for (size_t i = 0; same && i < from->row_count; i++) {
		const char *text =
		    value_print(grid_value(from, i, (size_t)at), buffer);

		if (!human_is_of(from, i, session))
			continue;
		same = *text && (!*cell || strcmp(cell, text) == 0);
		snprintf(cell, HUMAN_CELL, "%s", text);
	}
	if (!same)
		*cell = '\0';
	return *cell;
}

/* Adds trials in the order of their rank. */
static int add_ordered(const struct making *making, const struct grid *from,
    int64_t session, struct error *err)
{
	size_t count;
	size_t *order = trial_order(from, session, &count, err);
	int rc = order ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = add_row(making,
		    (struct row){ .grid = from, .index = order[i] }, err);
	free(order);
	return rc;
}

void human_fit(
    enum human_table table, struct table_column columns[TABLE_COLUMNS])
{
	for (size_t i = 0; human_columns[table][i].title; i++)
		columns[i] = human_columns[table][i].fit;
}

const char *human_source(enum human_table table, size_t column)
{
	return human_columns[table][column].source;
}

int human_table(enum human_table table, const struct grid *from,
    int64_t session, struct grid *to, struct error *err)
{
	const struct column *columns = human_columns[table];
	char common[HUMAN_CELL];
	struct making making = {
		.columns = columns,
		.to = to,
		.leave_threads = table != HUMAN_RANKING &&
		                 human_common(from, session, "threads", common),
		.leave_cache = table != HUMAN_RANKING &&
		               !human_places_differ(from) &&
		               human_common(from, session, "cache", common),
	};

	if (find_told(&making, from, err))
		return -1;
	for (size_t i = 0; columns[i].title; i++)
		if (grid_add_column(to, columns[i].title, err))
			return -1;
	if (table == HUMAN_TRIALS)
		return add_ordered(&making, from, session, err);
	for (size_t i = 0; i < from->row_count; i++) {
		const struct row row = { .grid = from, .index = i };

		if (human_is_of(from, i, session) && add_row(&making, row, err))
			return -1;
	}
	return 0;
}
