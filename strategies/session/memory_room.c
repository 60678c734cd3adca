/* memory_room.c - see memory_room.h. */
#include "strategies/session/memory_room.h"

#include "lib/base/error.h"
#include "lib/loader/batch_freelist.h"
#include "lib/measure/memory.h"
#include "lib/measure/system.h"
#include "strategies/forecast/footprint.h"
#include "strategies/session/duration.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/trial.h"

/* Waiting trials may hold one in so many bytes of the free memory. */
enum { WAITING_PART = 4 };

/*
 * Returns what a preparation or a trial may hold now, with the memory that
 * waiting trials would give back.
 */
static uint64_t session_room(const struct session *session)
{
	const uint64_t held = usage_anonymous();
	const uint64_t base = session->memory.base_anonymous;

	return memory_available("") + (held > base ? held - base : 0);
}

static struct footprint load_footprint(const struct session *session,
    const struct strategy *strategy, struct trial_mode mode)
{
	const struct session_plan *plan = session->plan;

	const struct load load = load_of_mode(
	    strategy_samples(strategy, plan->source->samples), &mode);

	return footprint_of_load(plan->model, strategy, &load);
}

static struct footprint preparation_footprint(
    const struct session *session, const struct strategy *strategy)
{
	const struct session_plan *plan = session->plan;
	const struct load load = duration_preparation_load(plan, strategy);

	return footprint_of_preparation(
	    plan->model, strategy, &load, plan->work_dir);
}

/* Notes the larger footprint, if it fits at all. */
static void note_most(struct footprint footprint, uint64_t room, double *most)
{
	const double need = footprint_bytes(&footprint);

	if (footprint_fits(&footprint, room) && need > *most)
		*most = need;
}

void memory_room_begin(struct session *session)
{
	const struct strategies *all = session->plan->strategies;
	const struct plan *plan = session->plan->plan;
	const uint64_t room = memory_available("");
	struct memory_room *memory = &session->memory;
	double most = 0;

	memory->base = usage_resident();
	memory->base_anonymous = usage_anonymous();
	for (size_t i = 0; i < all->count; i++) {
		const struct strategy *s = &all->list[i];

		note_most(preparation_footprint(session, s), room, &most);
		for (unsigned m = 0; m < plan_mode_count(plan); m++)
			note_most(
			    load_footprint(session, s, plan_mode(plan, m)),
			    room, &most);
	}
	memory->waiting = room / WAITING_PART;
	if (footprint_room(room) - most < (double)memory->waiting)
		memory->waiting = 0;
}

int memory_room_check_load(const struct measured_strategy *measured,
    struct trial_mode mode, struct error *err)
{
	const struct footprint footprint =
	    load_footprint(measured->session, measured->strategy, mode);

	return footprint_check(
	    &footprint, session_room(measured->session), true, err);
}

int memory_room_check_preparation(
    const struct measured_strategy *measured, struct error *err)
{
	const struct footprint footprint =
	    preparation_footprint(measured->session, measured->strategy);

	return footprint_check(
	    &footprint, session_room(measured->session), false, err);
}

/* Lets waiting trials rest if the next work needs their memory. */
static void make_room(
    struct measured_strategy *measured, const struct footprint *footprint)
{
	struct measured_strategy *others = measured->others;

	if (footprint_fits(footprint, memory_available("")))
		return;
	batch_freelist_clear(measured->session->freelist);
	for (size_t i = 0; i < measured->other_count; i++)
		for (unsigned t = 0; t < others[i].trial_count; t++)
			trial_rest(others[i].trials[t]);
	for (unsigned t = 0; t < measured->trial_count; t++)
		trial_rest(measured->trials[t]);
	trial_trim();
}

void memory_room_for_preparation(struct measured_strategy *measured)
{
	const struct footprint footprint =
	    preparation_footprint(measured->session, measured->strategy);

	make_room(measured, &footprint);
}

void memory_room_for_load(
    struct measured_strategy *measured, struct trial_mode mode)
{
	const struct footprint footprint =
	    load_footprint(measured->session, measured->strategy, mode);

	make_room(measured, &footprint);
}
