/*
 * sessions.h - the sessions of a study: ordinary ones, as presto profile makes
 * them, kept in the result database.  They measure every strategy.
 */
#ifndef CMD_STUDY_SESSIONS_H
#define CMD_STUDY_SESSIONS_H

#include <stdatomic.h>
#include <stdint.h>

#include "lib/syntax/option.h"

struct error;
struct study;

struct sessions_plan {       /* all borrowed */
	struct study *study; /* with its values; gets the points */
	char *const *paths;  /* pipelines: one, or those of the variants */
	unsigned path_count;
	const char *db, *work_dir;
	const char *runs;                /* NULL: as the file has it */
	const struct option_texts *sets; /* --set */
	double budget_s; /* for all sessions together; 0: as the file has it */
	const atomic_bool *stop;
};

/* Says what is wrong with the files and the values before all work. */
int sessions_check(const struct sessions_plan *plan, struct error *err);
/*
 * Runs the sessions, and adds what they measured.  After an error, the study
 * has what was measured until then.
 */
int sessions_run(const struct sessions_plan *plan, struct error *err);

#endif
