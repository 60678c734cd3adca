/*
 * trial_order.h - the order of trials for people: by place, so trials with a
 * rank come first; then the others, as they were measured.
 */
#ifndef CMD_REPORT_TRIAL_ORDER_H
#define CMD_REPORT_TRIAL_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct grid;

/* The session's rows (0: all) in that order, *count of them; owned, or NULL. */
size_t *trial_order(const struct grid *report, int64_t session, size_t *count,
    struct error *err);

#endif
