/* asked.c - see asked.h. */
#include "strategies/decide/asked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/syntax/nearest.h"
#include "strategies/decide/rank.h"
#include "strategies/plan/plan.h"

/* "prep=1" */
static int set_weight(
    struct weights *weights, char *assignment, struct error *err)
{
	const struct {
		const char *name;
		double *to;
	} known[] = {
		{ "prep", &weights->prep },
		{ "storage", &weights->storage },
		{ "throughput", &weights->throughput },
	};
	char *equals = strchr(assignment, '=');
	struct nearest nearest = nearest_to(assignment);
	double value, *to = NULL;
	char hint[NEAREST_HINT];

	if (!equals)
		return error_set(
		    err, ERROR_USAGE, "'%s' must be NAME=NUMBER", assignment);
	*equals = '\0';
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		nearest_try(&nearest, known[i].name);
		if (strcmp(assignment, known[i].name) == 0)
			to = known[i].to;
	}
	if (!to)
		return error_set(err, ERROR_USAGE, "no weight '%s'%s",
		    assignment, nearest_hint(&nearest, hint));
	if (!isnan(*to))
		return error_set(
		    err, ERROR_USAGE, "%s is given twice", assignment);
	if (units_parse_real(equals + 1, &value) || value < 0)
		return error_set(err, ERROR_USAGE,
		    "%s must be a number of 0 or more, got '%s'", assignment,
		    equals + 1);
	*to = value;
	return 0;
}

static int parse_weights(
    struct weights *weights, const char *text, struct error *err)
{
	char *copy = strdup(text), *rest = copy, *assignment;
	int rc = 0;

	if (!copy)
		return error_memory(err, strlen(text) + 1);
	*weights = (struct weights){ NAN, NAN, NAN };
	while (rc == 0 && (assignment = strtok_r(rest, ",", &rest)))
		rc = set_weight(weights, assignment, err);
	weights->prep = fmax(weights->prep, 0); /* 0 if NAN */
	weights->storage = fmax(weights->storage, 0);
	weights->throughput = fmax(weights->throughput, 0);
	if (rc == 0 &&
	    weights->prep + weights->storage + weights->throughput <= 0)
		rc = error_set(err, ERROR_USAGE,
		    "one of them must be more than 0, got '%s'", text);
	free(copy);
	return rc;
}

static int find_objective(
    struct request *request, const char *name, struct error *err)
{
	const struct objective_ops *objective;
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	request->objective = objective_find(name);
	if (request->objective)
		return 0;
	for (size_t i = 0; (objective = objective_at(i)); i++)
		nearest_try(&nearest, objective->name);
	return error_set(err, ERROR_USAGE, "no objective '%s'%s", name,
	    nearest_hint(&nearest, hint));
}

static int ask_weights(struct request *request,
    const struct plan_decision *decision, const char *prefix, struct error *err)
{
	if (!decision->objective)
		request->objective = objective_by_weights();
	if (!request->objective->uses_weights)
		return error_set(err, ERROR_USAGE,
		    "%sweights belong to objective %s, not %s", prefix,
		    objective_by_weights()->name, decision->objective);
	if (parse_weights(&request->weights, decision->weights, err))
		return error_prefix(err, "%sweights", prefix);
	return 0;
}

double asked_tolerance_db(const struct ini *ini)
{
	struct error ignored = ERROR_INIT;
	struct plan_decision decision;

	/* The session was read from this file: what is wrong was said then. */
	return plan_read_decision(&decision, ini, &ignored)
	           ? 0
	           : decision.tolerance_db;
}

int request_ask(struct request *request, const struct plan_decision *decision,
    const char *prefix, struct error *err)
{
	request->lossy = decision->lossy;
	request->tolerance_db = decision->tolerance_db;
	request->min_throughput = decision->min_throughput;
	request->max_prep_s = decision->max_prep_s;
	if (decision->epochs)
		request->epochs = (double)decision->epochs;
	if (decision->max_storage != UINT64_MAX)
		request->max_storage_bytes = (double)decision->max_storage;
	if (decision->min_throughput < 0)
		return error_set(err, ERROR_USAGE,
		    "%smin%sthroughput must be 0 or more, got %g", prefix,
		    *prefix ? "-" : "_", decision->min_throughput);
	if (decision->objective &&
	    find_objective(request, decision->objective, err))
		return -1;
	if (decision->weights && ask_weights(request, decision, prefix, err))
		return -1;
	if (request->objective->needs_epochs && !decision->epochs)
		return error_set(err, ERROR_USAGE,
		    "objective %s needs %sepochs, the number of epochs of the "
		    "job",
		    request->objective->name, prefix);
	return 0;
}
