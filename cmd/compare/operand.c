/* operand.c - see operand.h. */
#include "cmd/compare/operand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "lib/files/path.h"
#include "strategies/compare/combine.h"
#include "strategies/compare/comparable.h"
#include "strategies/decide/derive.h"

/* ---- parsing ---- */

/* Reads a number up to `end`. */
static int read_number(
    const char *text, const char *end, uint64_t *number, struct error *err)
{
	char digits[32];
	const int len = (int)(end - text);

	if (len >= (int)sizeof(digits) ||
	    snprintf(digits, sizeof(digits), "%.*s", len, text) != len ||
	    units_parse_uint(digits, number) || *number == 0 ||
	    *number > INT64_MAX)
		return error_set(err, ERROR_USAGE,
		    "the number of a session is 1 or more, got '%.*s'", len,
		    text);
	return 0;
}

static int add_sessions(struct compare_operand *operand, uint64_t first,
    uint64_t last, struct error *err)
{
	if (first > last)
		return error_set(err, ERROR_USAGE,
		    "sessions %llu-%llu: the smaller number comes first",
		    (unsigned long long)first, (unsigned long long)last);
	if (last - first >= COMPARE_SESSIONS_MOST - operand->count)
		return error_set(err, ERROR_USAGE,
		    "no more than %d sessions are taken together",
		    COMPARE_SESSIONS_MOST);
	for (uint64_t id = first; id <= last; id++) {
		for (size_t i = 0; i < operand->count; i++)
			if (operand->sessions[i] == (int64_t)id)
				return error_set(err, ERROR_USAGE,
				    "session %llu is named twice",
				    (unsigned long long)id);
		operand->sessions[operand->count++] = (int64_t)id;
	}
	return 0;
}

/* "1,3,5-7" */
static int read_list(
    struct compare_operand *operand, const char *text, struct error *err)
{
	for (;;) {
		const char *end = text + strcspn(text, ",");
		const char *dash = memchr(text, '-', (size_t)(end - text));
		uint64_t first, last;

		if (read_number(text, dash ? dash : end, &first, err))
			return -1;
		last = first;
		if (dash && read_number(dash + 1, end, &last, err))
			return -1;
		if (add_sessions(operand, first, last, err))
			return -1;
		if (!*end)
			return 0;
		text = end + 1;
	}
}

static int set_path(struct compare_operand *operand, const char *path,
    size_t len, struct error *err)
{
	if (len >= sizeof(operand->path))
		return error_set(err, ERROR_USAGE, "too long a name: %s", path);
	memcpy(operand->path, path, len);
	operand->path[len] = '\0';
	return 0;
}

static bool is_list(const char *text)
{
	return *text >= '0' && *text <= '9' &&
	       strspn(text, "0123456789,-") == strlen(text);
}

int compare_operand_name(struct compare_operand *operand, const char *text,
    const char *db, struct error *err)
{
	const char *colon = strrchr(text, ':');

	if (is_list(text))
		return set_path(operand, db, strlen(db), err) ||
		               read_list(operand, text, err)
		           ? -1
		           : 0;
	if (colon && is_list(colon + 1) && !path_exists(text))
		return set_path(operand, text, (size_t)(colon - text), err) ||
		               read_list(operand, colon + 1, err)
		           ? -1
		           : 0;
	operand->count = 1;
	return set_path(operand, text, strlen(text), err);
}

/* ---- the sessions ---- */

struct compare_part {
	struct session_record record;
	struct grid rows; /* owns the texts of the trials */
	struct figures_list trials;
	struct timed_runs runs;
};

static int read_runs(struct results *results, int64_t session,
    struct timed_runs *runs, struct error *err)
{
	struct grid rows = GRID_INIT;
	int rc = results_read(results, RESULTS_RATES, session, &rows, err);

	if (rc == 0)
		rc = timed_runs_read(runs, &rows, err);
	grid_release(&rows);
	return rc;
}

static int read_part(struct results *results, int64_t wanted,
    struct compare_part *part, struct error *err)
{
	int64_t session;

	if (results_pick_session(results, wanted, &session, err) ||
	    results_read_session(results, session, &part->record, err) ||
	    results_read(results, RESULTS_TRIALS, session, &part->rows, err) ||
	    figures_read(&part->trials, &part->rows, err))
		return -1;
	return read_runs(results, session, &part->runs, err);
}

static void release_part(struct compare_part *part)
{
	figures_release(&part->trials);
	timed_runs_release(&part->runs);
	grid_release(&part->rows);
	session_record_release(&part->record);
}

/* Sessions must be comparable to be taken together. */
static int check_alike(const char *path, const struct session_record *first,
    const struct session_record *other, struct error *err)
{
	struct grid differences = GRID_INIT, notes = GRID_INIT;
	int rc = comparable_check(first, other, &differences, &notes, err);

	if (rc == 0 && differences.row_count)
		rc = error_set(err, ERROR_USAGE,
		    "sessions %lld and %lld of %s differ in machine, pipeline "
		    "or data: compare them with each other to see how",
		    (long long)first->id, (long long)other->id, path);
	else if (rc == 0 && strcmp(first->version, other->version) != 0)
		rc = error_set(err, ERROR_USAGE,
		    "sessions %lld and %lld of %s are of presto %s and %s: "
		    "what is taken together must be of one",
		    (long long)first->id, (long long)other->id, path,
		    first->version, other->version);
	grid_release(&differences);
	grid_release(&notes);
	return rc;
}

