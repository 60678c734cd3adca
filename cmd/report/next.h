/*
 * next.h - commands that presto prints for the user to run: right from the
 * folder that they are printed in, and no longer than that takes.
 */
#ifndef CMD_REPORT_NEXT_H
#define CMD_REPORT_NEXT_H

#include <stdint.h>

struct buf;
struct error;
struct evidence;
struct results;

/*
 * The options that name a session: " --db FILE" where the database is not the
 * default one, " --session N" where it is not the newest of it; else "".
 */
int next_options(struct buf *out, struct results *results, int64_t session,
    struct error *err);

/* The same of a report that was read from a file. */
int next_options_from(
    struct buf *out, const char *path, int64_t session, struct error *err);

/* What measures the same again, for longer. */
int next_measure(
    struct buf *out, const struct evidence *evidence, struct error *err);

#endif
