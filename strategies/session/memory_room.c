/*
 * memory_room.c - see session_state.h: what fits into memory, and making
 * room for it.
 */
#include "lib/base/error.h"
#include "lib/loader/spare.h"
#include "lib/measure/memory.h"
#include "lib/measure/system.h"
#include "strategies/forecast/footprint.h"
#include "strategies/session/measured_strategy.h"

/* Of the memory that is free: what loaders that wait may take. */
enum { OPEN_SHARE = 4 };

/*
 * What a preparation or a trial may hold now: what trials that wait hold can be
 * had back.
 */
static uint64_t session_room(const struct session *session)
{
	const uint64_t held = usage_anonymous();

	return memory_available("") + (held > session->base_anonymous
	                                      ? held - session->base_anonymous
	                                      : 0);
}

static struct footprint load_footprint(const struct session *session,
    const struct strategy *strategy, unsigned threads, enum cache_mode cache)
{
	const struct session_plan *plan = session->plan;

	return footprint_of_load(plan->model, strategy,
	    &(struct load){ .samples = plan->source->samples,
	        .threads = threads,
	        .cache = cache });
}

static struct footprint preparation_footprint(
    const struct session *session, const struct strategy *strategy)
{
	const struct session_plan *plan = session->plan;

	return footprint_of_preparation(plan->model, strategy,
	    &(struct load){
	        .samples = plan->source->samples, .threads = session->threads },
	    plan->work_dir);
}

/* The larger one, where it fits at all. */
static void note_most(struct footprint footprint, uint64_t room, double *most)
{
	const double need = footprint_bytes(&footprint);

	if (footprint_fits(&footprint, room) && need > *most)
		*most = need;
}

void session_limit_waiting(struct session *session)
{
	const struct strategies *all = session->plan->strategies;
	const struct plan *plan = session->plan->plan;
	const uint64_t room = memory_available("");
	double most = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct strategy *s = &all->list[i];

		note_most(preparation_footprint(session, s), room, &most);
		for (unsigned t = 0; t < plan->load.thread_count; t++)
			for (unsigned k = 0; k < plan->load.cache_count; k++)
				note_most(load_footprint(session, s,
				              plan->load.threads[t],
				              plan->load.caches[k]),
				    room, &most);
	}
	session->open_bytes = room / OPEN_SHARE;
	if ((double)room * 7 / 8 - most < (double)session->open_bytes)
		session->open_bytes = 0;
}

int subject_check_load(const struct subject *c, unsigned threads,
    enum cache_mode cache, struct error *err)
{
	const struct footprint footprint =
	    load_footprint(c->session, c->strategy, threads, cache);

	return footprint_check(&footprint, session_room(c->session), true, err);
}

int subject_check_preparation(const struct subject *c, struct error *err)
{
	const struct footprint footprint =
	    preparation_footprint(c->session, c->strategy);

	return footprint_check(
	    &footprint, session_room(c->session), false, err);
}

/* Those that wait give back what they hold, where the next one needs it. */
static void make_room(struct subject *c, const struct footprint *footprint)
{
	struct subject *others = c->others;

	if (footprint_fits(footprint, memory_available("")))
		return;
	spare_clear(c->session->spare);
	for (size_t i = 0; i < c->other_count; i++)
		for (unsigned t = 0; t < others[i].trial_count; t++)
			trial_rest(others[i].trials[t]);
	for (unsigned t = 0; t < c->trial_count; t++)
		trial_rest(c->trials[t]);
	trial_trim();
}

void subject_make_room_to_prepare(struct subject *c)
{
	const struct footprint footprint =
	    preparation_footprint(c->session, c->strategy);

	make_room(c, &footprint);
}

void subject_make_room_to_load(
    struct subject *c, unsigned threads, enum cache_mode cache)
{
	const struct footprint footprint =
	    load_footprint(c->session, c->strategy, threads, cache);

	make_room(c, &footprint);
}
