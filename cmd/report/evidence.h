/*
 * evidence.h - what a recommendation rests on: the trials of a session, from
 * the database or from a report in CSV or JSON.
 */
#ifndef CMD_REPORT_EVIDENCE_H
#define CMD_REPORT_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/db/grid.h"
#include "strategies/decide/advice.h"
#include "strategies/figures/work.h"

struct error;
struct request;
struct results;
struct stock_reader;

struct evidence {
	struct grid trials;          /* the columns of v_report, perhaps more */
	struct figures_list figures; /* of all trials; texts are the grid's */
	/* Of each trial and step; empty for a report, which has none. */
	struct session_work work;
	struct grid
	    warnings;     /* "text": what the user was told while profiling */
	int64_t session;  /* which of them; 0: not numbered */
	char *pipeline;   /* the path of its file, as well as is known */
	char *last_split; /* "" when not known */
	/* That the pipeline file asks for; NULL: any stock reader. */
	const struct stock_reader *reader;
	/* That name the session to other commands (next.h); "" of a report. */
	char *options;
	double elapsed_s; /* that the session took; NAN: not known */
	/* Set before it is read from a file: nothing private; see private.h. */
	bool hides;
	bool is_kept; /* the database has the pipeline file as it was */
	struct surroundings surroundings; /* points to last_split */
};

#define EVIDENCE_INIT                \
	{                            \
		.trials = GRID_INIT, \
	}

int evidence_from_results(struct evidence *evidence, struct results *results,
    int64_t session, struct error *err);
/* `session` 0: the newest that is in the file. */
int evidence_from_file(struct evidence *evidence, const char *path,
    int64_t session, struct error *err);
/* Adds to a request what only the evidence knows, and it does not say itself.
 */
void evidence_complete(
    const struct evidence *evidence, struct request *request);
void evidence_release(struct evidence *evidence);

#endif