static int check_parts(const char *path, const struct compare_part *parts,
    size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct session_record *record = &parts[i].record;

		if (compare_is_cut(record->state))
			return error_set(err, ERROR_USAGE,
			    "session %lld of %s did not end well (%s): leave "
			    "it out of those that are taken together",
			    (long long)record->id, path, record->state);
		if (i > 0 && check_alike(path, &parts[0].record, record, err))
			return -1;
	}
	return 0;
}

static int combine(struct compare_operand *operand,
    const struct compare_part *parts, struct error *err)
{
	struct combine_part *list = calloc(operand->count, sizeof(*list));
	int rc;

	if (!list)
		return error_memory(err, operand->count * sizeof(*list));
	for (size_t i = 0; i < operand->count; i++)
		list[i] =
		    (struct combine_part){ &parts[i].trials, &parts[i].runs };
	rc = combine_sessions(
	    list, operand->count, &operand->trials, &operand->runs, err);
	free(list);
	return rc;
}

static void add_name(char *name, const char *before, int64_t session)
{
	const size_t used = strlen(name);

	snprintf(name + used, COMPARE_OPERAND_NAME - used, "%s%lld", before,
	    (long long)session);
}

/* "sessions 1, 3 and 5" */
static void set_name(struct compare_operand *operand)
{
	const size_t last = operand->count - 1;

	snprintf(operand->name, sizeof(operand->name),
	    last ? "sessions " : "session ");
	for (size_t i = 0; i <= last; i++)
		add_name(operand->name,
		    i == 0     ? ""
		    : i < last ? ", "
		               : " and ",
		    operand->sessions[i]);
}

/* Takes over the figures of the only part, or combines several. */
static int take_parts(struct compare_operand *operand,
    struct compare_part *parts, struct error *err)
{
	if (operand->count == 1) {
		operand->sessions[0] = parts[0].record.id;
		operand->trials = parts[0].trials;
		operand->runs = parts[0].runs;
		parts[0].trials = (struct figures_list){ .list = NULL };
		parts[0].runs = (struct timed_runs){ .list = NULL };
	} else if (check_parts(operand->path, parts, operand->count, err) ||
	           combine(operand, parts, err)) {
		return -1;
	}
	operand->record = parts[0].record;
	parts[0].record = (struct session_record)SESSION_RECORD_INIT;
	set_name(operand);
	return 0;
}

static int by_start(const void *a, const void *b)
{
	return compare_turn_order(a, b);
}

/* The only part gave its figures away. */
static int make_turns(struct compare_operand *operand, struct error *err)
{
	const size_t count = operand->count;

	operand->turns = calloc(count, sizeof(*operand->turns));
	if (!operand->turns)
		return error_memory(err, count * sizeof(*operand->turns));
	for (size_t i = 0; i < count; i++)
		operand->turns[i] = (struct compare_turn){
			.trials = &operand->parts[i].trials,
			.runs = &operand->parts[i].runs,
			.started = i ? operand->parts[i].record.started
			             : operand->record.started,
			.database = operand->path,
			.session = operand->sessions[i],
		};
	if (count == 1) {
		operand->turns[0].trials = &operand->trials;
		operand->turns[0].runs = &operand->runs;
	}
	qsort(operand->turns, count, sizeof(*operand->turns), by_start);
	return 0;
}

int compare_operand_read(struct compare_operand *operand, struct error *err)
{
	struct compare_part *parts = calloc(operand->count, sizeof(*parts));
	struct results *results;
	int rc = 0;

	if (!parts)
		return error_memory(err, operand->count * sizeof(*parts));
	operand->parts = parts;
	results = derive_open(operand->path, false, err);
	if (!results || (operand->hides && results_hide(results, err)))
		rc = -1;
	for (size_t i = 0; rc == 0 && i < operand->count; i++)
		rc = read_part(results, operand->sessions[i], &parts[i], err);
	if (rc == 0)
		rc = take_parts(operand, parts, err) || make_turns(operand, err)
		         ? -1
		         : 0;
	results_close(results);
	return rc;
}

const char *compare_operand_place(
    const struct compare_operand *operand, char place[COMPARE_PLACE])
{
	if (operand->hides)
		snprintf(place, COMPARE_PLACE, "%s", operand->name);
	else
		snprintf(place, COMPARE_PLACE, "%s of %s", operand->name,
		    operand->path);
	return place;
}

void compare_operand_release(struct compare_operand *operand)
{
	for (size_t i = 0; operand->parts && i < operand->count; i++)
		release_part(&operand->parts[i]);
	free(operand->parts);
	free(operand->turns);
	figures_release(&operand->trials);
	timed_runs_release(&operand->runs);
	session_record_release(&operand->record);
}

struct compare_session compare_operand_session(
    const struct compare_operand *operand)
{
	return (struct compare_session){
		.trials = &operand->trials,
		.runs = &operand->runs,
		.turns = operand->turns,
		.turn_count = operand->count,
		.state = operand->record.state,
		.cores = operand->record.info.machine.cores,
		.cpu = operand->record.info.machine.cpu,
		.libraries = operand->record.info.machine.libraries,
	};
}
