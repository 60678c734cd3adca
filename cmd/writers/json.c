/* json.c - see json.h. */
#include "cmd/writers/json.h"

#include <jansson.h>

#include "cmd/writers/report_columns.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"

static void add_value(struct json_doc *doc, json_t *at, const char *key,
    const struct value *value)
{
	switch (value->kind) {
	case VALUE_NONE:
		json_add_text(doc, at, key, NULL);
		break;
	case VALUE_FLAG:
		json_add_flag(doc, at, key, value->integer);
		break;
	case VALUE_INTEGER:
		json_add_integer(doc, at, key, value->integer);
		break;
	case VALUE_REAL:
		json_add_number(doc, at, key, value->real);
		break;
	case VALUE_TEXT:
		json_add_text(doc, at, key, value->text);
		break;
	}
}

void json_add_columns(struct json_doc *doc, struct json_t *object,
    const struct grid *grid, size_t row, struct json_columns columns)
{
	for (size_t i = columns.first; i < columns.end; i++)
		add_value(
		    doc, object, grid->columns[i], grid_value(grid, row, i));
}

void json_add_row(struct json_doc *doc, struct json_t *object,
    const struct grid *grid, size_t row, size_t first)
{
	json_add_columns(doc, object, grid, row,
	    (struct json_columns){ first, grid->column_count });
}

int json_write_grid(const struct grid *grid, FILE *out, struct error *err)
{
	struct json_doc doc = json_doc_array();
	int rc;

	for (size_t row = 0; row < grid->row_count; row++)
		json_add_row(
		    &doc, json_add_object(&doc, doc.root, NULL), grid, row, 0);
	rc = json_doc_write(&doc, out, err);
	json_doc_release(&doc);
	return rc;
}

/* ---- reading ---- */

static bool is_plain(const json_t *value)
{
	return !json_is_object(value) && !json_is_array(value);
}

static int set_value(
    struct grid *grid, size_t column, const json_t *value, struct error *err)
{
	if (json_is_string(value))
		return grid_set_text(
		    grid, column, json_string_value(value), err);
	if (json_is_integer(value))
		grid_set_integer(grid, column, json_integer_value(value));
	else if (json_is_real(value))
		grid_set_real(grid, column, json_real_value(value));
	else if (json_is_boolean(value))
		grid_set_flag(grid, column, json_is_true(value));
	return 0;
}

/* Adds a column for each plain value of the object that has none yet. */
static int add_columns(struct grid *grid, json_t *object, struct error *err)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		if (!is_plain(value) || grid_column(grid, key) >= 0)
			continue;
		if (grid_add_column(grid, key, err))
			return -1;
	}
	return 0;
}

/* Sets values in the last row; `object` may be NULL. */
static int set_values(struct grid *grid, json_t *object, struct error *err)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		const int column = grid_column(grid, key);

		if (column < 0 || !is_plain(value))
			continue;
		if (set_value(grid, (size_t)column, value, err))
			return -1;
	}
	return 0;
}

/* A trial must be an object with plain figures. */
static int check_trial(json_t *trial, struct error *err)
{
	const char *key;
	json_t *value;

	if (!json_is_object(trial))
		return error_set(err, ERROR_DATA, " must be an object");
	json_object_foreach(trial, key, value)
	{
		if (!is_plain(value) && report_column_is_known(key))
			return error_set(err, ERROR_DATA,
			    ", %s must not be a list or an object", key);
	}
	return 0;
}

static int read_trials(struct grid *grid, const char *path,
    const json_t *trials, struct error *err)
{
	json_t *trial;
	size_t i;

	json_array_foreach(trials, i, trial)
	{
		struct error why = ERROR_INIT;

		if (check_trial(trial, &why))
			return error_set(err, ERROR_DATA, "%s: trials[%zu]%s",
			    path, i, why.text);
		if (add_columns(grid, trial, err))
			return -1;
	}
	json_array_foreach(trials, i, trial)
	{
		if (grid_add_row(grid, err) || set_values(grid, trial, err))
			return -1;
	}
	return 0;
}

static int read_session(struct grid *grid, json_t *root, struct error *err)
{
	json_t *session = json_object_get(root, "session");
	json_t *machine = json_object_get(root, "machine");

	if (add_columns(grid, root, err) || add_columns(grid, session, err) ||
	    add_columns(grid, machine, err) || grid_add_row(grid, err) ||
	    set_values(grid, root, err) || set_values(grid, session, err))
		return -1;
	return set_values(grid, machine, err);
}

static int read_warnings(
    struct grid *grid, const json_t *warnings, struct error *err)
{
	const json_t *warning;
	size_t i;

	if (grid_add_column(grid, "text", err))
		return -1;
	json_array_foreach(warnings, i, warning)
	{
		if (grid_add_row(grid, err) || set_value(grid, 0, warning, err))
			return -1;
	}
	return 0;
}

/* The wanted session, else the newest; NULL: there is none. */
static json_t *pick_session(json_t *root, int64_t wanted)
{
	json_t *document, *newest = NULL;
	json_int_t last = 0;
	size_t i;

	if (!json_is_array(root))
		return root;
	json_array_foreach(root, i, document)
	{
		const json_int_t id = json_integer_value(json_object_get(
		    json_object_get(document, "session"), "id"));

		if (wanted && id == wanted)
			return document;
		if (newest && id <= last)
			continue;
		newest = document;
		last = id;
	}
	return newest;
}

int json_read_report(const struct json_report *report, const char *path,
    const char *text, struct error *err)
{
	json_error_t why;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &why);
	json_t *document = pick_session(root, report->wanted);
	const json_t *list = json_object_get(document, "trials");
	int rc = -1;

	if (!root)
		error_set(err, ERROR_DATA, "%s:%d:%d: %s", path, why.line,
		    why.column, why.text);
	else if (!json_is_array(list))
		error_set(err, ERROR_DATA,
		    "%s: no \"trials\"; the file must come from 'presto report "
		    "--json'",
		    path);
	else if (read_trials(report->trials, path, list, err) == 0 &&
	         read_session(report->session, document, err) == 0)
		rc = read_warnings(report->warnings,
		    json_object_get(document, "warnings"), err);
	json_decref(root);
	return rc;
}
