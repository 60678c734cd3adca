/*
 * group.h - strategies whose data fits on the disk together: all are prepared
 * and checked, then the runs of all their trials are interleaved in rounds.
 */
#ifndef STRATEGIES_SESSION_GROUP_H
#define STRATEGIES_SESSION_GROUP_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct session;
struct strategy;

/*
 * Measures the strategies, and removes their data.  No run begins that would
 * end after `deadline_ns`; 0: none.
 */
int group_measure(struct session *session, const struct strategy *strategies,
    size_t count, uint64_t deadline_ns, struct error *err);

#endif
