/* read.c - see read.h. */
#include "cmd/report/read.h"

#include <stdbool.h>
#include <string.h>

#include "cmd/report/report.h"
#include "cmd/writers/csv.h"
#include "cmd/writers/json.h"
#include "cmd/writers/report_columns.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"

static int check_schema(
    const struct grid *grid, const char *path, struct error *err)
{
	for (size_t i = 0; i < grid->row_count; i++) {
		const double version = grid_number(grid, i, "schema_version");

		if (version < REPORT_SCHEMA || version > REPORT_SCHEMA)
			return error_set(err, ERROR_DATA,
			    "%s: its schema_version is %g, and this presto "
			    "reads %d: use a newer presto",
			    path, version, REPORT_SCHEMA);
	}
	return 0;
}

static int check_columns(
    const struct grid *trials, const char *path, struct error *err)
{
	static const char *const needed[] = { "strategy", "split", "status",
		"throughput_samples_per_s", "prep_s", "storage_bytes" };

	for (size_t i = 0; i < ARRAY_LEN(needed); i++)
		if (grid_column(trials, needed[i]) < 0)
			return error_set(err, ERROR_DATA,
			    "%s: column '%s' is missing; the file must come "
			    "from 'presto report --csv' or --json",
			    path, needed[i]);
	if (!trials->row_count)
		return error_set(
		    err, ERROR_DATA, "%s: there are no trials", path);
	if (trials->row_count > REPORT_TRIALS)
		return error_set(err, ERROR_DATA,
		    "%s: has %zu trials, more than %d: leave out trials that "
		    "you would not choose",
		    path, trials->row_count, REPORT_TRIALS);
	return 0;
}

/* Skips the byte order mark that some editors write. */
static const char *skip_mark(const char *text)
{
	return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
}

static bool is_json(const char *text)
{
	text += strspn(text, " \t\r\n");
	return *text == '{' || *text == '[';
}

int report_read(const struct json_report *report, const char *path,
    struct buf *text, struct error *err)
{
	struct report_file file = { .path = path };
	const char *begin;

	/* Text after a zero byte would be ignored. */
	if (text->len && memchr(text->data, '\0', text->len))
		return error_set(err, ERROR_DATA,
		    "%s: has a zero byte: not a report in CSV or JSON", path);
	if (buf_append(text, "", 1, err))
		return -1;
	begin = skip_mark((const char *)text->data);
	file.is_json = is_json(begin);
	if (file.is_json ? json_read_report(report, path, begin, err)
	                 : csv_read(report->trials, path, begin, err))
		return -1;
	/* Mistakes that concern the whole file are found first. */
	if (check_schema(report->session, path, err) ||
	    check_schema(report->trials, path, err) ||
	    check_columns(report->trials, path, err) ||
	    report_columns_check_session(&file, report->session, err))
		return -1;
	return report_columns_check(&file, report->trials, err);
}
