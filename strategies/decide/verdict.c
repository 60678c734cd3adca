/* verdict.c - see verdict.h. */
#include "strategies/decide/verdict.h"

#include <math.h>
#include <stdbool.h>

#include "strategies/decide/order.h"
#include "strategies/decide/rank.h"

/* The first of the others that has a rank. */
static const struct candidate *find_rival(
    const struct ranking *ranking, const struct candidate *candidate)
{
	for (size_t i = 0; i < ranking->ranked; i++)
		if (&ranking->list[i] != candidate)
			return &ranking->list[i];
	return NULL;
}

static bool has_few_runs(const struct candidate *c)
{
	return !(c->full.runs >= FEW_RUNS);
}

/* How many times as good as `b` is `a`, by medians? */
static double ratio_of(const struct candidate *a, const struct candidate *b,
    const struct objective_ops *objective)
{
	if (objective->is_rate)
		return a->worth.value / b->worth.value;
	if (objective->least) /* negated amounts */
		return b->worth.value / a->worth.value;
	return NAN;
}

/* Is the rival behind, or no more in front than does not count? */
static bool is_within(const struct candidate *candidate,
    const struct candidate *rival, const struct request *request)
{
	const double ratio = ratio_of(rival, candidate, request->objective);

	return isnan(ratio)
	           ? candidate_gain(rival, candidate, request) <= gain_allowed
	           : ratio <= gain_allowed;
}

static enum verdict judge(const struct ranking *ranking,
    const struct candidate *candidate, const struct judgement *found,
    const struct request *request)
{
	const struct candidate *rival = found->rival;
	const bool is_first = candidate == ranking->list;
	const bool may_win = is_first || candidate->tied;

	if (!candidate_is_ranked(candidate))
		return VERDICT_BEATEN;
	if (!rival)
		return VERDICT_WINS;
	if (has_few_runs(candidate) || has_few_runs(rival))
		return VERDICT_NOISE;
	if (!may_win)
		return is_within(candidate, rival, request) ? VERDICT_AS_GOOD
		                                            : VERDICT_BEATEN;
	if (ranking->tied && !(candidate->loss <= gain_allowed))
		return VERDICT_NOISE;
	return is_first ? VERDICT_WINS : VERDICT_AS_GOOD;
}

struct judgement verdict_of(const struct ranking *ranking,
    const struct candidate *candidate, const struct request *request)
{
	const struct objective_ops *objective = request->objective;
	struct judgement found = {
		.rival = find_rival(ranking, candidate),
		.ratio = NAN,
		.risk = NAN,
	};

	if (found.rival) {
		found.ratio = ratio_of(candidate, found.rival, objective);
		if (found.ratio < 1)
			found.ratio = 1 / found.ratio;
		found.risk = candidate_gain(found.rival, candidate, request);
	}
	found.verdict = judge(ranking, candidate, &found, request);
	return found;
}

const char *verdict_word(enum verdict verdict)
{
	static const char *const words[] = {
		[VERDICT_WINS] = "wins",
		[VERDICT_AS_GOOD] = "as good",
		[VERDICT_BEATEN] = "beaten",
		[VERDICT_NOISE] = "noise",
	};

	return words[verdict];
}
