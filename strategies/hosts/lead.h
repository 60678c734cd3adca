/*
 * lead.h - rank 0 of presto profile --together: it prepares the data, decides
 * which trial is run, and has the other processes run it at the same moment.
 *
 * Each run is made by 1 host, by 2, by 4 and so on, and by all.  The one of all
 * gives the figures of the trial; the others show how the storage scales.
 */
#ifndef STRATEGIES_HOSTS_LEAD_H
#define STRATEGIES_HOSTS_LEAD_H

#include <stddef.h>
#include <stdint.h>

#include "strategies/trial/together.h"

struct error;
struct medium;
struct trial;

/* A trial that the others have opened. */
struct led_trial {
	const struct trial *trial; /* borrowed; NULL: closed */
	uint32_t number;
};

struct lead {
	struct together together; /* no meeting: this process is alone */
	struct led_trial *trials; /* owned */
	size_t count, capacity;
	uint32_t numbers;  /* given so far */
	char *limits_path; /* file of shared limits; owned; NULL: none */
};

/*
 * Begins; `dir` is the folder of the meeting.  An emulated storage is shared,
 * which needs one machine: ERROR_USAGE if there are several.
 */
int lead_begin(struct lead *lead, struct meeting *meeting, const char *dir,
    struct medium *medium, struct error *err);
/* Ends the work of the others, if there are any. */
int lead_end(struct lead *lead, struct error *err);
/* Frees what it owns, and removes its file. */
void lead_release(struct lead *lead);

/*
 * Runs the trial with 1, 2, 4, ... and all hosts, or once where this process is
 * alone.  `dir`: its data; NULL: the dataset.
 */
int lead_run(
    struct lead *lead, struct trial *trial, const char *dir, struct error *err);
/* Has the others close the trial, if they have opened it. */
int lead_close(struct lead *lead, const struct trial *trial, struct error *err);

#endif
