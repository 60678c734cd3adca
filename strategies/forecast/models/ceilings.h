/*
 * ceilings.h - the most that each storage was seen to give to so many threads.
 *
 * Probes measure it, and trials that read cold data faster than the probes did
 * raise it: a storage that gave 2 GB/s once can give 2 GB/s.  A trial's rate
 * alone is no ceiling, since something else may have held the trial back.
 *
 * The database keeps these rates for a day, for a device as one boot of one
 * machine sees it.  Another boot or machine, and an older rate, count for
 * nothing: the same name may be another disk, and the speed of a shared
 * storage changes within a day.
 */
#ifndef STRATEGIES_FORECAST_MODELS_CEILINGS_H
#define STRATEGIES_FORECAST_MODELS_CEILINGS_H

#include <stdatomic.h>
#include <stddef.h>

#include "lib/measure/storage/ceiling.h"

struct error;
struct probe;
struct results;

enum { CEILINGS_MOST = 192 };

struct ceilings {
	struct ceiling_place place;
	struct ceiling list[CEILINGS_MOST];
	size_t count; /* 0: nothing is known */
};

/* Reads the ceilings of the device that holds `path`; there may be none. */
int ceilings_read(struct results *results, const char *path,
    struct ceilings *ceilings, struct error *err);
/* Stores the rows of a probe, except those that were warm on purpose. */
int ceilings_store(
    struct results *results, const struct probe *probe, struct error *err);

/*
 * Reads the ceilings.  If there is no probe with 1 and with `threads` threads,
 * these are measured in `work_dir`, and stored; that takes about `budget_s`
 * seconds and at most 256 MB.  With less than half a second, or without room on
 * the disk, they are not.
 */
int ceilings_of(struct results *results, const char *work_dir, unsigned threads,
    double budget_s, const atomic_bool *stop, struct ceilings *ceilings,
    struct error *err);

/*
 * Finds the highest rate of a pattern with at most so many threads, of probes
 * and of trials.  Cold rates come first; if all probes used more threads, those
 * with the fewest count.  NULL: no probe measured the pattern.
 */
const struct ceiling *ceilings_find(const struct ceilings *ceilings,
    enum ceiling_pattern pattern, unsigned threads);

/* The cold reading of a trial. */
struct ceilings_reading {
	unsigned threads;
	double bytes_per_s;    /* in its fastest run; 0: nothing is known */
	double requests_per_s; /* in the same run; 0: not known */
};

/* Are its requests as small as those of the small files of a probe? */
bool ceilings_are_small(
    const struct ceilings_reading *reading, const struct ceiling *files);

/* Returns how many times faster than its ceiling it was; 0: it was not. */
double ceilings_passed(
    const struct ceilings *ceilings, const struct ceilings_reading *reading);
/*
 * Stores the rates that pass their ceilings.  `ceilings` stay as they are, so
 * that a forecast is not made from what it forecasts: read them again.
 */
int ceilings_raise(struct results *results, const struct ceilings *ceilings,
    const struct ceilings_reading *reading, struct error *err);

#endif
