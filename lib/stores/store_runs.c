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

static int visit_blocks(const struct shard_index *index, size_t shard,
    store_run_visit *visit, void *arg, struct error *err)
{
	for (size_t i = 0; i < index->count; i++) {
		const struct index_block *block = &index->blocks[i];
		const struct store_run run = {
			.shard = shard,
			.first = i,
			.count = 1,
			.samples = block->samples,
			.last = block->samples,
			.bytes = block->stored,
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
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < stored->manifest.count; i++) {
		struct shard_index index = SHARD_INDEX_INIT;
		uint64_t bytes;

		rc = stored_read_index(stored, i, &index, &bytes, err);
		if (rc == 0)
			rc = visit_blocks(&index, i, visit, arg, err);
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
