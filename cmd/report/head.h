/*
 * head.h - the lines of a report above its table: data, machine, storage, how
 * the data was loaded, how the time was spent, and the error of the forecast.
 */
#ifndef CMD_REPORT_HEAD_H
#define CMD_REPORT_HEAD_H

struct error;
struct grid;
struct report_page;
struct session_record;

/* `raw` has rows of the session; trials also get lines of the forecast. */
int report_head_lines(const struct report_page *page,
    const struct session_record *record, const struct grid *raw,
    struct error *err);

#endif
