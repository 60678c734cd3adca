/* subject_data.c - see subject.h: what a strategy loads, and room for it. */
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/base/path.h"
#include "lib/base/units.h"
#include "lib/measure/residency.h"
#include "lib/media/medium.h"
#include "lib/stores/store.h"
#include "strategies/prepare.h"
#include "strategies/subject.h"
#include "strategies/workdir.h"

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

static int prepare(struct subject *c, struct error *err)
{
	struct session *session = c->session;
	const struct session_plan *plan = session->plan;
	const struct prediction p = model_predict(plan->model, c->strategy,
	    &(struct load){ .samples = plan->source->samples,
	        .threads = session->threads });
	const struct prepare_plan how = {
		.source = plan->source,
		.pipeline = plan->pipeline,
		.strategy = c->strategy,
		.medium = plan->medium,
		.dir = c->dir,
		.threads = session->threads,
		.shards = prepare_shards(
		    plan->source, plan->plan->shards, p.storage_bytes),
		.seed = plan->plan->seed,
		.skip_errors = plan->skip_errors,
		.fingerprint = session->fingerprint,
		.stop = plan->stop,
		.progress = tell_sample,
		.skipped = NULL, /* the same as told for unprocessed */
		.arg = session,
	};
	struct prepared made;
	double resident;
	int rc;

	session->unit_s = p.prep_s / (double)plan->source->samples;
	snprintf(session->what, sizeof(session->what), "preparing %s",
	    c->strategy->label);
	/* From a cold source, into a folder that may be left of a try. */
	if (residency_drop(plan->source, &resident, err) ||
	    path_remove_tree(c->dir, err) || path_make_dirs(c->dir, err))
		return -1;
	watch_begin(session->watch, "prepare",
	    &(struct watch_whom){ .label = c->strategy->label }, 0);
	rc = prepare_run(&how, &made, err);
	watch_end(session->watch);
	if (rc || path_bytes(c->dir, &c->prep.storage_bytes, err))
		return -1;
	c->prep.wall_ns = made.wall_ns;
	c->prep.cpu_ns = made.cpu_ns;
	c->prep.bytes_read = made.bytes_read;
	c->prep.samples = made.samples;
	c->prep.skipped = made.skipped;
	c->prep.read_ns = made.parts.read_ns;
	c->prep.compute_ns = made.parts.compute_ns;
	c->prep.compress_ns = made.parts.compress_ns;
	c->prep.write_ns = made.parts.write_ns;
	c->prep.sync_ns = made.parts.sync_ns;
	return 0;
}

int subject_make_data(struct subject *c, struct error *err)
{
	const struct session_plan *plan = c->session->plan;

	if (c->strategy->unprocessed) {
		c->reader = plan->source;
		c->prep.storage_bytes = plan->source->bytes;
		c->prep.samples = plan->source->samples;
		return 0;
	}
	c->dir = workdir_data(c->session->work_dir, c->strategy->label, err);
	if (!c->dir || prepare(c, err))
		return -1;
	c->stored = store_open(plan->medium, c->dir, err);
	c->reader = c->stored;
	return c->reader ? 0 : -1;
}
