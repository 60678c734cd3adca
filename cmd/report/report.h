/*
 * report.h - what a session measured, as a table for people; profile ends
 * with it.
 */
#ifndef CMD_REPORT_REPORT_H
#define CMD_REPORT_REPORT_H

#include <stdint.h>
#include <stdio.h>

struct error;
struct results;

/* "schema_version": another one where what is there means something else. */
enum { REPORT_SCHEMA = 1 };

/*
 * What was measured where, the trials by rank, and why some failed; not what
 * was warned of, which profile has just told.
 */
int report_print(
    struct results *results, int64_t session, FILE *out, struct error *err);

/* Everything that is known of the sessions (0: of all, as an array). */
int report_print_json(
    struct results *results, int64_t session, FILE *out, struct error *err);

#endif
