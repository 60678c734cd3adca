/*
 * drift.h - says how many trials drift, or have too few runs to tell, and the
 * command that measures longer.
 */
#ifndef CMD_REPORT_DRIFT_H
#define CMD_REPORT_DRIFT_H

#include <stdint.h>

struct error;
struct report_page;

/* Prints nothing if no trial does, by lib/stats/dependence.h. */
int report_page_drift(
    const struct report_page *page, int64_t session, struct error *err);

#endif
