/* work.c - see work.h. */
#include "strategies/figures/work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/db/results_read.h"

const char *const activity_names[ACTIVITIES] = { "fetch", "decode", "steps",
	"batch" };

static double number_or_0(
    const struct grid *rows, size_t row, const char *column)
{
	return fmax(grid_number(rows, row, column), 0); /* NAN: 0 */
}

/* Divides the CPU time of the timed runs. */
static void read_activities(
    struct trial_work *work, const struct grid *rows, size_t row)
{
	for (unsigned a = 0; a < ACTIVITIES; a++) {
		char column[32];

		snprintf(column, sizeof(column), "%s_cpu_s", activity_names[a]);
		work->activity_cpu_s[a] = number_or_0(rows, row, column);
		work->traced_cpu_s += work->activity_cpu_s[a];
	}
	for (unsigned a = 0; a < ACTIVITIES; a++)
		work->activity_cpu_s[a] *=
		    work->traced_cpu_s > 0 ? work->cpu_s / work->traced_cpu_s
		                           : 0;
}

static struct trial_work read_trial(const struct grid *rows, size_t row)
{
	struct trial_work work = {
		.trial = figures_read_key(rows, row),
		.cpu_s = grid_number(rows, row, "cpu_s"),
		.traced_samples = grid_number(rows, row, "traced_samples"),
		.fetch_s = grid_number(rows, row, "fetch_s"),
		.bytes = grid_number(rows, row, "storage_bytes"),
		.requests = grid_number(rows, row, "requests"),
		.bandwidth = grid_number(rows, row, "bandwidth"),
		.requests_per_s = grid_number(rows, row, "requests_per_s"),
		.samples_per_s = grid_number(rows, row, "samples_per_s"),
		.cores = grid_number(rows, row, "cores"),
		.others_cores = grid_number(rows, row, "others_cores"),
	};

	read_activities(&work, rows, row);
	return work;
}

static struct step_work read_step(const struct grid *rows, size_t row)
{
	return (struct step_work){
		.trial = figures_read_key(rows, row),
		.name = grid_text(rows, row, "name"),
		.step = grid_text(rows, row, "step"),
		.cpu_s = number_or_0(rows, row, "cpu_s"),
		.bytes_out = number_or_0(rows, row, "bytes_out"),
	};
}

int session_work_parse(struct session_work *work, struct error *err)
{
	const struct grid *trials = &work->trial_rows;
	const struct grid *steps = &work->step_rows;

	work->trials = calloc(trials->row_count + 1, sizeof(*work->trials));
	work->steps = calloc(steps->row_count + 1, sizeof(*work->steps));
	if (!work->trials || !work->steps)
		return error_memory(
		    err, trials->row_count * sizeof(*work->trials) +
		             steps->row_count * sizeof(*work->steps));
	for (size_t i = 0; i < trials->row_count; i++)
		work->trials[work->trial_count++] = read_trial(trials, i);
	for (size_t i = 0; i < steps->row_count; i++)
		work->steps[work->step_count++] = read_step(steps, i);
	return 0;
}

int session_work_read(struct session_work *work, struct results *results,
    int64_t session, struct error *err)
{
	if (results_read(
	        results, RESULTS_EFFORTS, session, &work->trial_rows, err) ||
	    results_read(
	        results, RESULTS_STEPS, session, &work->step_rows, err))
		return -1;
	return session_work_parse(work, err);
}

void session_work_release(struct session_work *work)
{
	grid_release(&work->trial_rows);
	grid_release(&work->step_rows);
	free(work->trials);
	free(work->steps);
	*work = (struct session_work)SESSION_WORK_INIT;
}

const struct trial_work *session_work_of(
    const struct session_work *work, const struct figures *trial)
{
	for (size_t i = 0; i < work->trial_count; i++)
		if (figures_same_trial(&work->trials[i].trial, trial))
			return &work->trials[i];
	return NULL;
}
