/* preparer.c - see preparer.h. */
#include "strategies/prepare/preparer.h"

#include "lib/base/clock.h"
#include "lib/pipeline/chain.h"
#include "lib/sample/key.h"
#include "lib/sample/skipped.h"
#include "strategies/prepare/costs.h"

static uint64_t now(void)
{
	return clock_now(&clock_monotonic);
}

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

bool preparer_must_stop(const struct preparer *worker)
{
	const struct prepare_plan *plan = worker->job->plan;

	return atomic_load(&worker->job->failed) ||
	       (plan->stop && atomic_load(plan->stop));
}

/* Handles a sample that a step refused: skips it, or fails. */
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

/* Runs the transform of the codec; *made is then the sample to store. */
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

/* Makes and stores all samples that come from `in`. */
static int make_all(struct preparer *worker, struct shard_writer *writer,
    const struct chunk *chunk, const struct sample *in)
{
	if (chain_begin(worker->chain, in, &worker->err))
		return refuse(worker, chunk, in);
	while (chain_more(worker->chain)) {
		const struct sample *made = NULL;
		int got = chain_next(worker->chain, &worker->out, &worker->err);

		if (preparer_must_stop(worker))
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
	worker->filtered += chain_take_filtered(worker->chain);
	return 0;
}

int preparer_sample(struct preparer *worker, struct shard_writer *writer,
    const struct chunk *chunk, const struct sample *in)
{
	const struct prepare_plan *plan = worker->job->plan;

	if (preparer_must_stop(worker))
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
	reader_unpacker_free(source, worker->unpacker);
	chain_free(worker->transform);
	chain_free(worker->chain);
	chunk_release(&worker->chunk);
	sample_release(&worker->out);
	sample_release(&worker->transformed);
}

size_t preparation_stream(const struct preparation *job, size_t place)
{
	return job->way == ORDER_WINDOWS
	           ? (size_t)permutation_at(&job->permutation, place)
	           : place;
}
