/*
 * report_columns.h - the columns of a report and their valid values.  Every
 * report that is read from a file is checked against this table before anything
 * is decided by it.
 *
 * Unknown columns come from a newer presto and are ignored.
 */
#ifndef CMD_WRITERS_REPORT_COLUMNS_H
#define CMD_WRITERS_REPORT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct grid;

/* A report that was read. */
struct report_file {
	const char *path;
	bool is_json; /* rows are items of "trials" */
};

/* Is there a column of this name? */
bool report_column_is_known(const char *name);

/*
 * Checks that every figure is valid for its column, that every trial has a name
 * and occurs once, and that each median is within its interval.  An empty
 * figure was not measured.  Errors (ERROR_DATA) name file, row and column, and
 * what was expected: "a.csv: row 3, column prep_s must be a number from 0 on,
 * got '-1'".
 */
int report_columns_check(const struct report_file *file,
    const struct grid *trials, struct error *err);

/* Checks the session and the machine of a report in JSON in the same way. */
int report_columns_check_session(const struct report_file *file,
    const struct grid *session, struct error *err);

#endif
