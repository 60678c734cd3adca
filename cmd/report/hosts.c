/* hosts.c - see hosts.h. */
#include "cmd/report/hosts.h"

#include "cmd/program/terminal.h"
#include "cmd/report/human.h"
#include "cmd/report/page.h"
#include "cmd/writers/format.h"
#include "cmd/writers/table.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "strategies/figures/host_figures.h"

int report_hosts_read(struct results *results, int64_t session,
    struct grid *grid, struct error *err)
{
	struct grid rows = GRID_INIT;
	int rc = results_read(results, RESULTS_HOSTS, session, &rows, err);

	if (rc == 0)
		rc = host_figures_table(
		    &rows, results_hides(results), grid, err);
	grid_release(&rows);
	return rc;
}

static int print(
    const struct report_page *page, const struct grid *table, struct error *err)
{
	struct table_column columns[TABLE_COLUMNS];
	const struct table_page narrow = {
		.width = page->markdown ? 0 : terminal_columns(page->out),
		.columns = columns,
		.all = "--what hosts --format csv",
	};

	fputs("\nHosts that load at the same moment:\n\n", page->out);
	if (page->markdown)
		return format_write(FORMAT_MARKDOWN, table, page->out, err);
	human_fit(HUMAN_HOSTS, columns);
	table_write_page(table, &narrow, page->out);
	return 0;
}

int report_hosts_print(
    const struct report_page *page, int64_t session, struct error *err)
{
	struct grid grid = GRID_INIT, table = GRID_INIT;
	int rc = report_hosts_read(page->results, session, &grid, err);

	if (rc == 0 && grid.row_count > 0) {
		rc = human_table(HUMAN_HOSTS, &grid, session, &table, err);
		if (rc == 0)
			rc = print(page, &table, err);
	}
	grid_release(&table);
	grid_release(&grid);
	return rc;
}
