/* table.c - see table.h. */
#include "cmd/probe/table.h"

#include "cmd/program/terminal.h"
#include "cmd/program/wrap.h"
#include "cmd/writers/markdown.h"
#include "cmd/writers/table.h"

size_t probe_table(const char *title, const struct grid *grid,
    const struct table_column *columns, bool markdown, FILE *out)
{
	const struct table_page narrow = { .width = terminal_columns(out),
		.columns = columns,
		.all = "--format csv" };

	if (markdown) {
		fputs("### ", out);
		markdown_write_text(title, out);
	} else {
		wrap_write(title, 0, 2, narrow.width, out);
	}
	fputs("\n\n", out);
	if (markdown)
		markdown_write(grid, out);
	else
		table_write_page(grid, &narrow, out);
	fputc('\n', out);
	return narrow.width;
}
