/*
 * random.c - measures unprocessed, and a quarter of the other strategies, drawn
 * at random: the baseline that a search has to beat.
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/base/random.h"
#include "strategies/search/search.h"

enum { SHARE = 4, STREAM = 1 };

static int judge(struct search *search, const struct figures_list *measured,
    struct error *err)
{
	UNUSED(measured);
	UNUSED(err);
	for (size_t i = 0; i < search->count; i++) {
		struct prospect *p = &search->list[i];

		if (prospect_is_measured(p))
			p->state = p->runs < search->plan.least
			               ? PROSPECT_RACING
			               : PROSPECT_KNOWN;
	}
	return 0;
}

/* Prospects of a strategy are neighbours in the list. */
static bool is_first(const struct search *search, size_t i)
{
	return !search->list[i].always &&
	       (i == 0 ||
	           search->list[i].strategy != search->list[i - 1].strategy);
}

static size_t count_strategies(const struct search *search)
{
	size_t count = 0;

	for (size_t i = 0; i < search->count; i++)
		count += is_first(search, i);
	return count;
}

static uint64_t draw(
    const struct search *search, const struct strategy *strategy)
{
	struct random random = random_stream(search->plan.seed, 0,
	    hash_bytes(strategy->label, strlen(strategy->label), 0), STREAM);

	return random_u64(&random);
}

/* Was a trial of its strategy picked before?  Then all of them are. */
static bool is_drawn(const struct search *search, size_t number)
{
	const struct strategy *strategy = search->list[number].strategy;
	size_t i = number;

	while (i > 0 && search->list[i - 1].strategy == strategy)
		i--;
	for (; i < search->count && search->list[i].strategy == strategy; i++)
		if (search->list[i].state != PROSPECT_OPEN)
			return true;
	return search->list[number].always;
}

static size_t count_drawn(const struct search *search)
{
	size_t count = 0;

	for (size_t i = 0; i < search->count; i++)
		count += is_first(search, i) && is_drawn(search, i);
	return count;
}

static int pick(
    struct search *search, struct prospect **picked, struct error *err)
{
	const size_t most = (count_strategies(search) + SHARE - 1) / SHARE;
	const size_t drawn = count_drawn(search);
	uint64_t least = 0;

	UNUSED(err);
	for (size_t i = 0; i < search->count; i++) {
		struct prospect *p = &search->list[i];
		uint64_t number;

		if (p->state != PROSPECT_OPEN)
			continue;
		if (is_drawn(search, i)) {
			*picked = p;
			return 0;
		}
		number = draw(search, p->strategy);
		if (drawn < most && (!*picked || number < least)) {
			*picked = p;
			least = number;
		}
	}
	return 0;
}

const struct search_ops search_random = {
	.name = "random",
	.summary = "measure a quarter of the strategies, drawn at random",
	.judge = judge,
	.pick = pick,
	.left = "it was not drawn",
};
