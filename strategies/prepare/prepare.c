/* prepare.c - see prepare.h. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/stores/manifest.h"
#include "lib/stores/sink.h"
#include "lib/stores/store.h"
#include "strategies/prepare/costs.h"
#include "strategies/prepare/prepare.h"
#include "strategies/prepare/preparer.h"
#include "strategies/prepare/shard_maker.h"
#include "strategies/prepare/shuffled_shard.h"

/* Draws the order of samples or streams; windows draw their own. */
static int draw_order(struct preparation *job, struct error *err)
{
	const struct prepare_plan *plan = job->plan;
	const struct reader *source = job->source;
	uint64_t count = source->streams;

	job->way = job->source == plan->source
	               ? stored_order_way(&plan->order, source)
	               : ORDER_GIVEN; /* stored data is in the right order */
	if (job->way == ORDER_GIVEN)
		return 0;
	if (job->way == ORDER_WHOLE)
		count = source->samples;
	return permutation_init(
	    &job->permutation, count, plan->order.seed, ORDER_USE_ALL, err);
}

/*
 * Assigns each stream to a shard by the number of its first sample. Streams of
 * stored data are shards themselves.
 */
static void divide_streams(struct preparation *job)
{
	const struct reader *source = job->source;
	const unsigned shards = job->plan->shards;
	const bool is_stored = job->source != job->plan->source;
	uint64_t before = 0;
	unsigned next = 0;

	for (size_t s = 0; s < source->streams; s++) {
		const unsigned shard = (unsigned)((double)before * shards /
		                                  (double)source->samples);

		while (next <= (is_stored ? s : shard) && next < shards)
			job->first[next++] = s;
		before += source->ops->stream_samples(
		    source, preparation_stream(job, s));
	}
	while (next <= shards)
		job->first[next++] = source->streams;
}

/* Divides streams, or samples of the permutation, among the shards. */
static int divide(struct preparation *job, struct error *err)
{
	const unsigned shards = job->plan->shards;

	job->first = calloc(shards + 1, sizeof(*job->first));
	if (!job->first)
		return error_memory(err, (shards + 1) * sizeof(*job->first));
	if (draw_order(job, err))
		return -1;
	if (job->way != ORDER_WHOLE)
		divide_streams(job);
	else
		for (unsigned i = 0; i <= shards; i++)
			job->first[i] =
			    (size_t)(job->source->samples / shards * i) +
			    (size_t)(job->source->samples % shards * i /
			             shards);
	return 0;
}

/* Returns the number of the first sample of each stream; owned. */
static uint64_t *stream_starts(const struct reader *source, struct error *err)
{
	uint64_t *starts = calloc(source->streams + 1, sizeof(*starts));

	if (!starts)
		error_memory(err, source->streams * sizeof(*starts));
	for (size_t i = 0; starts && i < source->streams; i++)
		starts[i + 1] =
		    starts[i] + source->ops->stream_samples(source, i);
	return starts;
}

static void visit_shard(const struct preparation *job, const uint64_t *starts,
    unsigned shard, prepare_visit *visit, void *arg)
{
	for (size_t i = job->first[shard]; i < job->first[shard + 1]; i++) {
		const size_t stream = starts ? preparation_stream(job, i) : 0;

		if (!starts)
			visit(arg, shard, permutation_at(&job->permutation, i));
		else
			for (uint64_t n = starts[stream];
			     n < starts[stream + 1]; n++)
				visit(arg, shard, n);
	}
}

int prepare_each_sample(const struct prepare_plan *plan, prepare_visit *visit,
    void *arg, struct error *err)
{
	struct preparation job = { .plan = plan, .source = plan->source };
	uint64_t *starts = NULL;
	int rc = divide(&job, err);

	if (rc == 0 && job.way != ORDER_WHOLE) {
		starts = stream_starts(plan->source, err);
		rc = starts ? 0 : -1;
	}
	for (unsigned i = 0; rc == 0 && i < plan->shards; i++)
		visit_shard(&job, starts, i, visit, arg);
	free(starts);
	free(job.first);
	permutation_release(&job.permutation);
	return rc;
}

static uint64_t now(void)
{
	return clock_now(&clock_monotonic);
}

static void *worker_main(void *arg)
{
	struct preparer *worker = arg;
	struct preparation *job = worker->job;
	unsigned next;
	int rc = 0;

	while (rc == 0 && (next = atomic_fetch_add(&job->next_shard, 1)) <
	                      job->plan->shards)
		rc = shard_make(worker, job->order ? job->order[next] : next);
	pthread_mutex_lock(&job->lock);
	if (rc && !atomic_exchange(&job->failed, true))
		job->err = worker->err;
	job->prepared.samples += worker->samples;
	job->prepared.skipped += worker->skipped;
	job->prepared.filtered += worker->filtered;
	pthread_mutex_unlock(&job->lock);
	return NULL;
}

/* Runs the workers; all that were started are joined in any case. */
static int run_workers(
    struct preparation *job, struct preparer *workers, struct error *err)
{
	unsigned started = 0;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < job->plan->threads; i++) {
		if (preparer_init(&workers[i], job, err))
			rc = -1;
		else if (pthread_create(&workers[i].thread, NULL, worker_main,
		             &workers[i]))
			rc = error_set(err, ERROR_SYSTEM,
			    "cannot start worker thread %u", i + 1);
		else
			started++;
	}
	if (rc)
		atomic_store(&job->failed, true);
	for (unsigned i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	for (unsigned i = 0; i < job->plan->threads && workers[i].job; i++) {
		shuffled_window_free(workers[i].window);
		preparer_release(&workers[i]);
	}
	if (rc == 0 && atomic_load(&job->failed)) {
		*err = job->err;
		rc = -1;
	}
	return rc;
}

