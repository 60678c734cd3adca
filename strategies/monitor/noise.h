/*
 * noise.h - finds disturbances that may make the figures of a session wrong.
 *
 * Trials are added as they end, and judged by their rows alone. For each kind
 * of disturbance, the number of trials that it hit and the worst of them are
 * kept. noise_report.h says them at the end.
 */
#ifndef STRATEGIES_MONITOR_NOISE_H
#define STRATEGIES_MONITOR_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/db/results.h"
#include "lib/measure/storage/residency.h"

struct noise_trial {       /* all borrowed for the call */
	const char *label; /* the strategy's */
	unsigned threads;
	enum cache_mode cache;
	const char *filesystem;     /* holds its data: "ext4 on /dev/vda" */
	const struct run_row *runs; /* in order of time */
	size_t run_count;
	double passes; /* how many times its ceiling; 0: slower */
	bool waits;    /* its bottleneck is the storage */
	bool beaten;   /* few runs were enough to tell: a search ended it */
	/* How cold its cold epochs were; NULL: not known. */
	const struct residency *residency;
};

enum noise_kind {
	NOISE_OTHERS,   /* cores that other programs used */
	NOISE_STOLEN,   /* cores that the host took */
	NOISE_SHORT,    /* seconds of a run */
	NOISE_FEW,      /* number of runs */
	NOISE_WIDE,     /* half the interval over the median */
	NOISE_RESIDENT, /* percent in memory before a cold run */
	NOISE_UNSEEN,   /* it is not known whether a cold run was cold */
	NOISE_HOST,     /* later cold runs, times faster than the first */
	NOISE_EARLY,    /* times faster in the first part of cold epochs */
	NOISE_CEILING,  /* times faster than the measured storage */
	NOISE_KINDS
};

struct noise_found { /* trials with one kind of disturbance */
	unsigned trials;
	double worst;
	char name[RESULTS_LABEL + 48]; /* the worst trial */
	char filesystem[128];
	char unseen[LAYERS_TEXT]; /* the layer that could not be seen */
	/* Cores taken, over all disturbed trials: their time and that of the
	 * runs. */
	double taken_s, wall_s;
};

struct noise {          /* starts as all 0 */
	unsigned cores; /* usable cores; set before the first trial */
	bool emulated;  /* the storage is emulated, so no host caches it */
	unsigned trials;
	struct noise_found found[NOISE_KINDS];
};

/* The largest half interval, over the median, that is precise enough. */
extern const double noise_widest;

void noise_add(struct noise *noise, const struct noise_trial *trial);

/*
 * Limits `taken` to `cores`. In a short span, ticks count too much (cores.h),
 * but others cannot take more cores than there are. NAN stays NAN.
 */
double noise_cores_taken(double taken, double cores);
/* Cores that other programs may use before they disturb a trial. */
double noise_others_limit(unsigned cores, enum cache_mode cache);
/* Is a run so short that starting threads and reading the clock count? */
bool noise_is_short(double run_s);

#endif
