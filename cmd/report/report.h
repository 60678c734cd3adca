/* report.h - prints a session as a table for people, or as JSON. */
#ifndef CMD_REPORT_REPORT_H
#define CMD_REPORT_REPORT_H

#include <stdint.h>
#include <stdio.h>

struct error;
struct results;

/* "schema_version"; it changes if a column changes its meaning. */
enum { REPORT_SCHEMA = 1 };

/* Prints the session, its trials by rank, and why some failed. */
int report_print(
    struct results *results, int64_t session, FILE *out, struct error *err);

/* Prints everything about the session (0: all sessions, as an array). */
int report_print_json(
    struct results *results, int64_t session, FILE *out, struct error *err);

#endif
