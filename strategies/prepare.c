/* prepare.c - see prepare.h. */
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/chain.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/stores/sink.h"
#include "lib/stores/store.h"
#include "strategies/prepare.h"

enum {
	SHARDS_LEAST = 8,
	SHARD_BYTES = 512 << 20, /* about, of a large dataset */
	SHARDS_MOST = 65536,
};

struct job { /* shared by the workers */
	const struct prepare_plan *plan;
	struct store_form form;
	size_t *first_stream; /* [shards + 1]: of each shard */
	atomic_uint next_shard;
	atomic_bool failed;
	pthread_mutex_t lock; /* of what follows */
	struct prepared prepared;
	struct error err;
};

struct worker {
	struct job *job;
	struct chain *chain;
	struct chain *transform; /* of the codec; NULL: it has none */
	void *unpacker;
	struct chunk chunk;
	struct sample out, transformed;
	struct error err;
	uint64_t samples, skipped;
	struct prepare_parts parts; /* compute_ns: in the end */
	pthread_t thread;
};

unsigned prepare_shards(
    const struct reader *source, uint64_t wanted, double stored_bytes)
{
	double shards = stored_bytes / SHARD_BYTES + 1;

	if (shards < SHARDS_LEAST)
		shards = SHARDS_LEAST;
	if (wanted > 0)
		shards = (double)wanted;
	if (shards > SHARDS_MOST)
		shards = SHARDS_MOST;
	if (shards > (double)source->streams)
		shards = source->streams ? (double)source->streams : 1;
	return (unsigned)shards;
}

/* Streams go to the shard in which their first sample lies, by count. */
static int divide(struct job *job, struct error *err)
{
	const struct reader *source = job->plan->source;
	const unsigned shards = job->plan->shards;
	uint64_t before = 0;
	unsigned next = 0;

	job->first_stream = calloc(shards + 1, sizeof(size_t));
	if (!job->first_stream)
		return error_memory(err, (shards + 1) * sizeof(size_t));
	for (size_t s = 0; s < source->streams; s++) {
		const unsigned shard = (unsigned)((double)before * shards /
		                                  (double)source->samples);

		while (next <= shard && next < shards)
			job->first_stream[next++] = s;
		before += source->ops->stream_samples(source, s);
	}
	while (next <= shards)
		job->first_stream[next++] = source->streams;
	return 0;
}

/* ---- what the time goes into ---- */

static uint64_t now(void)
{
	return clock_now(&clock_monotonic);
}

static void add_written(
    struct prepare_parts *parts, const struct write_times *times)
{
	parts->compress_ns += times->compress_ns;
	parts->write_ns += times->write_ns;
	parts->sync_ns += times->sync_ns;
}

/* What is not in the other parts of so much time. */
static void add_rest(struct prepare_parts *parts, uint64_t wall_ns)
{
	const uint64_t others = parts->read_ns + parts->compress_ns +
	                        parts->write_ns + parts->sync_ns;

	if (wall_ns > others)
		parts->compute_ns += wall_ns - others;
}

static void add_parts(
    struct prepare_parts *sum, const struct prepare_parts *parts)
{
	sum->read_ns += parts->read_ns;
	sum->compute_ns += parts->compute_ns;
	sum->compress_ns += parts->compress_ns;
	sum->write_ns += parts->write_ns;
	sum->sync_ns += parts->sync_ns;
}

/* ---- samples ---- */

static bool must_stop(const struct worker *worker)
{
	const struct prepare_plan *plan = worker->job->plan;

	return atomic_load(&worker->job->failed) ||
	       (plan->stop && atomic_load(plan->stop));
}

/* A sample that a step refused: noted, or the end. */
static int refuse(struct worker *worker, const struct sample *sample)
{
	const struct prepare_plan *plan = worker->job->plan;

	reader_blame(plan->source, &worker->chunk, sample, &worker->err);
	if (!plan->skip_errors || worker->err.code != ERROR_DATA)
		return -1;
	worker->skipped++;
	if (plan->skipped)
		plan->skipped(plan->arg, worker->err.text);
	return 0;
}

