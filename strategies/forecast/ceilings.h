/*
 * ceilings.h - ceilings of the storage: the fastest rates that it reads at.
 * They are measured once a day (UTC) for each device, and kept in the database.
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
	char device[CEILING_DEVICE]; /* "": not known */
	struct ceiling list[CEILINGS_MOST];
	size_t count; /* 0: nothing is known */
};

/* Reads today's ceilings of the device that holds `path`; there may be none. */
int ceilings_read(struct results *results, const char *path,
    struct ceilings *ceilings, struct error *err);
/* Stores the rows of a probe, except those that were warm on purpose. */
int ceilings_store(
    struct results *results, const struct probe *probe, struct error *err);

/*
 * Reads today's ceilings. If there are none, they are measured in `work_dir`
 * with 1 and with `threads` threads, and stored; that takes about `budget_s`
 * seconds and at most 256 MB. With less than half a second, or without room on
 * the disk, there are none.
 */
int ceilings_of(struct results *results, const char *work_dir, unsigned threads,
    double budget_s, const atomic_bool *stop, struct ceilings *ceilings,
    struct error *err);

/*
 * Finds the ceiling for a pattern and a number of threads: the same number,
 * else the next larger one, else the fastest of the smaller ones. NULL: the
 * pattern was not measured.
 */
const struct ceiling *ceilings_find(const struct ceilings *ceilings,
    enum ceiling_pattern pattern, unsigned threads);

#endif
