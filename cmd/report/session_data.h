/*
 * session_data.h - the session that a recommendation is made for, read from the
 * database or from a report in CSV or JSON.
 */
#ifndef CMD_REPORT_SESSION_DATA_H
#define CMD_REPORT_SESSION_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/db/grid.h"
#include "strategies/decide/advice.h"
#include "strategies/decide/rank.h"
#include "strategies/figures/work.h"

struct error;
struct results;
struct stock_reader;

struct session_data {
	struct grid trials;          /* the columns of v_report, perhaps more */
	struct figures_list figures; /* the same, typed; texts are the grid's */
	/* CPU time by trial and step; a report has none. */
	struct session_work work;
	struct grid warnings; /* column "text": told while profiling */
	int64_t session;      /* its number; 0: it has none */
	char *pipeline;       /* path of its file, or a placeholder */
	char *last_split;     /* "" when not known */
	/* The reader that the pipeline file wants; NULL: any stock reader. */
	const struct stock_reader *reader;
	double tolerance_db; /* of its section [decision]; 0: none */
	/* The objective and the constraints of the pipeline file. */
	struct request decision;
	/* Options that name the session to other commands (next.h). */
	char *options;
	double elapsed_s; /* time of the session; NAN: not known */
	bool hides;       /* set before reading: leave out what is private */
	bool is_kept;     /* the database has the pipeline file as it was */
	struct surroundings surroundings; /* points to last_split */
};

#define SESSION_DATA_INIT            \
	{                            \
		.trials = GRID_INIT, \
	}

int session_data_from_results(struct session_data *data,
    struct results *results, int64_t session, struct error *err);
/* `session` 0: the newest in the file. */
int session_data_from_file(struct session_data *data, const char *path,
    int64_t session, struct error *err);
/*
 * Completes a request with the memory, the reader and the tolerance of the
 * session, and with its decision unless options gave one.
 */
void session_data_complete(
    const struct session_data *data, struct request *request);
void session_data_release(struct session_data *data);

#endif
