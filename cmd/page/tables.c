/* tables.c - see tables.h. */
#include <stdbool.h>
#include <string.h>

#include "cmd/html/html.h"
#include "cmd/page/facts.h"
#include "cmd/page/tables.h"
#include "cmd/report/human.h"
#include "cmd/writers/html_table.h"
#include "cmd/writers/table.h"
#include "lib/db/grid.h"

/* ---- cells ---- */

/* Writes the sort key: the number behind "402 ms", or any other text. */
static void write_key(const struct facts *facts, size_t column,
    const struct fact *fact, FILE *out)
{
	const struct grid *report = &facts->data.trials;
	const char *source = human_source(HUMAN_TRIALS, column);
	const int at = grid_column(report, source);
	const struct value *value;
	char text[VALUE_TEXT_SIZE];

	if (at < 0)
		return;
	value = grid_value(report, fact->row, (size_t)at);
	if (value->kind != VALUE_INTEGER && value->kind != VALUE_REAL)
		return;
	fputs(" data-key=\"", out);
	html_text(value_print(value, text), out);
	fputc('"', out);
}

/* ---- trials ---- */

/* The first row of a strategy is the target of links in charts. */
static bool is_first(const struct facts *facts, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (facts->trials[k].strategy == facts->trials[i].strategy)
			return false;
	return true;
}

static void write_trial(
    const struct facts *facts, const struct grid *table, size_t row, FILE *out)
{
	const struct fact *fact = &facts->trials[row];

	fputs("<tr", out);
	if (is_first(facts, row))
		fprintf(out, " id=\"strategy-%zu\" tabindex=\"-1\"",
		    fact->strategy + 1);
	fprintf(out, "%s>\n",
	    fact->is_winner                     ? " class=\"winner\""
	    : strcmp(fact->status, "done") != 0 ? " class=\"missing\""
	                                        : "");
	for (size_t i = 0; i < table->column_count; i++) {
		const bool is_name = strcmp(table->columns[i], "strategy") == 0;

		if (table_is_empty(table, i))
			continue;
		fprintf(out, "<t%c%s%s", is_name ? 'h' : 'd',
		    is_name ? " scope=\"row\"" : "",
		    table_is_numeric(table, i) ? " class=\"number\"" : "");
		write_key(facts, i, fact, out);
		fputc('>', out);
		html_text(grid_text(table, row, table->columns[i]), out);
		fprintf(out, "</t%c>\n", is_name ? 'h' : 'd');
	}
	fputs("</tr>\n", out);
}

int page_trials(const struct facts *facts, FILE *out, struct error *err)
{
	struct grid table = GRID_INIT;
	const int rc =
	    human_table(HUMAN_TRIALS, &facts->data.trials, 0, &table, err);

	fputs("<section id=\"trials\">\n<h2>Trials</h2>\n"
	      "<p class=\"filter\" hidden><label>Filter <input type=\"search\" "
	      "placeholder=\"tar zstd\" autocomplete=\"off\"></label> "
	      "<span role=\"status\"></span></p>\n"
	      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	      "aria-label=\"Table of the trials\">\n<table id=\"table\">\n",
	    out);
	if (rc == 0) {
		html_table_head(&table, true, out);
		fputs("<tbody>\n", out);
		for (size_t i = 0; i < table.row_count; i++)
			write_trial(facts, &table, i, out);
		fputs("</tbody>\n", out);
	}
	fputs("</table>\n</div>\n", out);
	grid_release(&table);
	return rc;
}

/* ---- steps and phases ---- */

static int write_details(enum human_table kind, const struct grid *from,
    const char *title, FILE *out, struct error *err)
{
	struct grid table = GRID_INIT;
	int rc;

	if (!from->row_count)
		return 0;
	rc = human_table(kind, from, 0, &table, err);
	if (rc == 0) {
		fputs("<details>\n", out);
		html_element("summary", title, out);
		fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"",
		    out);
		html_text(title, out);
		fputs("\">\n", out);
		html_table_write(&table, out);
		fputs("</div>\n</details>\n", out);
	}
	grid_release(&table);
	return rc;
}

int page_details(const struct facts *facts, FILE *out, struct error *err)
{
	if (write_details(
	        HUMAN_STEPS, &facts->steps, "CPU time of each step", out, err))
		return -1;
	if (write_details(HUMAN_PHASES, &facts->phases,
	        "Activities of the threads", out, err))
		return -1;
	return write_details(HUMAN_HOSTS, &facts->hosts,
	    "Hosts that load at the same moment", out, err);
}
