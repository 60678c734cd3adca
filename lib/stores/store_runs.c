/* store_runs.c - see store.h: classes, and runs of blocks as streams. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/stores/stored.h"

int store_set_classes(
    struct reader *reader, const struct classes *classes, struct error *err)
{
	struct stored *stored = reader->priv;

	if (classes_copy(&stored->classes, classes, err))
		return -1;
	reader->classes = &stored->classes;
	return 0;
}

static int visit_blocks(const struct stored *stored,
    const struct shard_index *index, size_t shard, store_run_visit *visit,
    void *arg, struct error *err)
{
	for (size_t i = 0; i < index->count; i++) {
		const uint64_t samples =
		    stored_block_samples(stored, shard, index, i);
		const struct store_run run = {
			.shard = shard,
			.first = i,
			.count = 1,
			.samples = samples,
			.last = samples,
			.bytes = index->blocks[i].stored,
		};

		if (visit(arg, &run, err))
			return -1;
	}
	return 0;
}

int store_each_block(const struct reader *reader, store_run_visit *visit,
    void *arg, struct error *err)
{
	const struct stored *stored = reader->priv;
	const size_t all = stored->manifest.count;
	const size_t count = all > STORE_MANY ? STORE_MANY : all;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		const size_t shard =
		    (size_t)((double)i * (double)all / (double)count);
		struct shard_index index = SHARD_INDEX_INIT;
		uint64_t bytes;

		rc = stored_read_index(stored, shard, &index, &bytes, err);
		if (rc == 0)
			rc = visit_blocks(
			    stored, &index, shard, visit, arg, err);
		shard_index_release(&index);
	}
	return rc;
}

int store_set_runs(struct reader *reader, struct store_run *runs, size_t count,
    struct error *err)
{
	struct stored *stored = reader->priv;
	const size_t shards = stored->manifest.count;

	stored->runs = runs;
	stored->is_read = calloc(shards + 1, sizeof(*stored->is_read));
	if (!stored->is_read)
		return error_memory(err, shards);
	reader->total_bytes = reader->bytes;
	reader->streams = count;
	reader->samples = 0;
	reader->bytes = stored->manifest_bytes;
	for (size_t i = 0; i < count; i++) {
		const size_t shard = runs[i].shard;

		if (!stored->is_read[shard])
			reader->bytes += stored->index_bytes[shard];
		stored->is_read[shard] = true;
		reader->samples += runs[i].samples;
		reader->bytes += runs[i].bytes;
	}
	if (reader->samples == reader->total_samples)
		reader->bytes = reader->total_bytes;
	return 0;
}

/* Visits the chunks of blocks `first` to `end` - 1 of an open shard. */
static int visit_chunks(const struct stored *stored,
    const struct shard_index *index, const struct store_run *run, size_t stream,
    reader_visit_chunk *visit, void *arg, struct error *err)
{
	for (size_t i = run->first; i < run->first + run->count; i++) {
		uint64_t samples;

		if (i >= index->count)
			return error_set(err, ERROR_DATA,
			    "a shard has fewer blocks than when it was opened");
		samples = stored_block_samples(stored, run->shard, index, i);
		if (i + 1 == run->first + run->count && run->last < samples)
			samples = run->last;
		if (visit(arg, stream, i, samples, err))
			return -1;
	}
	return 0;
}

/* Returns all blocks of a shard. */
static struct store_run whole_shard(
    const struct shard_index *index, size_t shard)
{
	return (struct store_run){
		.shard = shard,
		.count = index->count,
		.last = UINT64_MAX, /* all */
	};
}

/*
 * Chunks of one shard are named by its first stream, so that a shard is opened
 * once, not once for each of its streams.
 */
int stored_each_chunk(const struct reader *reader, reader_visit_chunk *visit,
    void *arg, struct error *err)
{
	const struct stored *stored = reader->priv;
	struct shard_index index = SHARD_INDEX_INIT;
	size_t named = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < reader->streams; i++) {
		const size_t shard = stored_shard(stored, i);
		uint64_t bytes;

		if (i == 0 || shard != stored_shard(stored, named)) {
			named = i;
			shard_index_release(&index);
			index = (struct shard_index)SHARD_INDEX_INIT;
			rc = stored_read_index(
			    stored, shard, &index, &bytes, err);
		}
		if (rc == 0) {
			const struct store_run run =
			    stored->runs ? stored->runs[i]
			                 : whole_shard(&index, shard);

			rc = visit_chunks(
			    stored, &index, &run, named, visit, arg, err);
		}
	}
	shard_index_release(&index);
	return rc;
}
