/* shard_maker.c - see shard_maker.h. */
#include "strategies/prepare/shard_maker.h"

#include "lib/base/clock.h"
#include "lib/stores/frames.h"
#include "lib/stores/manifest.h"
#include "lib/stores/sink.h"
#include "strategies/prepare/claim.h"
#include "strategies/prepare/costs.h"
#include "strategies/prepare/finished.h"
#include "strategies/prepare/preparer.h"
#include "strategies/prepare/shuffled_shard.h"

static uint64_t now(void)
{
	return clock_now(&clock_monotonic);
}

/* Completes the cost of a shard: parts that were not measured are the rest. */
static void complete_cost(struct preparer *worker,
    const struct write_times *times, const struct preparer_moment *began)
{
	const uint64_t wall_ns = now() - began->wall_ns;
	struct shard_cost *cost = worker->cost;

	cost->cpu_ns = clock_now(&clock_thread_cpu) - began->cpu_ns;
	cost->output_cpu_ns = times->output_cpu_ns;
	cost->make_ns = cost_rest(
	    wall_ns, cost->read_ns + cost->compress_ns + worker->storing_ns);
	cost->store_ns = cost_rest(
	    worker->storing_ns, times->compress_ns + times->write_ns +
	                            times->sync_ns + times->frames_ns);
	cost->compress_ns += times->compress_ns;
	cost->write_ns = times->write_ns;
	cost->sync_ns = times->sync_ns;
	cost->read_ns += times->frames_ns;
}

static int fetch(struct preparer *worker, void *stream)
{
	const struct reader *source = worker->job->source;
	const struct preparer_moment began = preparer_moment();
	int got;

	chunk_reset(&worker->chunk);
	got = source->ops->stream_fetch(stream, &worker->chunk, &worker->err);
	preparer_has_read(worker, &began);
	return got;
}

static int do_stream(
    struct preparer *worker, struct shard_writer *writer, size_t index)
{
	const struct reader *source = worker->job->source;
	struct preparer_moment began = preparer_moment();
	void *stream = source->ops->stream_open(source, index, &worker->err);
	int got = -1;

	preparer_has_read(worker, &began);
	if (!stream)
		return -1;
	for (;;) {
		got = fetch(worker, stream);
		if (got <= 0)
			break;
		worker->chunk.stream = index;
		if (preparer_chunk(worker, writer)) {
			got = -1;
			break;
		}
	}
	began = preparer_moment();
	source->ops->stream_close(stream);
	preparer_has_read(worker, &began);
	return got;
}

/* Counts the samples, if none is skipped and each gives one. */
static uint64_t expected_samples(const struct preparation *job, unsigned shard)
{
	const struct reader *source = job->source;
	uint64_t samples = 0;

	if (job->way == ORDER_WHOLE)
		return job->first[shard + 1] - job->first[shard];
	for (size_t s = job->first[shard]; s < job->first[shard + 1]; s++)
		samples += source->ops->stream_samples(
		    source, preparation_stream(job, s));
	return samples;
}

static void begin_shard(
    struct preparer *worker, struct shard_writer *writer, unsigned shard)
{
	const struct preparation *job = worker->job;

	if (!pipeline_changes_count(
	        job->plan->pipeline, job->from, job->plan->strategy->split))
		shard_writer_expect(writer, expected_samples(job, shard));
	if (job->plan->sums)
		shard_writer_sum(writer, &job->plan->sums[shard]);
}

/* Copies the shard from the frames of another strategy. */
static int copy_shard(
    struct preparer *worker, struct shard_writer *writer, unsigned shard)
{
	const struct prepare_plan *plan = worker->job->plan;
	const struct prepare_other *from = plan->frames;
	const uint64_t start = now();
	uint64_t samples = 0;
	int rc;

	if (preparer_must_stop(worker))
		return error_set(
		    &worker->err, ERROR_INTERRUPTED, "interrupted");
	rc = shard_writer_copy(
	    writer, from->stored, &from->sums[shard], &samples, &worker->err);
	worker->storing_ns += now() - start;
	worker->samples += samples;
	if (rc == 0 && plan->progress)
		plan->progress(plan->arg, samples);
	return rc;
}

static int fill_shard(
    struct preparer *worker, struct shard_writer *writer, unsigned shard)
{
	const struct preparation *job = worker->job;

	begin_shard(worker, writer, shard);
	if (job->plan->frames)
		return copy_shard(worker, writer, shard);
	if (job->way == ORDER_WHOLE)
		return shuffled_shard_whole(worker, writer, shard);
	if (job->way == ORDER_WINDOWS)
		return shuffled_shard_windows(worker, writer, shard);
	for (size_t s = job->first[shard]; s < job->first[shard + 1]; s++)
		if (do_stream(worker, writer, s))
			return -1;
	return 0;
}

/* ERROR_DATA if a shard that is written anew is not as the manifest says. */
static int check_truth(const struct prepare_plan *plan, unsigned shard,
    const struct manifest_shard *made, struct error *err)
{
	if (!plan->folder.truth ||
	    manifest_has_shard(plan->folder.truth, shard, made))
		return 0;
	return error_set(err, ERROR_DATA,
	    "%s: shard %06u, written again, differs from its manifest: the "
	    "dataset, a step, presto or a library has changed since; "
	    "materialize to another folder",
	    plan->folder.dir, shard);
}

/* Another process may have made the same shard of the part meanwhile. */
static bool is_there(const struct preparer *worker, unsigned shard,
    const struct manifest_shard *made)
{
	const struct preparation *job = worker->job;
	const struct shard_place place = { job->plan->medium,
		job->plan->folder.dir, &job->form,
		job->plan->folder.first_shard + shard };

	return job->plan->folder.is_part &&
	       shard_is_complete(&place, &made->index);
}

/* Gives the shard its names once its content is known and noted. */
static int commit(
    struct preparer *worker, struct shard_writer *writer, unsigned shard)
{
	const struct prepare_plan *plan = worker->job->plan;
	const uint64_t start = now();
	struct manifest_shard made;
	int rc = shard_writer_finish(writer, &made, &worker->err);

	if (rc == 0)
		rc = check_truth(plan, shard, &made, &worker->err);
	if (rc == 0 && plan->folder.claim)
		rc = claim_check(plan->folder.claim, &worker->err);
	if (rc == 0 && plan->folder.finished)
		rc = finished_add(
		    plan->folder.finished, shard, &made.index, &worker->err);
	if (rc == 0 && !is_there(worker, shard, &made))
		rc = shard_writer_commit(writer, &worker->err);
	worker->storing_ns += now() - start;
	return rc;
}

int shard_make(struct preparer *worker, unsigned shard)
{
	struct preparation *job = worker->job;
	const struct prepare_plan *plan = job->plan;
	const struct preparer_moment began = preparer_moment();
	const uint64_t losses = mapping_losses();
	struct shard_writer *writer;
	int rc = -1;

	if (plan->folder.stands && plan->folder.stands[shard])
		return 0;
	worker->cost = &job->costs[shard];
	worker->storing_ns = 0;
	writer = shard_writer_new(plan->medium, plan->folder.dir, &job->form,
	    plan->folder.first_shard + shard, &worker->err);
	if (!writer)
		return -1;
	worker->storing_ns += now() - began.wall_ns;
	rc = mapping_judge(
	    losses, fill_shard(worker, writer, shard), &worker->err);
	if (rc == 0)
		rc = commit(worker, writer, shard);
	complete_cost(worker, shard_writer_times(writer), &began);
	shard_writer_free(writer);
	return rc;
}