/* The codec's transform; *made is then what is to be stored. */
static int transform(struct worker *worker, const struct sample **made)
{
	uint64_t start;
	int rc;

	*made = &worker->out;
	if (!worker->transform)
		return 0;
	start = now();
	rc = chain_run(worker->transform, &worker->out, &worker->transformed,
	    &worker->err);
	worker->parts.compress_ns += now() - start;
	*made = &worker->transformed;
	return rc;
}

/* All that comes of a sample. */
static int do_sample(
    struct worker *worker, struct shard_writer *writer, const struct sample *in)
{
	if (chain_begin(worker->chain, in, &worker->err))
		return refuse(worker, in);
	while (chain_more(worker->chain)) {
		const struct sample *made;
		int got = chain_next(worker->chain, &worker->out, &worker->err);

		if (must_stop(worker))
			return error_set(
			    &worker->err, ERROR_INTERRUPTED, "interrupted");
		if (got > 0 && transform(worker, &made))
			got = -1;
		if (got < 0 && refuse(worker, in))
			return -1;
		if (got <= 0)
			continue;
		if (shard_writer_add(writer, made, &worker->err))
			return -1;
		worker->samples++;
	}
	return 0;
}

static int do_chunk(struct worker *worker, struct shard_writer *writer)
{
	const struct prepare_plan *plan = worker->job->plan;
	const struct reader *source = plan->source;
	struct sample in = SAMPLE_INIT;
	int got;

	if (reader_unpack(
	        source, worker->unpacker, &worker->chunk, &worker->err))
		return -1;
	while ((got = source->ops->next(
	            source, &worker->chunk, &in, &worker->err)) > 0) {
		if (must_stop(worker))
			return error_set(
			    &worker->err, ERROR_INTERRUPTED, "interrupted");
		if (do_sample(worker, writer, &in))
			return -1;
		if (plan->progress)
			plan->progress(plan->arg, 1);
	}
	return got;
}

static int fetch(struct worker *worker, void *stream)
{
	const struct reader *source = worker->job->plan->source;
	const uint64_t start = now();
	int got;

	chunk_reset(&worker->chunk);
	got = source->ops->stream_fetch(stream, &worker->chunk, &worker->err);
	worker->parts.read_ns += now() - start;
	return got;
}

static int do_stream(
    struct worker *worker, struct shard_writer *writer, size_t index)
{
	const struct reader *source = worker->job->plan->source;
	uint64_t start = now();
	void *stream = source->ops->stream_open(source, index, &worker->err);
	int got = -1;

	worker->parts.read_ns += now() - start;
	if (!stream)
		return -1;
	for (;;) {
		got = fetch(worker, stream);
		if (got <= 0)
			break;
		worker->chunk.stream = index;
		if (do_chunk(worker, writer)) {
			got = -1;
			break;
		}
	}
	start = now();
	source->ops->stream_close(stream);
	worker->parts.read_ns += now() - start;
	return got;
}

/* If none is skipped, and each gives one. */
static uint64_t expected_samples(const struct job *job, unsigned shard)
{
	const struct reader *source = job->plan->source;
	uint64_t samples = 0;

	for (size_t s = job->first_stream[shard];
	     s < job->first_stream[shard + 1]; s++)
		samples += source->ops->stream_samples(source, s);
	return samples;
}

static int do_shard(struct worker *worker, unsigned shard)
{
	struct job *job = worker->job;
	const struct prepare_plan *plan = job->plan;
	struct shard_writer *writer;
	int rc = -1;

	if (plan->resume && shard_is_complete(plan->dir, &job->form, shard))
		return 0;
	writer = shard_writer_new(
	    plan->medium, plan->dir, &job->form, shard, &worker->err);
	if (!writer)
		return -1;
	if (!pipeline_makes_many(plan->pipeline, 0, plan->strategy->split))
		shard_writer_expect(writer, expected_samples(job, shard));
	for (size_t s = job->first_stream[shard];
	     s < job->first_stream[shard + 1]; s++)
		if (do_stream(worker, writer, s))
			goto done;
	rc = shard_writer_commit(writer, &worker->err);
done:
	add_written(&worker->parts, shard_writer_times(writer));
	shard_writer_free(writer);
	return rc;
}

