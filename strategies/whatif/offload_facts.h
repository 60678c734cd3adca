/*
 * offload_facts.h - the online work of a trial, divided at each point where
 * samples could be sent from one machine to another (offload.h).
 */
#ifndef STRATEGIES_WHATIF_OFFLOAD_FACTS_H
#define STRATEGIES_WHATIF_OFFLOAD_FACTS_H

#include <stdbool.h>

#include "lib/pipeline/pipeline.h"

struct session_work;
struct trial_work;

enum {
	/* Before all steps, and behind each. */
	OFFLOAD_POINTS = PIPELINE_STEPS + 1,
	OFFLOAD_NAME = 64,
};

/* CPU time before a point, and bytes sent there, of a sample. */
struct offload_place {
	char name[OFFLOAD_NAME];
	double cpu_s, bytes;
};

struct offload_facts {
	double all_s;
	double samples_per_s; /* here, as measured */
	double alone;         /* here, with more threads: as much or more */
	double capacity;      /* here, by the CPU: as much or more again */
	struct offload_place places[OFFLOAD_POINTS]; /* in their order */
	unsigned count;
};

/*
 * Makes the facts of a trial from its work, and that of its steps in the
 * session.  CPU time is that of the timed runs, divided as the traced pass
 * says.  `first` names what is read, before all steps.  `alone` and `capacity`
 * are what was delivered.  False when the CPU time is not known.
 */
bool offload_facts_make(struct offload_facts *facts, const char *first,
    const struct trial_work *trial, const struct session_work *work);

/*
 * Raises the capacity by the cores that were idle.  Cores taken by other
 * programs are not idle.  A trial that waits for its storage has CPU time to
 * spare, but more threads do not make it faster; a trial with as many threads
 * as cores has used all of them.
 */
void offload_use_idle(struct offload_facts *facts, double threads, double cores,
    double others_cores, bool waits_for_storage);

#endif
