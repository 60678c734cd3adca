/*
 * session_host.h - the machine that a session runs on: the speed of its
 * storage, and disturbances of the trials.
 */
#ifndef STRATEGIES_SESSION_SESSION_HOST_H
#define STRATEGIES_SESSION_SESSION_HOST_H

#include "lib/measure/frequency.h"
#include "lib/measure/system.h"
#include "strategies/monitor/monitor.h"
#include "strategies/monitor/noise.h"

struct error;
struct reference;
struct session;
struct strategy;
struct trial;

struct session_host {
	struct machine machine;
	struct frequency frequency; /* when the session began */
	struct monitor *monitor;    /* owned; NULL: none */
	struct reference *workload; /* runs between epochs; owned */
	struct noise noise;
};

/*
 * Puts the known ceilings into the model.  Where there are none, those of the
 * work folder are measured if the session is long enough: that takes a
 * twentieth of its time, 10 s at most.  Without cold trials, and with an
 * emulated storage, none are needed.
 */
int session_host_learn_ceilings(struct session *session, struct error *err);

/* Monitors the machine from now on, and makes the reference workload. */
int session_host_monitor(struct session *session, struct error *err);
void session_host_release(struct session_host *host);

/*
 * Looks for what disturbed a trial that has ended, and stores its rate where it
 * read faster than the storage was known to.
 */
int session_host_judge(struct session *session, const struct strategy *strategy,
    struct trial *trial, struct error *err);
/*
 * Puts the ceilings that the trials of a group have raised into the model, for
 * the groups to come.  The forecasts of that group are those before its runs.
 */
int session_host_relearn_ceilings(struct session *session, struct error *err);
/* Warns of all disturbances. */
void session_host_tell(struct session *session);

#endif
