/* stored_data.c - see stored_data.h. */
#include "strategies/session/stored_data.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/own_folder.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/measure/storage/residency.h"
#include "lib/media/medium.h"
#include "lib/stores/frames.h"
#include "lib/stores/store.h"
#include "strategies/forecast/reuse.h"
#include "strategies/plan/plan.h"
#include "strategies/prepare/costs.h"
#include "strategies/prepare/prepare.h"
#include "strategies/session/duration.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/session_state.h"

static void tell_sample(void *arg, uint64_t samples)
{
	struct session *session = arg;

	messages_advance(&session->messages, (double)samples);
}

int stored_data_check_room(
    const struct measured_strategy *measured, struct error *err)
{
	const struct session_plan *plan = measured->session->plan;
	const double need = model_storage_bytes(
	    plan->model, measured->strategy, measured->source->reader->samples);
	uint64_t room, used = 0;
	const char *limit = "";
	char a[UNITS_TEXT], b[UNITS_TEXT];

	if (path_free_bytes(measured->session->folder.path, &room, err) ||
	    path_bytes(measured->session->folder.path, &used, err))
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

bool stored_data_is_crowded(const struct measured_strategy *measured)
{
	const struct session *session = measured->session;
	const double need = model_storage_bytes(session->plan->model,
	    measured->strategy, measured->source->reader->samples);
	struct error ignored = ERROR_INIT;
	uint64_t room, used = 0;

	if (path_free_bytes(session->folder.path, &room, &ignored) ||
	    path_bytes(session->folder.path, &used, &ignored))
		return false;
	return need + (double)used > (double)(room + used) / 2;
}

/* ---- data of other strategies ---- */

/* Is the data of `other` there, verified, and in as many shards? */
static bool is_usable(const struct measured_strategy *measured,
    const struct measured_strategy *other)
{
	return other->data.reader && other->data.costs && !other->over &&
	       other->verified && other->prep.equivalent == EQUIVALENT_YES &&
	       other->data.shards == measured->data.shards &&
	       other->source == measured->source;
}

/* Data of others that a preparation starts from; no reader: none. */
struct reuse {
	struct prepare_other samples, frames;
	/* Their strategies; NULL: none. */
	const struct measured_strategy *sampled, *framed;
};

static struct prepare_other other_of(const struct measured_strategy *other)
{
	return (struct prepare_other){
		.stored = other->data.reader,
		.split = other->strategy->split,
		.costs = other->data.costs,
		.sums = other->data.sums,
		.bytes_read = other->prep.bytes_read,
		.skipped = other->prep.skipped,
		.filtered = other->prep.filtered,
	};
}

static double samples_save_s(const struct measured_strategy *measured,
    const struct measured_strategy *other)
{
	const struct session_plan *plan = measured->session->plan;
	const struct load load =
	    duration_preparation_load(plan, measured->strategy);

	return reuse_saves_s(
	    plan->model, other->strategy, measured->strategy, &load);
}

static struct reuse find_reuse(const struct measured_strategy *measured,
    const struct measured_strategy *others, size_t count)
{
	const struct pipeline *pipeline = measured->session->plan->pipeline;
	struct reuse reuse = { .samples = { .stored = NULL } };
	double saved_s = 0; /* by starting from samples */

	if (!plan_reuses(measured->session->plan->plan))
		return reuse;
	for (size_t i = 0; i < count; i++) {
		const struct measured_strategy *other = &others[i];

		if (!is_usable(measured, other))
			continue;
		if (reuse_gives_samples(
		        pipeline, other->strategy, measured->strategy) &&
		    samples_save_s(measured, other) >= saved_s) {
			reuse.samples = other_of(other);
			reuse.sampled = other;
			saved_s = samples_save_s(measured, other);
		}
		if (reuse_gives_frames(
		        pipeline, other->strategy, measured->strategy)) {
			reuse.frames = other_of(other);
			reuse.framed = other;
		}
	}
	return reuse;
}

/* ---- preparation ---- */

static void note_preparation(
    struct measured_strategy *measured, const struct prepared *made)
{
	measured->prep.wall_ns = made->wall_ns;
	measured->prep.cpu_ns = made->cpu_ns;
	measured->prep.bytes_read = made->bytes_read;
	measured->prep.samples = made->samples;
	measured->prep.skipped = made->skipped;
	measured->prep.filtered = made->filtered;
	measured->prep.read_ns = made->cost.read_ns;
	measured->prep.compute_ns = made->cost.make_ns + made->cost.store_ns;
	measured->prep.compress_ns = made->cost.compress_ns;
	measured->prep.write_ns = made->cost.write_ns;
	measured->prep.sync_ns = made->cost.sync_ns;
}

static int prepare(struct measured_strategy *measured,
    const struct prepare_plan *plan, struct error *err)
{
	struct monitor *monitor = measured->session->host.monitor;
	struct prepared made;
	int rc;

	monitor_begin(monitor, "prepare",
	    &(struct monitor_target){ .label = measured->strategy->label }, 0);
	rc = prepare_run(plan, &made, err);
	monitor_end(monitor);
	if (rc ||
	    path_bytes(measured->data.dir, &measured->prep.storage_bytes, err))
		return -1;
	note_preparation(measured, &made);
	return 0;
}

static int prepare_from(struct measured_strategy *measured,
    const struct reuse *reuse, struct error *err)
{
	struct session *session = measured->session;
	const struct session_plan *plan = session->plan;
	const struct prepare_plan how = {
		.source = measured->source->reader,
		.pipeline =
		    strategy_pipeline(measured->strategy, plan->pipeline),
		.strategy = measured->strategy,
		.order = plan->plan->strategies.order,
		.samples = reuse->samples.stored ? &reuse->samples : NULL,
		.frames = reuse->frames.stored ? &reuse->frames : NULL,
		.medium = plan->medium,
		.folder.dir = measured->data.dir,
		.threads = session->threads,
		.shards = measured->data.shards,
		.seed = plan->plan->measure.seed,
		.skip_errors = plan->skip_errors,
		.folder.fingerprint = session->fingerprint,
		.costs = measured->data.costs,
		.sums = measured->data.sums,
		.stop = plan->stop,
		.progress = tell_sample,
		/* samples of stored data have other names */
		.skipped = reuse->samples.stored || reuse->frames.stored
		               ? NULL
		               : plan->skipped,
		.arg = session,
	};
	struct residency found;

	/* Starts with a cold source, and removes what an earlier try left. */
	if ((!how.samples && !how.frames &&
	        residency_drop(measured->source->reader,
	            &session->source.drop_failed, &found, err)) ||
	    path_remove_tree(measured->data.dir, err) ||
	    path_make_dirs(measured->data.dir, err))
		return -1;
	return prepare(measured, &how, err);
}

static int make_stored(struct measured_strategy *measured,
    const struct measured_strategy *others, size_t count, struct error *err)
{
	struct session *session = measured->session;
	const struct session_plan *plan = session->plan;
	char title[STRATEGY_TITLE];
	struct reuse reuse;

	measured->data.costs =
	    calloc(measured->data.shards, sizeof(*measured->data.costs));
	measured->data.sums =
	    calloc(measured->data.shards, sizeof(*measured->data.sums));
	if (!measured->data.costs || !measured->data.sums)
		return error_memory(
		    err, measured->data.shards * sizeof(*measured->data.costs));
	messages_begin(&session->messages,
	    duration_of_preparation(plan, measured->strategy, others, count) /
	        (double)measured->source->reader->samples,
	    "preparing %s", strategy_title(measured->strategy, title));
	reuse = find_reuse(measured, others, count);
	measured->prep.samples_from = reuse.sampled ? reuse.sampled->id : 0;
	measured->prep.frames_from = reuse.framed ? reuse.framed->id : 0;
	if (prepare_from(measured, &reuse, err))
		return -1;
	measured->framed = reuse.framed;
	return 0;
}

int stored_data_make(struct measured_strategy *measured,
    const struct measured_strategy *others, size_t count, struct error *err)
{
	const struct session_plan *plan = measured->session->plan;
	const struct reader *source = measured->source->reader;
	char title[STRATEGY_TITLE];

	if (measured->strategy->unprocessed) {
		measured->reader = source;
		measured->prep.storage_bytes = source->bytes;
		measured->prep.samples = source->samples;
		return 0;
	}
	measured->data.dir = own_folder_below(measured->session->folder.path,
	    strategy_title(measured->strategy, title), err);
	if (!measured->data.dir || make_stored(measured, others, count, err))
		return -1;
	measured->data.reader =
	    store_open(plan->medium, measured->data.dir, err);
	measured->reader = measured->data.reader;
	return measured->reader ? 0 : -1;
}

int stored_data_release(
    struct stored_data *data, bool remove, struct error *err)
{
	int rc = 0;

	reader_free(data->reader);
	if (data->dir && remove)
		rc = path_remove_tree(data->dir, err);
	free(data->dir);
	free(data->costs);
	free(data->sums);
	*data = (struct stored_data){ .dir = NULL };
	return rc;
}