static int worker_init(
    struct worker *worker, struct job *job, struct error *err)
{
	const struct prepare_plan *plan = job->plan;
	const struct reader *source = plan->source;
	const struct codec *codec = &plan->strategy->codec;
	const struct chain_plan steps = {
		.pipeline = plan->pipeline,
		.to = plan->strategy->split,
	};
	const struct chain_plan transform = {
		.pipeline = plan->pipeline,
		.from = plan->strategy->split,
		.to = plan->strategy->split,
		.encode = codec,
	};

	*worker = (struct worker){
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
	return reader_unpacker_new(source, &worker->unpacker, err);
}

static void worker_release(struct worker *worker)
{
	reader_unpacker_free(worker->job->plan->source, worker->unpacker);
	chain_free(worker->transform);
	chain_free(worker->chain);
	chunk_release(&worker->chunk);
	sample_release(&worker->out);
	sample_release(&worker->transformed);
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;
	struct job *job = worker->job;
	const uint64_t start = now();
	unsigned shard;
	int rc = 0;

	while (rc == 0 && (shard = atomic_fetch_add(&job->next_shard, 1)) <
	                      job->plan->shards)
		rc = do_shard(worker, shard);
	add_rest(&worker->parts, now() - start);
	pthread_mutex_lock(&job->lock);
	if (rc && !atomic_exchange(&job->failed, true))
		job->err = worker->err;
	job->prepared.samples += worker->samples;
	job->prepared.skipped += worker->skipped;
	add_parts(&job->prepared.parts, &worker->parts);
	pthread_mutex_unlock(&job->lock);
	return NULL;
}

/* Runs the workers; those that were started are joined, whatever happens. */
static int run_workers(
    struct job *job, struct worker *workers, struct error *err)
{
	unsigned started = 0;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < job->plan->threads; i++) {
		if (worker_init(&workers[i], job, err))
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
	for (unsigned i = 0; i < job->plan->threads && workers[i].job; i++)
		worker_release(&workers[i]);
	if (rc == 0 && atomic_load(&job->failed)) {
		*err = job->err;
		rc = -1;
	}
	return rc;
}

/* When all shards are there: by the caller's thread alone. */
static int finish(struct job *job, struct error *err)
{
	const struct prepare_plan *plan = job->plan;
	const struct manifest_note note = {
		.strategy = plan->strategy->label,
		.fingerprint = plan->fingerprint,
	};
	struct sink sink = { .medium = plan->medium };
	struct prepare_parts parts = { .read_ns = 0 };
	const uint64_t start = now();
	const int rc = manifest_write(
	    &sink, plan->dir, &job->form, plan->shards, &note, err);

	add_written(&parts, &sink.times);
	add_rest(&parts, now() - start);
	add_parts(&job->prepared.parts, &parts);
	return rc;
}

int prepare_run(const struct prepare_plan *plan, struct prepared *prepared,
    struct error *err)
{
	const struct strategy *strategy = plan->strategy;
	struct job job = {
		.plan = plan,
	};
	struct worker *workers = calloc(plan->threads, sizeof(*workers));
	const uint64_t start = now();
	const uint64_t read = medium_bytes_read(plan->medium);
	struct usage before, after;
	int rc = -1;

	if (!workers)
		return error_memory(err, plan->threads * sizeof(*workers));
	pthread_mutex_init(&job.lock, NULL);
	usage_read(&before);
	if (store_form_init(&job.form, strategy->store, &strategy->codec,
	        &plan->pipeline->schemas[strategy->split], err) == 0 &&
	    divide(&job, err) == 0 && run_workers(&job, workers, err) == 0)
		rc = finish(&job, err);
	usage_read(&after);
	*prepared = job.prepared;
	prepared->wall_ns = now() - start;
	prepared->cpu_ns =
	    after.user_ns + after.system_ns - before.user_ns - before.system_ns;
	prepared->bytes_read = medium_bytes_read(plan->medium) - read;
	pthread_mutex_destroy(&job.lock);
	free(job.first_stream);
	free(workers);
	return rc;
}
