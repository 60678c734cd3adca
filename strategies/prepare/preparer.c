/* preparer.c - see preparer.h. */
#include "strategies/prepare/preparer.h"

#include "lib/base/clock.h"
#include "lib/pipeline/chain.h"
#include "lib/sample/key.h"
#include "lib/sample/skipped.h"
#include "lib/stores/frames.h"
#include "lib/stores/manifest.h"
#include "lib/stores/sink.h"
#include "strategies/prepare/costs.h"
#include "strategies/prepare/finished.h"

static uint64_t now(void)
{
	return clock_now(&clock_monotonic);
}

/* ---- what the time goes into ---- */

struct preparer_moment preparer_moment(void)
{
	return (struct preparer_moment){ now(), clock_now(&clock_thread_cpu) };
}

void preparer_has_read(
    struct preparer *worker, const struct preparer_moment *began)
{
	worker->cost->read_ns += now() - began->wall_ns;
	worker->cost->read_cpu_ns +=
	    clock_now(&clock_thread_cpu) - began->cpu_ns;
}

/* What a shard took that began then: all is known that is told apart. */
static void complete_cost(struct preparer *worker,
    const struct write_times *times, const struct preparer_moment *began)
{
	const uint64_t wall_ns = now() - began->wall_ns;
	struct shard_cost *cost = worker->cost;

	cost->cpu_ns = clock_now(&clock_thread_cpu) - began->cpu_ns;
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

/* ---- samples ---- */

static bool must_stop(const struct preparer *worker)
{
	const struct prepare_plan *plan = worker->job->plan;

	return atomic_load(&worker->job->failed) ||
	       (plan->stop && atomic_load(plan->stop));
}

/* A sample that a step refused: noted, or the end. */
static int refuse(struct preparer *worker, const struct chunk *chunk,
    const struct sample *sample)
{
	const struct prepare_plan *plan = worker->job->plan;

	char where[KEY_TEXT];

	reader_where(worker->job->source, chunk, sample, where);
	if (!plan->skip_errors || worker->err.code != ERROR_DATA)
		return error_prefix(&worker->err, "sample %s", where);
	worker->skipped++;
	skipped_add(plan->skipped, where, worker->err.text);
	return 0;
}

/* The codec's transform; *made is then what is to be stored. */
static int transform(struct preparer *worker, const struct sample **made)
{
	uint64_t start;
	int rc;

	*made = &worker->out;
	if (!worker->transform)
		return 0;
	start = now();
	rc = chain_run(worker->transform, &worker->out, &worker->transformed,
	    &worker->err);
	worker->cost->compress_ns += now() - start;
	*made = &worker->transformed;
	return rc;
}

static int store(struct preparer *worker, struct shard_writer *writer,
    const struct sample *sample)
{
	const uint64_t start = now();
	const int rc = shard_writer_add(writer, sample, &worker->err);

	worker->storing_ns += now() - start;
	return rc;
}

/* All that comes of a sample. */
static int make_all(struct preparer *worker, struct shard_writer *writer,
    const struct chunk *chunk, const struct sample *in)
{
	if (chain_begin(worker->chain, in, &worker->err))
		return refuse(worker, chunk, in);
	while (chain_more(worker->chain)) {
		const struct sample *made = NULL;
		int got = chain_next(worker->chain, &worker->out, &worker->err);

		if (must_stop(worker))
			return error_set(
			    &worker->err, ERROR_INTERRUPTED, "interrupted");
		if (got > 0 && transform(worker, &made))
			got = -1;
		if (got < 0 && refuse(worker, chunk, in))
			return -1;
		if (got <= 0)
			continue;
		if (store(worker, writer, made))
			return -1;
		worker->samples++;
	}
	return 0;
}

int preparer_sample(struct preparer *worker, struct shard_writer *writer,
    const struct chunk *chunk, const struct sample *in)
{
	const struct prepare_plan *plan = worker->job->plan;

	if (must_stop(worker))
		return error_set(
		    &worker->err, ERROR_INTERRUPTED, "interrupted");
	if (make_all(worker, writer, chunk, in))
		return -1;
	if (plan->progress)
		plan->progress(plan->arg, 1);
	return 0;
}

int preparer_chunk(struct preparer *worker, struct shard_writer *writer)
{
	const struct reader *source = worker->job->source;
	struct chunk *chunk = &worker->chunk;
	struct sample in = SAMPLE_INIT;
	int got;

	if (reader_unpack(source, worker->unpacker, chunk, &worker->err))
		return -1;
	while ((got = source->ops->next(source, chunk, &in, &worker->err)) > 0)
		if (preparer_sample(worker, writer, chunk, &in))
			return -1;
	return got;
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

/* If none is skipped, and each gives one. */
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

size_t preparation_stream(const struct preparation *job, size_t place)
{
	return job->way == ORDER_WINDOWS ? job->permutation.at[place] : place;
}

static void begin_shard(
    struct preparer *worker, struct shard_writer *writer, unsigned shard)
{
	const struct preparation *job = worker->job;

	if (!pipeline_makes_many(
	        job->plan->pipeline, job->from, job->plan->strategy->split))
		shard_writer_expect(writer, expected_samples(job, shard));
	if (job->plan->sums)
		shard_writer_sum(writer, &job->plan->sums[shard]);
}

/* All of it is in another's frames. */
static int copy_shard(
    struct preparer *worker, struct shard_writer *writer, unsigned shard)
{
	const struct prepare_plan *plan = worker->job->plan;
	const struct prepare_other *from = plan->frames;
	const uint64_t start = now();
	uint64_t samples = 0;
	int rc;

	if (must_stop(worker))
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
		return preparer_whole(worker, writer, shard);
	if (job->way == ORDER_WINDOWS)
		return preparer_windows(worker, writer, shard);
	for (size_t s = job->first[shard]; s < job->first[shard + 1]; s++)
		if (do_stream(worker, writer, s))
			return -1;
	return 0;
}

/* Is the shard, written anew, what the manifest says? */
static int check_truth(const struct prepare_plan *plan, unsigned shard,
    const struct manifest_shard *made, struct error *err)
{
	const struct manifest_shard *known;

	if (!plan->truth)
		return 0;
	known = &plan->truth->shards[shard];
	if (made->samples == known->samples && made->stored == known->stored &&
	    made->checksum == known->checksum &&
	    (plan->truth->version < MANIFEST_FILES ||
	        file_sum_equal(&made->index, &known->index)))
		return 0;
	return error_set(err, ERROR_DATA,
	    "%s: shard %06u comes out as something else than its manifest "
	    "says: the dataset, a step, presto or a library has changed since, "
	    "so that it cannot be mended; materialize to another folder",
	    plan->dir, shard);
}

/* It gets its names when it is known what is in it. */
static int commit(
    struct preparer *worker, struct shard_writer *writer, unsigned shard)
{
	const struct prepare_plan *plan = worker->job->plan;
	const uint64_t start = now();
	struct manifest_shard made;
	int rc = shard_writer_finish(writer, &made, &worker->err);

	if (rc == 0)
		rc = check_truth(plan, shard, &made, &worker->err);
	if (rc == 0 && plan->finished)
		rc = finished_add(
		    plan->finished, shard, &made.index, &worker->err);
	if (rc == 0)
		rc = shard_writer_commit(writer, &worker->err);
	worker->storing_ns += now() - start;
	return rc;
}

int preparer_shard(struct preparer *worker, unsigned shard)
{
	struct preparation *job = worker->job;
	const struct prepare_plan *plan = job->plan;
	const struct preparer_moment began = preparer_moment();
	const uint64_t losses = mapping_losses();
	struct shard_writer *writer;
	int rc = -1;

	if (plan->stands && plan->stands[shard])
		return 0;
	worker->cost = &job->costs[shard];
	worker->storing_ns = 0;
	writer = shard_writer_new(
	    plan->medium, plan->dir, &job->form, shard, &worker->err);
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

int preparer_init(
    struct preparer *worker, struct preparation *job, struct error *err)
{
	const struct prepare_plan *plan = job->plan;
	const struct codec *codec = &plan->strategy->codec;
	const struct chain_plan steps = {
		.pipeline = plan->pipeline,
		.from = job->from,
		.to = plan->strategy->split,
		.decode = job->source->decode,
	};
	const struct chain_plan transform = {
		.pipeline = plan->pipeline,
		.from = plan->strategy->split,
		.to = plan->strategy->split,
		.encode = codec,
	};

	*worker = (struct preparer){
		.job = job, .out = SAMPLE_INIT, .transformed = SAMPLE_INIT
	};
	worker->chain = chain_new(&steps, err);
	if (!worker->chain)
		return -1;
	if (codec->transform) {
		worker->transform = chain_new(&transform, err);
		if (!worker->transform)
			return -1;
	}
	chain_set_draw(worker->chain, plan->seed, 0);
	return reader_unpacker_new(job->source, &worker->unpacker, err);
}

void preparer_release(struct preparer *worker)
{
	const struct reader *source = worker->job->source;

	if (worker->picker)
		source->ops->picker_close(worker->picker);
	preparer_window_free(worker->window);
	reader_unpacker_free(source, worker->unpacker);
	chain_free(worker->transform);
	chain_free(worker->chain);
	chunk_release(&worker->chunk);
	sample_release(&worker->out);
	sample_release(&worker->transformed);
}
