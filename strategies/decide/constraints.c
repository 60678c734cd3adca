/* constraints.c - see constraints.h. */
#include "strategies/decide/constraints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/results.h"
#include "strategies/decide/rank.h"

enum { CONSTRAINTS = 3, PHRASE = 64, LIST = 256 };

struct constraint {
	const char *option;
	double limit; /* NAN: not asked for */
	double value; /* the candidate's */
	bool at_least;
	const char *(*print)(double number, char text[UNITS_TEXT]);
	const char *unit;
};

static void list_constraints(const struct candidate *candidate,
    const struct request *request, struct constraint out[CONSTRAINTS])
{
	out[0] = (struct constraint){
		.option = "--min-throughput",
		.limit = request->min_throughput,
		.value = candidate->full.throughput,
		.at_least = true,
		.print = units_number,
		.unit = " samples/s",
	};
	out[1] = (struct constraint){
		.option = "--max-storage",
		.limit = request->max_storage_bytes,
		.value = candidate->full.storage_bytes,
		.print = units_bytes,
		.unit = "",
	};
	out[2] = (struct constraint){
		.option = "--max-prep",
		.limit = request->max_prep_s,
		.value = candidate->full.prep_s,
		.print = units_time,
		.unit = " of preparation",
	};
}

/* 0.1: missed by 10 %.  A value that is not known misses by INFINITY. */
static double excess(const struct constraint *c)
{
	const double more = c->at_least ? c->limit : c->value;
	const double less = c->at_least ? c->value : c->limit;

	if (isnan(c->limit) || more <= less)
		return 0;
	return less > 0 && isfinite(more) ? more / less - 1 : INFINITY;
}

static double worst_excess(
    const struct candidate *candidate, const struct request *request)
{
	struct constraint list[CONSTRAINTS];
	double worst = 0;

	list_constraints(candidate, request, list);
	for (size_t i = 0; i < CONSTRAINTS; i++)
		worst = fmax(worst, excess(&list[i]));
	return worst;
}

bool constraints_met(
    const struct candidate *candidate, const struct request *request)
{
	return worst_excess(candidate, request) <= 0;
}

static const struct candidate *find_nearest(
    const struct ranking *ranking, const struct request *request)
{
	const struct candidate *nearest = NULL;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (!candidate_is_rival(c))
			continue;
		if (!nearest ||
		    worst_excess(c, request) < worst_excess(nearest, request))
			nearest = c;
	}
	return nearest;
}

typedef bool is_left_out(
    const struct candidate *candidate, const struct request *request);

static bool is_lossy(
    const struct candidate *candidate, const struct request *request)
{
	return request_refuses_loss(request, candidate) && candidate->readable;
}

static bool is_for_other_readers(
    const struct candidate *candidate, const struct request *request)
{
	UNUSED(request);
	return !candidate->readable && candidate->able;
}

/* Reasons to leave a candidate out, and the option that includes it. */
static const struct {
	is_left_out *is;
	const char *option;
} left_out[] = {
	{ is_lossy, "--lossy" },
	{ is_for_other_readers, "--readable-by any" },
};

/* Adds "; with --lossy, X does" for candidates that meet the constraints. */
static void add_left_out(const struct ranking *ranking,
    const struct request *request, struct error *err)
{
	for (size_t o = 0; o < ARRAY_LEN(left_out); o++) {
		const struct candidate *fine = NULL;
		char advice[RESULTS_LABEL + LIST];

		for (size_t i = 0; i < ranking->count && !fine; i++) {
			const struct candidate *c = &ranking->list[i];

			if (left_out[o].is(c, request) && c->assumed &&
			    c->trial.throughput.median > 0 &&
			    constraints_met(c, request))
				fine = c;
		}
		if (!fine)
			continue;
		snprintf(advice, sizeof(advice), "with %s, %s does",
		    left_out[o].option, fine->trial.strategy);
		error_advise(err, advice);
	}
}

static void append(char *text, size_t size, const char *phrase)
{
	const size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? " and " : "", phrase);
}

void constraints_add_missed(const struct candidate *candidate,
    const struct request *request, char text[CONSTRAINTS_TEXT])
{
	struct constraint list[CONSTRAINTS];

	list_constraints(candidate, request, list);
	for (size_t i = 0; i < CONSTRAINTS; i++)
		if (excess(&list[i]) > 0 && !strstr(text, list[i].option))
			append(text, CONSTRAINTS_TEXT, list[i].option);
}

int constraints_error(const struct ranking *ranking,
    const struct request *request, struct error *err)
{
	const struct candidate *nearest = find_nearest(ranking, request);
	struct constraint list[CONSTRAINTS];
	char asked[LIST] = "", offered[LIST] = "";

	list_constraints(nearest, request, list);
	for (size_t i = 0; i < CONSTRAINTS; i++) {
		const struct constraint *c = &list[i];
		char number[UNITS_TEXT], phrase[PHRASE];

		if (isnan(c->limit))
			continue;
		snprintf(phrase, sizeof(phrase), "%s %s", c->option,
		    c->print(c->limit, number));
		append(asked, sizeof(asked), phrase);
		snprintf(phrase, sizeof(phrase), "%s%s",
		    isnan(c->value) ? "unknown" : c->print(c->value, number),
		    c->unit);
		append(offered, sizeof(offered), phrase);
	}
	error_set(err, ERROR_GATE,
	    "no strategy meets %s; the nearest is %s with %s", asked,
	    nearest->trial.strategy, offered);
	add_left_out(ranking, request, err);
	return -1;
}
