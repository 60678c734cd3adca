/*
 * noise_report.h - says what disturbed a session, and what to do about it: one
 * sentence for each kind of disturbance.
 */
#ifndef STRATEGIES_MONITOR_NOISE_REPORT_H
#define STRATEGIES_MONITOR_NOISE_REPORT_H

#include <stdbool.h>

#include "lib/db/results.h"
#include "lib/measure/frequency.h"

struct noise;

struct noise_machine {
	const char *virtual; /* "KVM"; "" */
	struct frequency before, after;
	bool monitored; /* `runs`, the mean over all timed runs, is known */
	struct system_rates runs;
};

/* note: worth knowing; warn: the user should do something. */
struct noise_listener {
	void (*note)(void *arg, const char *text);
	void (*warn)(void *arg, const char *text);
	void *arg;
};

void noise_tell(const struct noise *noise, const struct noise_machine *machine,
    const struct noise_listener *listener);

#endif
