/*
 * report_columns.h - what the figures of a report may be: a table of the
 * columns that `presto report` writes, by which every report that is read is
 * checked before anything is decided on it.
 *
 * Columns that are not in the table are those of a newer presto, and left out.
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
	bool is_json; /* a row is an item of "trials" */
};

/* Is there a column of this name? */
bool report_column_is_known(const char *name);

/*
 * Every figure is what its column holds, every trial has a name, none is there
 * twice, and no median is outside its interval.  Nothing is a figure that was
 * not measured.  Errors (ERROR_DATA) name file, row and column, and what was
 * expected: "a.csv: row 3, column prep_s must be a number from 0 on, got '-1'".
 */
int report_columns_check(const struct report_file *file,
    const struct grid *trials, struct error *err);

/* The same of what a report in JSON says of its session and machine. */
int report_columns_check_session(const struct report_file *file,
    const struct grid *session, struct error *err);

#endif
