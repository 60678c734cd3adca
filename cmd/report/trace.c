/* trace.c - see trace.h. */
#include "cmd/report/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "lib/syntax/json.h"

/* A trial with events: rows of the two grids. */
struct traced {
	size_t row;          /* in the grid of trials */
	size_t first, count; /* rows in the grid of events */
	double rank;         /* INFINITY: it has none */
};

struct tracing {
	struct grid trials, events;
	struct traced *list; /* owned: by rank */
	size_t count;
	struct json_doc doc;
	struct json_t *array; /* traceEvents */
};

/* ---- trials that have events ---- */

static double rank_of(const struct grid *trials, size_t row)
{
	const double rank = grid_number(trials, row, "rank");

	return isnan(rank) ? INFINITY : rank;
}

static int by_rank(const void *a, const void *b)
{
	const struct traced *x = a, *y = b;

	if (x->rank < y->rank || x->rank > y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Finds the events of a trial, which follow each other. */
static struct traced find_events(const struct tracing *tracing, size_t row)
{
	const int64_t id = grid_integer(&tracing->trials, row, "trial");
	const struct grid *events = &tracing->events;
	struct traced traced = { .row = row,
		.rank = rank_of(&tracing->trials, row) };

	for (size_t i = 0; i < events->row_count; i++) {
		if (grid_integer(events, i, "trial") != id)
			continue;
		if (traced.count++ == 0)
			traced.first = i;
	}
	return traced;
}

static int list_traced(struct tracing *tracing, struct error *err)
{
	const size_t rows = tracing->trials.row_count;

	tracing->list = calloc(rows + 1, sizeof(*tracing->list));
	if (!tracing->list)
		return error_memory(err, rows * sizeof(*tracing->list));
	for (size_t row = 0; row < rows; row++) {
		const struct traced traced = find_events(tracing, row);

		if (traced.count > 0)
			tracing->list[tracing->count++] = traced;
	}
	qsort(tracing->list, tracing->count, sizeof(*tracing->list), by_rank);
	return 0;
}

static const char *label_of(const struct tracing *tracing, size_t row)
{
	return grid_text(&tracing->trials, row, "strategy");
}

/* ---- JSON ---- */

static double microseconds(double ns)
{
	return round(ns) / 1e3;
}

static struct json_t *add_event(struct tracing *tracing, const char *phase,
    const char *name, size_t process, int64_t thread)
{
	struct json_t *event =
	    json_add_object(&tracing->doc, tracing->array, NULL);

	json_add_text(&tracing->doc, event, "ph", phase);
	json_add_text(&tracing->doc, event, "name", name);
	json_add_uint(&tracing->doc, event, "pid", process);
	json_add_integer(&tracing->doc, event, "tid", thread);
	return event;
}

/* Names a process or a thread. */
static void add_name(struct tracing *tracing, const char *what, size_t process,
    int64_t thread, const char *name)
{
	struct json_t *event = add_event(tracing, "M", what, process, thread);

	json_add_text(&tracing->doc,
	    json_add_object(&tracing->doc, event, "args"), "name", name);
}

/* Names a thread when its first event comes; they are few. */
static void add_thread(struct tracing *tracing, const struct traced *traced,
    size_t row, size_t process)
{
	const struct grid *events = &tracing->events;
	const int64_t thread = grid_integer(events, row, "thread");
	struct json_t *event;

	for (size_t i = traced->first; i < row; i++)
		if (grid_integer(events, i, "thread") == thread)
			return;
	add_name(tracing, "thread_name", process, thread,
	    grid_text(events, row, "thread_name"));
	event = add_event(tracing, "M", "thread_sort_index", process, thread);
	json_add_integer(&tracing->doc,
	    json_add_object(&tracing->doc, event, "args"), "sort_index",
	    thread);
}

static void add_row(struct tracing *tracing, size_t row, size_t process)
{
	const struct grid *events = &tracing->events;
	const char *kind = grid_text(events, row, "kind");
	const bool is_queue = strcmp(kind, "queue") == 0;
	const double begin = grid_number(events, row, "begin_ns");
	const double end = grid_number(events, row, "end_ns");
	struct json_t *event = add_event(tracing, is_queue ? "C" : "X",
	    grid_text(events, row, "name"), process,
	    grid_integer(events, row, "thread"));
	struct json_doc *doc = &tracing->doc;

	json_add_text(doc, event, "cat", kind);
	json_add_number(doc, event, "ts", microseconds(begin));
	if (is_queue)
		json_add_number(doc, json_add_object(doc, event, "args"),
		    "items", grid_number(events, row, "value"));
	else
		json_add_number(doc, event, "dur", microseconds(end - begin));
	if (*grid_text(events, row, "step"))
		json_add_text(doc, json_add_object(doc, event, "args"), "step",
		    grid_text(events, row, "step"));
}

static void add_trial(
    struct tracing *tracing, const struct traced *traced, size_t process)
{
	const struct grid *trials = &tracing->trials;
	char name[256];

	snprintf(name, sizeof(name), "%s, %lld thread%s, cache %s",
	    label_of(tracing, traced->row),
	    (long long)grid_integer(trials, traced->row, "threads"),
	    grid_integer(trials, traced->row, "threads") == 1 ? "" : "s",
	    grid_text(trials, traced->row, "cache"));
	add_name(tracing, "process_name", process, 0, name);
	for (size_t i = 0; i < traced->count; i++) {
		const size_t row = traced->first + i;

		if (*grid_text(&tracing->events, row, "thread_name"))
			add_thread(tracing, traced, row, process);
		add_row(tracing, row, process);
	}
}

static void add_about(
    struct tracing *tracing, int64_t session, const char *pipeline)
{
	struct json_doc *doc = &tracing->doc;
	struct json_t *about = json_add_object(doc, doc->root, "otherData");

	json_add_text(doc, about, "program", "presto " PRESTO_VERSION);
	json_add_text(doc, about, "pipeline", pipeline);
	json_add_integer(doc, about, "session", session);
	json_add_text(doc, about, "epoch",
	    "begin of a traced epoch, read from memory, apart from the timed "
	    "ones");
}

/* ---- which trials ---- */

/* Warns if the events of a better trial were not kept. */
static void warn_other(const struct tracing *tracing)
{
	const struct grid *trials = &tracing->trials;
	const struct traced *best = &tracing->list[0];

	for (size_t row = 0; row < trials->row_count; row++)
		if (rank_of(trials, row) < best->rank) {
			cmd_warn("no events were kept of %s, which ranks "
			         "before %s; presto profile --trace all keeps "
			         "those of all trials",
			    label_of(tracing, row),
			    label_of(tracing, best->row));
			return;
		}
}

/* Is the trial one of the strategy, or of those that are written without? */
static bool is_wanted(
    const struct tracing *tracing, size_t i, const char *strategy)
{
	if (strategy)
		return strcmp(label_of(tracing, tracing->list[i].row),
		           strategy) == 0;
	if (i == 0)
		return true;
	if (strcmp(label_of(tracing, tracing->list[i].row), "unprocessed") != 0)
		return false;
	for (size_t k = 0; k < i; k++)
		if (strcmp(label_of(tracing, tracing->list[k].row),
		        "unprocessed") == 0)
			return false;
	return true;
}

static int nothing(const struct tracing *tracing, int64_t session,
    const char *strategy, struct error *err)
{
	bool is_there = !strategy;

	for (size_t row = 0; row < tracing->trials.row_count && !is_there;
	     row++)
		is_there = strcmp(label_of(tracing, row), strategy) == 0;
	if (!is_there)
		return error_set(err, ERROR_USAGE,
		    "session %lld has no strategy '%s'", (long long)session,
		    strategy);
	return error_set(err, ERROR_USAGE,
	    "session %lld kept no events%s%s; measure again with presto "
	    "profile --trace all",
	    (long long)session, strategy ? " of " : "",
	    strategy ? strategy : "");
}

static int add_trials(struct tracing *tracing, int64_t session,
    const char *strategy, struct error *err)
{
	size_t processes = 0;

	for (size_t i = 0; i < tracing->count; i++) {
		const struct traced *traced = &tracing->list[i];

		if (!is_wanted(tracing, i, strategy))
			continue;
		add_trial(tracing, traced, ++processes);
	}
	if (processes == 0)
		return nothing(tracing, session, strategy, err);
	if (!strategy)
		warn_other(tracing);
	return 0;
}

static int write_trace(struct tracing *tracing, int64_t session,
    const char *strategy, FILE *out, struct error *err)
{
	int rc = -1;

	tracing->doc = json_doc_object();
	json_add_text(
	    &tracing->doc, tracing->doc.root, "displayTimeUnit", "ns");
	tracing->array =
	    json_add_array(&tracing->doc, tracing->doc.root, "traceEvents");
	if (add_trials(tracing, session, strategy, err) == 0) {
		add_about(tracing, session,
		    grid_text(&tracing->trials, 0, "pipeline"));
		rc = json_doc_write(&tracing->doc, out, err);
	}
	json_doc_release(&tracing->doc);
	return rc;
}

int report_trace(struct results *results, int64_t session, const char *strategy,
    FILE *out, struct error *err)
{
	struct tracing tracing = { .trials = GRID_INIT, .events = GRID_INIT };
	int rc = -1;

	if (results_read(
	        results, RESULTS_TRIALS, session, &tracing.trials, err) == 0 &&
	    results_read(
	        results, RESULTS_TRACE, session, &tracing.events, err) == 0 &&
	    list_traced(&tracing, err) == 0)
		rc = write_trace(&tracing, session, strategy, out, err);
	free(tracing.list);
	grid_release(&tracing.events);
	grid_release(&tracing.trials);
	return rc;
}
