/*
 * read.h - reads a report that `presto report` wrote, in CSV or JSON,
 * and checks all of its figures (report_columns.h).
 */
#ifndef CMD_REPORT_READ_H
#define CMD_REPORT_READ_H

struct buf;
struct error;
struct json_report;

enum { REPORT_TRIALS = 10000 }; /* that are ranked while one waits */

/*
 * From a text, which is terminated by this.  CSV has trials only.  Errors
 * (ERROR_DATA) name `path`, and row and column of a figure that cannot be.
 */
int report_read(const struct json_report *report, const char *path,
    struct buf *text, struct error *err);

#endif
