/* prepare.c - see prepare.h. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/chain.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/stores/frames.h"
#include "lib/stores/sink.h"
#include "lib/stores/store.h"
#include "strategies/costs.h"
#include "strategies/prepare.h"

enum {
	SHARDS_LEAST = 8,
	SHARD_BYTES = 512 << 20, /* about, of a large dataset */
	SHARDS_MOST = 65536,
};

struct job { /* shared by the workers */
	const struct prepare_plan *plan;
	const struct reader *source;
	unsigned from; /* the representation that it gives */
	struct store_form form;
	size_t *first_stream;     /* [shards + 1]: of each shard */
	struct shard_cost *costs; /* [shards]: of what was done here */
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
	struct shard_cost *cost; /* of the shard at hand */
	uint64_t storing_ns;     /* in its writer */
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

/*
 * Streams go to the shard in which their first sample lies, by count.  Those of
 * another strategy are its shards.
 */
static int divide(struct job *job, struct error *err)
{
	const struct reader *source = job->source;
	const unsigned shards = job->plan->shards;
	uint64_t before = 0;
	unsigned next = 0;

	job->first_stream = calloc(shards + 1, sizeof(size_t));
	if (!job->first_stream)
		return error_memory(err, (shards + 1) * sizeof(size_t));
	for (size_t s = 0; s < source->streams; s++) {
		const unsigned shard = (unsigned)((double)before * shards /
		                                  (double)source->samples);

		while (
		    next <= (job->plan->samples ? s : shard) && next < shards)
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

/* Begins to time reading. */
struct reading {
	uint64_t wall_ns, cpu_ns;
};

static struct reading begin_reading(void)
{
	return (struct reading){ now(), clock_now(&clock_thread_cpu) };
}

static void end_reading(struct worker *worker, const struct reading *began)
{
	worker->cost->read_ns += now() - began->wall_ns;
	worker->cost->read_cpu_ns +=
	    clock_now(&clock_thread_cpu) - began->cpu_ns;
}

static uint64_t less(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

/* What a shard took of `wall_ns`, when all is known that is told apart. */
static void settle_cost(
    struct worker *worker, const struct write_times *times, uint64_t wall_ns)
{
	struct shard_cost *cost = worker->cost;

	cost->make_ns = less(
	    wall_ns, cost->read_ns + cost->compress_ns + worker->storing_ns);
	cost->store_ns =
	    less(worker->storing_ns, times->compress_ns + times->write_ns +
	                                 times->sync_ns + times->frames_ns);
	cost->compress_ns += times->compress_ns;
	cost->write_ns = times->write_ns;
	cost->sync_ns = times->sync_ns;
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

	reader_blame(worker->job->source, &worker->chunk, sample, &worker->err);
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
	worker->cost->compress_ns += now() - start;
	*made = &worker->transformed;
	return rc;
}

static int store(struct worker *worker, struct shard_writer *writer,
    const struct sample *sample)
{
	const uint64_t start = now();
	const int rc = shard_writer_add(writer, sample, &worker->err);

	worker->storing_ns += now() - start;
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
		if (store(worker, writer, made))
			return -1;
		worker->samples++;
	}
	return 0;
}

static int do_chunk(struct worker *worker, struct shard_writer *writer)
{
	const struct prepare_plan *plan = worker->job->plan;
	const struct reader *source = worker->job->source;
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
	const struct reader *source = worker->job->source;
	const struct reading began = begin_reading();
	int got;

	chunk_reset(&worker->chunk);
	got = source->ops->stream_fetch(stream, &worker->chunk, &worker->err);
	end_reading(worker, &began);
	return got;
}

static int do_stream(
    struct worker *worker, struct shard_writer *writer, size_t index)
{
	const struct reader *source = worker->job->source;
	struct reading began = begin_reading();
	void *stream = source->ops->stream_open(source, index, &worker->err);
	int got = -1;

	end_reading(worker, &began);
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
	began = begin_reading();
	source->ops->stream_close(stream);
	end_reading(worker, &began);
	return got;
}

/* If none is skipped, and each gives one. */
static uint64_t expected_samples(const struct job *job, unsigned shard)
{
	const struct reader *source = job->source;
	uint64_t samples = 0;

	for (size_t s = job->first_stream[shard];
	     s < job->first_stream[shard + 1]; s++)
		samples += source->ops->stream_samples(source, s);
	return samples;
}

static int begin_shard(
    struct worker *worker, struct shard_writer *writer, unsigned shard)
{
	const struct job *job = worker->job;
	const struct prepare_other *frames = job->plan->frames;

	if (!pipeline_makes_many(
	        job->plan->pipeline, job->from, job->plan->strategy->split))
		shard_writer_expect(writer, expected_samples(job, shard));
	return frames ? shard_writer_take_frames(
	                    writer, frames->stored, &worker->err)
	              : 0;
}

static int commit(struct worker *worker, struct shard_writer *writer)
{
	const uint64_t start = now();
	const int rc = shard_writer_commit(writer, &worker->err);

	worker->storing_ns += now() - start;
	return rc;
}

static int do_shard(struct worker *worker, unsigned shard)
{
	struct job *job = worker->job;
	const struct prepare_plan *plan = job->plan;
	const uint64_t start = now();
	struct shard_writer *writer;
	int rc = -1;

	if (plan->resume && shard_is_complete(plan->dir, &job->form, shard))
		return 0;
	worker->cost = &job->costs[shard];
	worker->storing_ns = 0;
	writer = shard_writer_new(
	    plan->medium, plan->dir, &job->form, shard, &worker->err);
	if (!writer)
		return -1;
	worker->storing_ns += now() - start;
	if (begin_shard(worker, writer, shard))
		goto done;
	for (size_t s = job->first_stream[shard];
	     s < job->first_stream[shard + 1]; s++)
		if (do_stream(worker, writer, s))
			goto done;
	rc = commit(worker, writer);
done:
	settle_cost(worker, shard_writer_times(writer), now() - start);
	shard_writer_free(writer);
	return rc;
}

static int worker_init(
    struct worker *worker, struct job *job, struct error *err)
{
	const struct prepare_plan *plan = job->plan;
	const struct codec *codec = &plan->strategy->codec;
	const struct chain_plan steps = {
		.pipeline = plan->pipeline,
		.from = job->from,
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
	return reader_unpacker_new(job->source, &worker->unpacker, err);
}

static void worker_release(struct worker *worker)
{
	reader_unpacker_free(worker->job->source, worker->unpacker);
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
	unsigned shard;
	int rc = 0;

	while (rc == 0 && (shard = atomic_fetch_add(&job->next_shard, 1)) <
	                      job->plan->shards)
		rc = do_shard(worker, shard);
	pthread_mutex_lock(&job->lock);
	if (rc && !atomic_exchange(&job->failed, true))
		job->err = worker->err;
	job->prepared.samples += worker->samples;
	job->prepared.skipped += worker->skipped;
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

/* ---- what it took, and would have taken ---- */

/* The work of all shards, here or as charged, into the parts. */
static void add_parts(
    struct prepare_parts *parts, const struct shard_cost *cost)
{
	parts->read_ns += cost->read_ns;
	parts->compute_ns += cost->make_ns + cost->store_ns;
	parts->compress_ns += cost->compress_ns;
	parts->write_ns += cost->write_ns;
	parts->sync_ns += cost->sync_ns;
}

/* CPU time that may be charged, or not, to who did not do, or did, the work. */
static uint64_t cpu_ns(const struct shard_cost *cost)
{
	return cost->read_cpu_ns + cost->make_ns + cost->compress_ns;
}

/* What was measured becomes what the strategy alone would have taken. */
static void charge(struct job *job)
{
	const struct prepare_plan *plan = job->plan;
	const struct prepare_other *samples = plan->samples,
	                           *frames = plan->frames;
	struct prepared *prepared = &job->prepared;
	struct shard_cost before = { 0 }, after = { 0 };
	uint64_t span =
	    shard_costs_span(job->costs, plan->shards, plan->threads);

	for (unsigned i = 0; i < plan->shards; i++) {
		shard_cost_add(&before, &job->costs[i]);
		job->costs[i] = shard_cost_charge(&job->costs[i],
		    samples ? &samples->costs[i] : NULL,
		    frames ? &frames->costs[i] : NULL);
		shard_cost_add(&after, &job->costs[i]);
	}
	add_parts(&prepared->parts, &after);
	prepared->cpu_ns =
	    less(prepared->cpu_ns, cpu_ns(&before)) + cpu_ns(&after);
	/* Threads begin, and the manifest is written, as was measured. */
	prepared->wall_ns =
	    less(prepared->wall_ns, span) +
	    shard_costs_span(job->costs, plan->shards, plan->threads);
	if (samples) {
		prepared->bytes_read = samples->bytes_read;
		prepared->skipped += samples->skipped;
	}
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
	struct prepare_parts *parts = &job->prepared.parts;
	const uint64_t start = now();
	const int rc = manifest_write(
	    &sink, plan->dir, &job->form, plan->shards, &note, err);

	parts->write_ns += sink.times.write_ns;
	parts->sync_ns += sink.times.sync_ns;
	parts->compute_ns +=
	    less(now() - start, sink.times.write_ns + sink.times.sync_ns);
	return rc;
}

static int run(struct job *job, struct worker *workers, struct error *err)
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
	    divide(job, err) || run_workers(job, workers, err))
		return -1;
	prepared->bytes_read = medium_bytes_read(plan->medium) - read;
	if (finish(job, err))
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
	struct job job = {
		.plan = plan,
		.source = plan->samples ? plan->samples->stored : plan->source,
		.from = plan->samples ? plan->strategy->split : 0,
		.costs = calloc(plan->shards, sizeof(*job.costs)),
	};
	struct worker *workers = calloc(plan->threads, sizeof(*workers));
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
	free(job.first_stream);
	free(job.costs);
	free(workers);
	return rc;
}
