/*
 * next.h - commands that presto suggests.  They can be run in the current
 * folder as they are printed, and are no longer than necessary.
 */
#ifndef CMD_REPORT_NEXT_H
#define CMD_REPORT_NEXT_H

#include <stdint.h>

struct buf;
struct error;
struct session_data;
struct results;

/* Adds " --db FILE" and " --session N", unless they are the defaults. */
int next_options(struct buf *out, struct results *results, int64_t session,
    struct error *err);

/* The same for a report that was read from a file. */
int next_options_from(
    struct buf *out, const char *path, int64_t session, struct error *err);

/* Adds the command that measures the same again, for longer. */
int next_measure(
    struct buf *out, const struct session_data *data, struct error *err);

#endif
