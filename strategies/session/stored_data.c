/* stored_data.c - see measured_strategy.h: what a strategy loads, and room for
 * it. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/path.h"
#include "lib/measure/residency.h"
#include "lib/media/medium.h"
#include "lib/stores/frames.h"
#include "lib/stores/store.h"
#include "strategies/forecast/reuse.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/shard_count.h"
#include "strategies/prepare/costs.h"
#include "strategies/prepare/prepare.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/workdir.h"

static void tell_sample(void *arg, uint64_t samples)
{
	struct session *session = arg;

	session_tell(session, session->unit_s * (double)samples);
}

int subject_check_room(const struct subject *c, struct error *err)
{
	const struct session_plan *plan = c->session->plan;
	const double need = model_storage_bytes(
	    plan->model, c->strategy, plan->source->samples);
	uint64_t room, used = 0;
	const char *limit = "";
	char a[UNITS_TEXT], b[UNITS_TEXT];

	if (path_free_bytes(c->session->work_dir, &room, err) ||
	    path_bytes(c->session->work_dir, &used, err))
		return -1;
	if (plan->max_disk && plan->max_disk < room + used) {
		room = plan->max_disk > used ? plan->max_disk - used : 0;
		limit = " (--max-disk)";
	}
	if (need > (double)room)
		return error_set(err, ERROR_LIMIT,
		    "needs about %s on disk, there is room for %s%s",
		    units_bytes(need, a), units_bytes((double)room, b), limit);
	return 0;
}

/* ---- what others have stored ---- */

/* Is it there, as this one would make it on the way, in as many shards? */
static bool is_usable(const struct subject *c, const struct subject *other)
{
	return other->stored && other->costs && !other->over &&
	       other->verified && other->prep.equivalent == EQUIVALENT_YES &&
	       other->shards == c->shards;
}

/* What a preparation takes over; no reader: nothing. */
struct reuse {
	struct prepare_other samples, frames;
	/* The strategies that have stored them; NULL: none. */
	const struct subject *sampled, *framed;
};

static struct prepare_other other_of(const struct subject *other)
{
	return (struct prepare_other){
		.stored = other->stored,
		.split = other->strategy->split,
		.costs = other->costs,
		.sums = other->sums,
		.bytes_read = other->prep.bytes_read,
		.skipped = other->prep.skipped,
	};
}

static double samples_save_s(
    const struct subject *c, const struct subject *other)
{
	const struct session_plan *plan = c->session->plan;

	return reuse_saves_s(plan->model, other->strategy, c->strategy,
	    &(struct load){ .samples = plan->source->samples,
	        .threads = c->session->threads });
}

static struct reuse find_reuse(
    const struct subject *c, const struct subject *others, size_t count)
{
	const struct pipeline *pipeline = c->session->plan->pipeline;
	struct reuse reuse = { .samples = { .stored = NULL } };
	double saved_s = 0; /* by the samples */

	if (!plan_reuses(c->session->plan->plan))
		return reuse;
	for (size_t i = 0; i < count; i++) {
		const struct subject *other = &others[i];

		if (!is_usable(c, other))
			continue;
		if (reuse_gives_samples(other->strategy, c->strategy) &&
		    samples_save_s(c, other) >= saved_s) {
			reuse.samples = other_of(other);
			reuse.sampled = other;
			saved_s = samples_save_s(c, other);
		}
		if (reuse_gives_frames(
		        pipeline, other->strategy, c->strategy)) {
			reuse.frames = other_of(other);
			reuse.framed = other;
		}
	}
	return reuse;
}

/* ---- preparation ---- */

static void note_preparation(struct subject *c, const struct prepared *made)
{
	c->prep.wall_ns = made->wall_ns;
	c->prep.cpu_ns = made->cpu_ns;
	c->prep.bytes_read = made->bytes_read;
	c->prep.samples = made->samples;
	c->prep.skipped = made->skipped;
	c->prep.read_ns = made->parts.read_ns;
	c->prep.compute_ns = made->parts.compute_ns;
	c->prep.compress_ns = made->parts.compress_ns;
	c->prep.write_ns = made->parts.write_ns;
	c->prep.sync_ns = made->parts.sync_ns;
}