/* ---- time measured and time charged ---- */

/* The strategy whose data is read; NULL: the source is. */
static const struct prepare_other *taken_from(const struct prepare_plan *plan)
{
	return plan->frames ? plan->frames : plan->samples;
}

/* Replaces measured time by what the strategy alone would have taken. */
static void charge(struct preparation *job)
{
	const struct prepare_plan *plan = job->plan;
	const struct prepare_other *other = taken_from(plan);
	struct prepared *prepared = &job->prepared;
	struct shard_cost before = { 0 }, after = { 0 };
	uint64_t span = shard_costs_span(
	    job->costs, plan->shards, job->order, plan->threads);

	for (unsigned i = 0; i < plan->shards; i++) {
		struct shard_cost *cost = &job->costs[i];

		shard_cost_add(&before, cost);
		if (plan->frames)
			*cost =
			    shard_cost_of_frames(cost, &plan->frames->costs[i]);
		else if (plan->samples)
			*cost = shard_cost_of_samples(cost,
			    &plan->samples->costs[i],
			    plan->samples->split < plan->strategy->split);
		shard_cost_add(&after, cost);
	}
	shard_cost_add(&prepared->cost, &after);
	prepared->cpu_ns =
	    cost_rest(prepared->cpu_ns + after.cpu_ns, before.cpu_ns);
	/* starting threads and writing the manifest count as measured */
	prepared->wall_ns =
	    cost_rest(prepared->wall_ns, span) +
	    shard_costs_span(job->costs, plan->shards, NULL, plan->threads);
	if (other) {
		prepared->bytes_read = other->bytes_read;
		prepared->skipped += other->skipped;
		prepared->filtered += other->filtered;
	}
}

static int describe(
    void *arg, struct sink *sink, struct manifest *manifest, struct error *err)
{
	const struct preparation *job = arg;

	return job->plan->folder.describe(job->plan, sink, manifest, err);
}

/* Writes the manifest, by the caller's thread, when all shards are there. */
static int finish(struct preparation *job, struct error *err)
{
	const struct prepare_plan *plan = job->plan;
	char order[ORDER_TEXT];
	const struct manifest_note note = {
		.strategy = plan->strategy->label,
		.fingerprint = plan->folder.fingerprint,
		.describe = plan->folder.describe ? describe : NULL,
		.arg = job,
		.shuffle = stored_order_text(&plan->order, plan->source, order),
		.version = plan->folder.truth ? plan->folder.truth->version : 0,
	};
	struct sink sink = { .medium = plan->medium };
	struct shard_cost *cost = &job->prepared.cost;
	const uint64_t start = now();
	const int rc = manifest_write(
	    &sink, plan->folder.dir, &job->form, plan->shards, &note, err);

	cost->write_ns += sink.times.write_ns;
	cost->sync_ns += sink.times.sync_ns;
	cost->store_ns +=
	    cost_rest(now() - start, sink.times.write_ns + sink.times.sync_ns);
	return rc;
}

/*
 * Takes the longest shards first, if another strategy's costs say which these
 * are. Charged time is computed in order of the numbers all the same: without
 * that strategy the lengths would not be known.
 */
static int find_order(struct preparation *job, struct error *err)
{
	const struct prepare_other *other = taken_from(job->plan);
	const unsigned shards = job->plan->shards;

	if (!other)
		return 0;
	job->order = calloc(shards + 1, sizeof(*job->order));
	if (!job->order)
		return error_memory(err, (shards + 1) * sizeof(*job->order));
	return shard_costs_order(other->costs, shards, job->order, err);
}

static int run(
    struct preparation *job, struct preparer *workers, struct error *err)
{
	const struct prepare_plan *plan = job->plan;
	const struct strategy *strategy = plan->strategy;
	struct prepared *prepared = &job->prepared;
	const uint64_t start = now();
	const uint64_t read = medium_bytes_read(plan->medium);
	struct usage before, after;

	usage_read(&before);
	if (store_form_init(&job->form, strategy->store, &strategy->codec,
	        &plan->pipeline->schemas[strategy->split], err) ||
	    divide(job, err) || find_order(job, err) ||
	    run_workers(job, workers, err))
		return -1;
	prepared->bytes_read = medium_bytes_read(plan->medium) - read;
	if (!plan->folder.is_part && finish(job, err))
		return -1;
	usage_read(&after);
	prepared->wall_ns = now() - start;
	prepared->cpu_ns =
	    after.user_ns + after.system_ns - before.user_ns - before.system_ns;
	charge(job);
	return 0;
}

int prepare_run(const struct prepare_plan *plan, struct prepared *prepared,
    struct error *err)
{
	const struct prepare_other *other = taken_from(plan);
	struct preparation job = {
		.plan = plan,
		.source = other ? other->stored : plan->source,
		.from = other ? other->split : 0,
		.costs = calloc(plan->shards, sizeof(*job.costs)),
	};
	struct preparer *workers = calloc(plan->threads, sizeof(*workers));
	int rc;

	pthread_mutex_init(&job.lock, NULL);
	if (workers && job.costs)
		rc = run(&job, workers, err);
	else
		rc = error_memory(err, plan->threads * sizeof(*workers));
	if (rc == 0 && plan->costs)
		memcpy(
		    plan->costs, job.costs, plan->shards * sizeof(*job.costs));
	*prepared = job.prepared;
	pthread_mutex_destroy(&job.lock);
	free(job.order);
	free(job.first);
	permutation_release(&job.permutation);
	free(job.costs);
	free(workers);
	return rc;
}
