/*
 * head.h - what a report says of its session before the table: data,
 * machine, storage, how it was loaded, what the time went to, and how well
 * the throughputs were predicted.
 */
#ifndef CMD_REPORT_HEAD_H
#define CMD_REPORT_HEAD_H

struct error;
struct grid;
struct report_page;
struct session_record;

/*
 * `raw` has rows of the session, with threads and cache; of predictions nothing
 * is said where it is not of trials.
 */
int report_head_lines(const struct report_page *page,
    const struct session_record *record, const struct grid *raw,
    struct error *err);

#endif
