/* html_table.c - see html_table.h. */
#include "cmd/writers/html_table.h"

#include "cmd/html/html.h"
#include "cmd/writers/table.h"
#include "lib/db/grid.h"

static void write_column(
    const struct grid *grid, size_t column, bool sorts, FILE *out)
{
	fprintf(out, "<th scope=\"col\"%s%s>",
	    table_is_numeric(grid, column) ? " class=\"number\"" : "",
	    sorts ? " data-sorts" : "");
	html_text(grid->columns[column], out);
	fputs("</th>\n", out);
}

void html_table_head(const struct grid *grid, bool sorts, FILE *out)
{
	fputs("<thead>\n<tr>\n", out);
	for (size_t i = 0; i < grid->column_count; i++)
		if (!table_is_empty(grid, i))
			write_column(grid, i, sorts, out);
	fputs("</tr>\n</thead>\n", out);
}

static void write_row(const struct grid *grid, size_t row, FILE *out)
{
	fputs("<tr>", out);
	for (size_t i = 0; i < grid->column_count; i++) {
		if (table_is_empty(grid, i))
			continue;
		fputs(table_is_numeric(grid, i) ? "<td class=\"number\">"
		                                : "<td>",
		    out);
		html_text(grid_text(grid, row, grid->columns[i]), out);
		fputs("</td>", out);
	}
	fputs("</tr>\n", out);
}

void html_table_write(const struct grid *grid, FILE *out)
{
	fputs("<table>\n", out);
	html_table_head(grid, false, out);
	fputs("<tbody>\n", out);
	for (size_t i = 0; i < grid->row_count; i++)
		write_row(grid, i, out);
	fputs("</tbody>\n</table>\n", out);
}
