/*
 * noise.h - what may have bent the figures of a session, said in sentences
 * that tell what to do about it.
 *
 * Trials are added when they end, and judged by their rows alone; at the end
 * each kind of trouble is told once, with the number of trials that it hit and
 * the worst of them.  A quiet machine is told nothing but that it is virtual.
 */
#ifndef STRATEGIES_SESSION_NOISE_H
#define STRATEGIES_SESSION_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/db/results.h"
#include "lib/measure/frequency.h"

struct noise_trial {       /* all borrowed for the call */
	const char *label; /* of the strategy */
	unsigned threads;
	enum cache_mode cache;
	const char *filesystem; /* of the data it reads: "ext4 on /dev/vda" */
	const struct run_row *runs; /* in the order they were made */
	size_t run_count;
	double passes; /* times its ceiling; 0: it is slower than that */
};

enum noise_kind {
	NOISE_OTHERS,   /* other programs: cores */
	NOISE_STOLEN,   /* by the host: cores */
	NOISE_SHORT,    /* runs: seconds */
	NOISE_FEW,      /* runs */
	NOISE_WIDE,     /* interval: half of it, of the median */
	NOISE_RESIDENT, /* before a cold run: percent */
	NOISE_HOST,     /* cold runs faster than the first: times */
	NOISE_CEILING,  /* faster than the storage was measured: times */
	NOISE_KINDS
};

struct noise_found { /* of one kind */
	unsigned trials;
	double worst;
	char name[RESULTS_LABEL + 48]; /* of the trial that has it */
	char filesystem[128];
};

struct noise {          /* starts as all 0 */
	unsigned cores; /* that can be used; set before the first trial */
	bool emulated;  /* a storage: its speed is no host's */
	unsigned trials;
	struct noise_found found[NOISE_KINDS];
	double others_s, stolen_s; /* of the trials where it is too much */
	double others_wall_s, stolen_wall_s;
};

void noise_add(struct noise *noise, const struct noise_trial *trial);

/*
 * Cores that were taken, of so many.  Ticks count too much in a short span
 * (cores.h), but no more cores can be taken than there are.  NAN stays so.
 */
double noise_cores_taken(double taken, double cores);
/* Cores that other programs may take of a trial before it is disturbed. */
double noise_others_limit(unsigned cores, enum cache_mode cache);
/* Does starting threads, and reading the clock, count in a run so short? */
bool noise_is_short(double run_s);

struct noise_machine {
	const char *virtual; /* "KVM"; "" */
	struct frequency before, after;
	bool watched; /* `runs` is known: the mean over all timed runs */
	struct system_rates runs;
};

/* note: what one should know; warn: what one should do something about. */
struct noise_listener {
	void (*note)(void *arg, const char *text);
	void (*warn)(void *arg, const char *text);
	void *arg;
};

void noise_tell(const struct noise *noise, const struct noise_machine *machine,
    const struct noise_listener *listener);

#endif
