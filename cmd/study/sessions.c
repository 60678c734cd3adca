/* sessions.c - see sessions.h. */
#include "cmd/study/sessions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/project/measuring.h"
#include "cmd/project/project.h"
#include "cmd/study/sizes.h"
#include "cmd/study/study.h"
#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "strategies/decide/derive.h"
#include "strategies/plan/strategies.h"

enum { OVERRIDES = 8, LIST_TEXT = STUDY_VALUES * (STUDY_TEXT + 1) };

/* Settings of a session beside its file. */
struct changes {
	struct override list[OVERRIDES]; /* the last has key NULL */
	unsigned count;
	char value[LIST_TEXT], budget[32], samples[24];
	struct sizes_form form;
};

/* One session of the study. */
struct one {
	const struct sessions_plan *plan;
	struct results *results;
	const char *path;
	unsigned value; /* STUDY_BASELINE: it measures all values */
	int64_t session;
};

/* ---- which sessions ---- */

static unsigned session_count(const struct sessions_plan *plan)
{
	return plan->study->factor->column ? 1 : plan->study->value_count;
}

static struct one session_at(const struct sessions_plan *plan, unsigned i)
{
	const struct factor *factor = plan->study->factor;

	return (struct one){
		.plan = plan,
		.path = plan->paths[factor_is_variants(factor) ? i : 0],
		.value = factor->column ? STUDY_BASELINE : i,
	};
}

/* ---- their settings ---- */

static void change(struct changes *changes, const char *section,
    const char *key, const char *value)
{
	changes->list[changes->count++] =
	    (struct override){ section, key, value };
	changes->list[changes->count] = (struct override){ NULL, NULL, NULL };
}

/* Writes all values as a list. */
static const char *list_values(const struct study *study, char *text)
{
	size_t len = 0;

	for (unsigned i = 0; i < study->value_count; i++)
		len += (size_t)snprintf(text + len, LIST_TEXT - len, "%s%s",
		    i ? "," : "", study->values[i].text);
	return text;
}

static void change_value(struct changes *changes, const struct one *one)
{
	const struct study *study = one->plan->study;
	const struct factor *factor = study->factor;

	if (factor->key)
		change(changes, factor->section, factor->key,
		    one->value == STUDY_BASELINE
		        ? list_values(study, changes->value)
		        : study->values[one->value].text);
	if (factor_is_sizes(factor) && changes->form.count) {
		snprintf(changes->samples, sizeof(changes->samples), "%" PRIu64,
		    changes->form.count);
		change(changes, "dataset", "shape", changes->form.shape);
		change(changes, "dataset", "count", changes->samples);
		change(changes, "measure", "samples", changes->samples);
	}
}

/* `budget_s` 0: none of the command line. */
static void set_changes(
    struct changes *changes, const struct one *one, double budget_s)
{
	changes->count = 0;
	change_value(changes, one);
	if (one->plan->runs)
		change(changes, "measure", "runs", one->plan->runs);
	change(changes, "measure", "search", "all");
	if (budget_s > 0) {
		snprintf(changes->budget, sizeof(changes->budget), "%.0fms",
		    1e3 * budget_s);
		change(changes, "measure", "budget", changes->budget);
	}
}

static int read_changed(struct project *project, const struct one *one,
    const struct changes *changes, struct error *err)
{
	const struct project_settings settings =
	    project_settings_of(one->plan->sets, changes->list);

	return project_read(project, one->path, &settings, err);
}

/* Reads the file with what the session sets; release the project. */
static struct project *read_project(
    const struct one *one, double budget_s, struct error *err)
{
	struct study *study = one->plan->study;
	struct changes *changes = calloc(1, sizeof(*changes));
	struct project *project = project_new(err);
	int rc = -1;

	if (!changes)
		error_memory(err, sizeof(*changes));
	if (!changes || !project)
		goto done;
	set_changes(changes, one, budget_s);
	rc = read_changed(project, one, changes, err);
	if (rc || !factor_is_sizes(study->factor))
		goto done;
	/* The form of the samples depends on what the file says. */
	rc = sizes_form(&project->dataset, study->values[one->value].text,
	    &changes->form, err);
	study->values[one->value].bytes = changes->form.bytes;
	project_free(project);
	project = rc == 0 ? project_new(err) : NULL;
	set_changes(changes, one, budget_s);
	rc = project ? read_changed(project, one, changes, err) : -1;
done:
	free(changes);
	if (rc == 0)
		return project;
	project_free(project);
	return NULL;
}

int sessions_check(const struct sessions_plan *plan, struct error *err)
{
	for (unsigned i = 0; i < session_count(plan); i++) {
		const struct one one = session_at(plan, i);
		struct project *project = read_project(&one, 0, err);

		if (!project)
			return -1;
		project_free(project);
	}
	return 0;
}

/* ---- measuring ---- */

static int measure(
    void *arg, const struct session_plan *plan, struct error *err)
{
	struct one *one = arg;

	return measuring_once(plan, one->results, &one->session, err);
}

static int run_project(
    struct one *one, struct project *project, struct error *err)
{
	struct strategies strategies = STRATEGIES_INIT;
	char *name = project_name(one->path, err);
	int rc = -1;

	project->plan.load.cache_budget = plan_cache_budget(&project->plan);
	if (name &&
	    project_open_noted(project,
	        sweep_most(&project->plan.measure.samples), true, err) == 0 &&
	    strategies_enumerate(
	        &strategies, &project->plan, &project->pipeline, err) == 0)
		rc = measuring_run(
		    &(struct measuring){
		        .project = project,
		        .strategies = &strategies,
		        .name = name,
		        .work_dir = one->plan->work_dir,
		        .stop = one->plan->stop,
		        .run = measure,
		        .arg = one,
		    },
		    err);
	strategies_release(&strategies);
	free(name);
	return rc;
}

/* Runs one session; its finished trials are kept also after an error. */
static int run_session(struct one *one, double budget_s, struct error *err)
{
	struct project *project = read_project(one, budget_s, err);
	struct error ignored = ERROR_INIT;
	int rc = project ? run_project(one, project, err) : -1;

	project_free(project);
	if (one->session && study_add_session(one->plan->study, one->results,
	                        one->session, one->value, rc ? &ignored : err))
		rc = -1;
	return rc;
}

static double seconds_left(const struct sessions_plan *plan, uint64_t began_ns)
{
	return plan->budget_s -
	       (double)(clock_now(&clock_monotonic) - began_ns) / 1e9;
}

static int run_all(const struct sessions_plan *plan, struct results *results,
    struct error *err)
{
	const uint64_t began_ns = clock_now(&clock_monotonic);
	const unsigned count = session_count(plan);

	for (unsigned i = 0; i < count; i++) {
		const double left = seconds_left(plan, began_ns);
		struct one one = session_at(plan, i);

		if (i > 0 && plan->budget_s > 0 && left <= 0) {
			cmd_warn("the budget ended before %s %s; give a longer "
			         "--budget to measure all values",
			    plan->study->factor->name,
			    plan->study->values[i].text);
			return 0;
		}
		if (count > 1)
			cmd_note("session %u of %u: %s %s", i + 1, count,
			    plan->study->factor->name,
			    plan->study->values[i].text);
		one.results = results;
		if (run_session(
		        &one, plan->budget_s > 0 ? left / (count - i) : 0, err))
			return -1;
	}
	return 0;
}

int sessions_run(const struct sessions_plan *plan, struct error *err)
{
	struct results *results = derive_open(plan->db, true, err);
	int rc = results ? run_all(plan, results, err) : -1;

	results_close(results);
	study_sort(plan->study);
	return rc;
}