static int prepare(
    struct subject *c, const struct prepare_plan *plan, struct error *err)
{
	struct monitor *monitor = c->session->monitor;
	struct prepared made;
	int rc;

	monitor_begin(monitor, "prepare",
	    &(struct monitor_target){ .label = c->strategy->label }, 0);
	rc = prepare_run(plan, &made, err);
	monitor_end(monitor);
	if (rc || path_bytes(c->dir, &c->prep.storage_bytes, err))
		return -1;
	note_preparation(c, &made);
	return 0;
}

static int prepare_from(
    struct subject *c, const struct reuse *reuse, struct error *err)
{
	struct session *session = c->session;
	const struct session_plan *plan = session->plan;
	const struct prepare_plan how = {
		.source = plan->source,
		.pipeline = plan->pipeline,
		.strategy = c->strategy,
		.order = plan->plan->strategies.order,
		.samples = reuse->samples.stored ? &reuse->samples : NULL,
		.frames = reuse->frames.stored ? &reuse->frames : NULL,
		.medium = plan->medium,
		.dir = c->dir,
		.threads = session->threads,
		.shards = c->shards,
		.seed = plan->plan->measure.seed,
		.skip_errors = plan->skip_errors,
		.fingerprint = session->fingerprint,
		.costs = c->costs,
		.sums = c->sums,
		.stop = plan->stop,
		.progress = tell_sample,
		/* Of what another strategy stored the names are others. */
		.skipped = reuse->samples.stored || reuse->frames.stored
		               ? NULL
		               : plan->skipped,
		.arg = session,
	};
	double resident;

	/* From a cold source, into a folder that may be left of a try. */
	if ((!how.samples && !how.frames &&
	        residency_drop(plan->source, &session->source_drop_failed,
	            &resident, err)) ||
	    path_remove_tree(c->dir, err) || path_make_dirs(c->dir, err))
		return -1;
	return prepare(c, &how, err);
}

static int make_stored(struct subject *c, const struct subject *others,
    size_t count, struct error *err)
{
	struct session *session = c->session;
	const struct session_plan *plan = session->plan;
	const struct prediction p = model_predict(plan->model, c->strategy,
	    &(struct load){ .samples = plan->source->samples,
	        .threads = session->threads });
	struct reuse reuse;

	c->shards = shard_count(plan->source, &plan->plan->strategies.order,
	    plan->plan->strategies.shards, p.storage_bytes);
	c->costs = calloc(c->shards, sizeof(*c->costs));
	c->sums = calloc(c->shards, sizeof(*c->sums));
	if (!c->costs || !c->sums)
		return error_memory(err, c->shards * sizeof(*c->costs));
	session->unit_s = session_prepare_seconds(plan, c->strategy) /
	                  (double)plan->source->samples;
	snprintf(session->what, sizeof(session->what), "preparing %s",
	    c->strategy->label);
	reuse = find_reuse(c, others, count);
	c->prep.samples_from = reuse.sampled ? reuse.sampled->id : 0;
	c->prep.frames_from = reuse.framed ? reuse.framed->id : 0;
	if (prepare_from(c, &reuse, err))
		return -1;
	/* Frames of one that was checked, and they hold the same bytes. */
	c->framed = reuse.framed;
	c->proven = reuse.framed;
	return 0;
}

int subject_make_data(struct subject *c, const struct subject *others,
    size_t count, struct error *err)
{
	const struct session_plan *plan = c->session->plan;

	if (c->strategy->unprocessed) {
		c->reader = plan->source;
		c->prep.storage_bytes = plan->source->bytes;
		c->prep.samples = plan->source->samples;
		return 0;
	}
	c->dir = workdir_data(c->session->work_dir, c->strategy->label, err);
	if (!c->dir || make_stored(c, others, count, err))
		return -1;
	c->stored = store_open(plan->medium, c->dir, err);
	c->reader = c->stored;
	return c->reader ? 0 : -1;
}
