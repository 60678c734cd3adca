/*
 * ceilings.h - what the storage in use can do: measured once a device and day
 * (UTC), and kept in the result database.
 */
#ifndef STRATEGIES_FORECAST_CEILINGS_H
#define STRATEGIES_FORECAST_CEILINGS_H

#include <stdatomic.h>
#include <stddef.h>

#include "lib/measure/ceiling.h"

struct error;
struct probe;
struct results;

enum { CEILINGS_MOST = 64 };

struct ceilings {
	char device[CEILING_DEVICE]; /* "" when it is not known */
	struct ceiling list[CEILINGS_MOST];
	size_t count; /* 0: not known */
};

/* Today's of the device that `path` is on; none is fine. */
int ceilings_read(struct results *results, const char *path,
    struct ceilings *ceilings, struct error *err);
/* Keeps the rows of a probe, but those that were warm on purpose. */
int ceilings_store(
    struct results *results, const struct probe *probe, struct error *err);

/*
 * Today's; where there are none they are measured in `work_dir` with 1 and
 * `threads` threads, in about `budget_s` seconds, with at most 256 MB, and
 * kept.  Without the room for it, or less than half a second, there are none.
 */
int ceilings_of(struct results *results, const char *work_dir, unsigned threads,
    double budget_s, const atomic_bool *stop, struct ceilings *ceilings,
    struct error *err);

/*
 * The one to hold a reading with so many threads against: that of as many,
 * else of the next more, else the fastest of fewer; NULL: none of the pattern.
 */
const struct ceiling *ceilings_find(const struct ceilings *ceilings,
    enum ceiling_pattern pattern, unsigned threads);

#endif
