/* forecast_errors.c - see forecast_errors.h. */
#include "lib/db/forecast_errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/db/database.h"

/* Columns: figure, predicted, measured, the machine's processor. */
static const char query[] =
    "SELECT CASE trial.cache WHEN 'none' THEN 1 ELSE 0 END,"
    " trial.predicted_samples_per_s, figure.throughput, session.cpu,"
    " session.id AS number"
    " FROM trial JOIN figure ON figure.trial = trial.id"
    " JOIN strategy ON strategy.id = trial.strategy"
    " JOIN session ON session.id = strategy.session"
    " WHERE trial.predicted_high > 0 AND trial.predicted = 0"
    " AND figure.throughput > 0"
    " UNION ALL SELECT 2, strategy.predicted_storage_bytes,"
    " preparation.storage_bytes, session.cpu, session.id"
    " FROM strategy JOIN preparation ON preparation.strategy = strategy.id"
    " JOIN session ON session.id = strategy.session"
    " WHERE strategy.predicted_storage_high_bytes > 0 AND strategy.store <> ''"
    " AND preparation.storage_bytes > 0"
    " UNION ALL SELECT 3, strategy.predicted_prep_s,"
    " preparation.wall_ns / 1e9, session.cpu, session.id"
    " FROM strategy JOIN preparation ON preparation.strategy = strategy.id"
    " JOIN session ON session.id = strategy.session"
    " WHERE strategy.predicted_prep_high_s > 0 AND preparation.wall_ns > 0"
    " ORDER BY number DESC LIMIT 8000";

static int add(
    struct forecast_errors *errors, sqlite3_stmt *s, struct error *err)
{
	const double predicted = sqlite3_column_double(s, 1);
	const double measured = sqlite3_column_double(s, 2);
	const char *cpu = (const char *)sqlite3_column_text(s, 3);
	struct forecast_error *list;

	if (predicted <= 0)
		return 0;
	list = array_grow(errors->list, &errors->capacity, errors->count + 1,
	    sizeof(*list), err);
	if (!list)
		return -1;
	errors->list = list;
	list += errors->count++;
	list->figure = (enum forecast_figure)sqlite3_column_int(s, 0);
	list->log_ratio = log(measured / predicted);
	snprintf(list->cpu, sizeof(list->cpu), "%s", cpu ? cpu : "");
	return 0;
}

static int refuse(const struct results *results, struct error *err)
{
	return error_set(err, ERROR_SYSTEM,
	    "%s: cannot read the errors of forecasts: %s",
	    results_path(results), sqlite3_errmsg(results->db));
}

int forecast_errors_read(
    struct forecast_errors *errors, struct results *results, struct error *err)
{
	sqlite3_stmt *s = NULL;
	int rc = 0, step = SQLITE_DONE;

	*errors = (struct forecast_errors)FORECAST_ERRORS_INIT;
	if (sqlite3_prepare_v2(results->db, query, -1, &s, NULL) != SQLITE_OK)
		return refuse(results, err);
	while (rc == 0 && (step = sqlite3_step(s)) == SQLITE_ROW)
		rc = add(errors, s, err);
	if (rc == 0 && step != SQLITE_DONE)
		rc = refuse(results, err);
	sqlite3_finalize(s);
	return rc;
}

void forecast_errors_release(struct forecast_errors *errors)
{
	free(errors->list);
	*errors = (struct forecast_errors)FORECAST_ERRORS_INIT;
}
