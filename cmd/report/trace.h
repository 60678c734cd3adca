/*
 * trace.h - the events of traced epochs as JSON in the form of Chrome traces,
 * which chrome://tracing, Perfetto and others show as lanes of threads.
 */
#ifndef CMD_REPORT_TRACE_H
#define CMD_REPORT_TRACE_H

#include <stdint.h>
#include <stdio.h>

struct error;
struct results;

/*
 * Writes the trials of a strategy whose events were kept, each as a process,
 * the best rank first.  `strategy` NULL: the best of all, and unprocessed for
 * comparison.  ERROR_USAGE: nothing of it was kept.
 */
int report_trace(struct results *results, int64_t session, const char *strategy,
    FILE *out, struct error *err);

#endif
