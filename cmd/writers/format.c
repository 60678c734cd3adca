/* format.c - see format.h. */
#include "cmd/writers/format.h"

#include "cmd/writers/csv.h"
#include "cmd/writers/html_table.h"
#include "cmd/writers/json.h"
#include "cmd/writers/markdown.h"
#include "cmd/writers/table.h"

int format_count(const struct format_args *args)
{
	return args->csv + args->json + args->markdown +
	       (args->word != FORMAT_NOT_GIVEN);
}

enum format format_of(const struct format_args *args)
{
	if (args->csv)
		return FORMAT_CSV;
	if (args->json)
		return FORMAT_JSON;
	if (args->markdown)
		return FORMAT_MARKDOWN;
	return args->word == FORMAT_NOT_GIVEN ? FORMAT_TEXT
	                                      : (enum format)args->word;
}

/* The writers that cannot fail. */
static void (*const writers[])(const struct grid *grid, FILE *out) = {
	[FORMAT_TEXT] = table_write,
	[FORMAT_CSV] = csv_write,
	[FORMAT_MARKDOWN] = markdown_write,
	[FORMAT_HTML] = html_table_write,
};

int format_write(
    enum format format, const struct grid *grid, FILE *out, struct error *err)
{
	if (format == FORMAT_JSON)
		return json_write_grid(grid, out, err);
	writers[format](grid, out);
	return 0;
}
