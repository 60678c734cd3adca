/* markdown.c - see markdown.h. */
#include "cmd/writers/markdown.h"

#include <string.h>
#include <strings.h>

#include "cmd/writers/table.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/db/grid.h"
#include "lib/syntax/markdown.h"

/* Is it markup, or text that readers turn into a link, such as "http://"? */
static bool is_markup(const char *begin, const char *at)
{
	if (*at == ':')
		return strncmp(at, "://", 3) == 0;
	if (*at == '.')
		return at - begin >= 3 && strncasecmp(at - 3, "www", 3) == 0;
	return strchr("\\|*_`~<>[]&", *at);
}

void markdown_write_text(const char *text, FILE *out)
{
	const char *end = text + strlen(text);
	struct printable is;

	for (const char *at = text; printable_next(at, end, &is);
	     at += is.took) {
		if (is.text != at || is_markup(text, at))
			fputc('\\', out);
		fwrite(is.text, 1, is.len, out);
	}
}

/* Writes nothing if there is no memory: half a command would be harmful. */
void markdown_write_code(const char *text, FILE *out)
{
	struct error ignored = ERROR_INIT;
	struct buf code = BUF_INIT;

	if (markdown_code(&code, text, &ignored) == 0)
		fwrite(code.data, 1, code.len, out);
	buf_release(&code);
}

void markdown_write_item(const char *name, const char *text, FILE *out)
{
	fputs("- ", out);
	markdown_write_text(name, out);
	fputs(": ", out);
	markdown_write_text(text, out);
	fputc('\n', out);
}

static void write_cell(const char *text, FILE *out)
{
	fputc(' ', out);
	markdown_write_text(text, out);
	fputs(" |", out);
}

static void write_header(const struct grid *grid, FILE *out)
{
	fputc('|', out);
	for (size_t i = 0; i < grid->column_count; i++)
		if (!table_is_empty(grid, i))
			write_cell(grid->columns[i], out);
	fputs("\n|", out);
	for (size_t i = 0; i < grid->column_count; i++)
		if (!table_is_empty(grid, i))
			fputs(
			    table_is_numeric(grid, i) ? "---:|" : "---|", out);
	fputc('\n', out);
}

void markdown_write(const struct grid *grid, FILE *out)
{
	char buffer[VALUE_TEXT_SIZE];

	write_header(grid, out);
	for (size_t row = 0; row < grid->row_count; row++) {
		fputc('|', out);
		for (size_t i = 0; i < grid->column_count; i++)
			if (!table_is_empty(grid, i))
				write_cell(value_print(grid_value(grid, row, i),
				               buffer),
				    out);
		fputc('\n', out);
	}
}
