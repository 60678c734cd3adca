/*
 * read.h - reads a report in CSV or JSON that `presto report` wrote, and checks
 * all its figures (report_columns.h).
 */
#ifndef CMD_REPORT_READ_H
#define CMD_REPORT_READ_H

struct buf;
struct error;
struct json_report;

enum {
	REPORT_TRIALS = 10000
}; /* most trials that are ranked in acceptable time */

/*
 * Reads a report from a text, which it terminates.  CSV has only trials.
 * Errors (ERROR_DATA) name `path`, and row and column of an invalid figure.
 */
int report_read(const struct json_report *report, const char *path,
    struct buf *text, struct error *err);

#endif
