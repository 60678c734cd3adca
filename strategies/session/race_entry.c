/* race_entry.c - see race_state.h. */
#include "lib/base/error.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/race_state.h"
#include "strategies/session/rounds.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/trial.h"

bool race_was_begun(const struct race *race, const struct strategy *strategy)
{
	for (size_t i = 0; i < race->count; i++)
		if (race->measured[i].strategy == strategy)
			return true;
	return false;
}

struct measured_strategy *race_find_open(
    const struct race *race, const struct strategy *strategy)
{
	for (size_t i = 0; i < race->count; i++)
		if (race->measured[i].strategy == strategy &&
		    !race->measured[i].over)
			return &race->measured[i];
	return NULL;
}

int race_close(struct race *race, struct measured_strategy *measured, int rc,
    struct error *err)
{
	for (size_t i = 0; i < race->racer_count; i++) {
		struct racer *racer = &race->racers[i];
		const char *ended = race->scheduled[i].ended;

		if (racer->owner != measured || !racer->trial)
			continue;
		if (rc == 0)
			rc = measured_strategy_end_trial(measured, racer->trial,
			    ended ? ended : rounds_enough, err);
		race->scheduled[i].ended = rounds_enough;
	}
	rc = measured_strategy_close(measured, rc, err);
	for (size_t i = 0; i < race->racer_count; i++)
		if (race->racers[i].owner == measured)
			race->racers[i].trial = NULL;
	return rc;
}

/* Has it data on the disk, and no trial that needs another run? */
static bool is_idle(
    const struct race *race, const struct measured_strategy *measured)
{
	for (size_t i = 0; i < race->racer_count; i++)
		if (race->racers[i].owner == measured &&
		    !race->scheduled[i].ended)
			return false;
	return !measured->over && measured->data.dir;
}

/* 1: there is no room on the disk; or -1. */
static int lacks_room(const struct measured_strategy *next, struct error *err)
{
	struct error why = ERROR_INIT;

	if (stored_data_check_room(next, &why) == 0)
		return 0;
	if (why.code == ERROR_LIMIT)
		return 1;
	*err = why;
	return -1;
}

/* Is another strategy to be closed, so that others keep half of the disk? */
static bool is_crowded(const struct measured_strategy *next)
{
	return !next->session->plan->keep && stored_data_is_crowded(next);
}

int race_make_room(
    struct race *race, const struct strategy *strategy, struct error *err)
{
	struct session *session = race->session;
	const struct measured_strategy next = { .session = session,
		.strategy = strategy,
		.source = session_sources_find(
		    &session->sources, session->plan, strategy, err) };
	int rc;

	if (!next.source)
		return -1;
	if (strategy->unprocessed || race_find_open(race, strategy))
		return 0;
	rc = lacks_room(&next, err);
	for (size_t i = 0; i < race->count; i++) {
		if (rc < 0 || (rc == 0 && !is_crowded(&next)))
			break;
		if (!is_idle(race, &race->measured[i]))
			continue;
		rc = race_close(race, &race->measured[i], 0, err);
		if (rc == 0)
			rc = lacks_room(&next, err);
	}
	return rc;
}

static int open_strategy(
    struct race *race, const struct strategy *strategy, struct error *err)
{
	struct measured_strategy *measured = &race->measured[race->count];

	if (measured_strategy_begin(measured, race->session, strategy, err))
		return -1;
	race->count++;
	return measured->over ? 0
	                      : measured_strategy_open(measured, race->measured,
	                            race->count - 1, err);
}

/* Takes the trials into the race that were checked for the prospect. */
static void add_racers(struct race *race, struct measured_strategy *owner,
    unsigned first, struct prospect *picked)
{
	for (unsigned t = first; !owner->over && t < owner->trial_count; t++) {
		race->scheduled[race->racer_count].trial = owner->trials[t];
		race->racers[race->racer_count++] = (struct racer){
			.prospect = picked,
			.owner = owner,
			.trial = owner->trials[t],
		};
		picked->state = PROSPECT_RACING;
	}
}

/* Unprocessed, over the samples that the strategy takes. */
static const struct strategy *base_of(
    const struct race *race, const struct strategy *strategy)
{
	const struct strategies *all = race->session->plan->strategies;

	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].unprocessed && !all->list[i].yours &&
		    all->list[i].samples == strategy->samples)
			return &all->list[i];
	return strategy;
}

/* Others are compared with unprocessed, so that is opened before them. */
int race_enter(struct race *race, struct prospect *picked, struct error *err)
{
	const struct strategy *base = base_of(race, picked->strategy);
	struct measured_strategy *measured;
	unsigned had;
	int rc = 0;

	if (picked->strategy != base && !race_was_begun(race, base))
		rc = open_strategy(race, base, err);
	if (rc)
		return error_prefix(err, "%s", base->label);
	measured = race_find_open(race, picked->strategy);
	had = measured ? measured->trial_count : 0;
	rc = measured ? measured_strategy_more(measured, err)
	              : open_strategy(race, picked->strategy, err);
	if (rc)
		return error_prefix(err, "%s", picked->strategy->label);
	if (!measured)
		measured = &race->measured[race->count - 1];
	add_racers(race, measured, had, picked);
	if (picked->state == PROSPECT_PICKED)
		picked->state = PROSPECT_FAILED;
	return 0;
}
