/*
 * presto.c - folders that `presto materialize` wrote, with the codec's
 * transform undone.
 *
 * A stream is some blocks of a shard, so that few samples can come from the
 * whole dataset, and so that there can be more streams than shards.
 */
#include <stdlib.h>

#include "datasets/files/spread.h"
#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/stores/manifest.h"
#include "lib/stores/store.h"
#include "lib/syntax/option.h"

enum {
	STREAMS_OF_SHARD = 32, /* at most: opening one reads the index */
};

struct presto_options {
	uint64_t version;
};

static const struct option options[] = {
	OPTION(UINT, "version", 0, struct presto_options, version, "N",
	    "version of a dataset that --update has changed; 0: the newest"),
	OPTION_TABLE_END,
};

struct runs {
	struct store_run *items;
	size_t count, capacity;
};

static int add_block(
    void *arg, const struct store_run *block, struct error *err)
{
	struct runs *runs = arg;
	struct store_run *items;

	if (block->samples == 0)
		return 0;
	items = array_grow(
	    runs->items, &runs->capacity, runs->count + 1, sizeof(*items), err);
	if (!items)
		return -1;
	runs->items = items;
	items[runs->count++] = *block;
	return 0;
}

static uint64_t samples_of(const void *items, size_t run)
{
	return ((const struct store_run *)items)[run].samples;
}

/* Keeps evenly spaced blocks for `wanted` samples; truncates the last one. */
static void select_blocks(struct runs *runs, uint64_t wanted)
{
	const struct spread_runs all = { runs->items, runs->count, samples_of };
	const size_t count = spread_enough(&all, wanted);

	for (size_t i = 0; i < count; i++) {
		struct store_run run =
		    runs->items[spread(i, count, runs->count)];

		if (run.samples > wanted) {
			run.bytes =
			    spread_share(run.bytes, wanted, run.samples);
			run.samples = run.last = wanted;
		}
		wanted -= run.samples;
		runs->items[i] = run;
	}
	runs->count = count;
}

/* Joins neighbouring blocks into at most STREAMS_OF_SHARD for a shard. */
static void join_blocks(struct runs *runs)
{
	struct store_run *items = runs->items;
	size_t count = 0;

	for (size_t i = 0, end; i < runs->count; i = end) {
		size_t most;

		for (end = i;
		     end < runs->count && items[end].shard == items[i].shard;
		     end++)
			;
		most = (end - i + STREAMS_OF_SHARD - 1) / STREAMS_OF_SHARD;
		items[count++] = items[i];
		for (size_t b = i + 1; b < end; b++) {
			struct store_run *run = &items[count - 1];

			if (run->count == most ||
			    run->first + run->count != items[b].first) {
				items[count++] = items[b];
				continue;
			}
			run->count++;
			run->samples += items[b].samples;
			run->last = items[b].last;
			run->bytes += items[b].bytes;
		}
	}
	runs->count = count;
}

static int choose_streams(
    struct reader *reader, uint64_t limit, struct error *err)
{
	struct runs runs = { .items = NULL };

	/* then each shard is a stream */
	if (reader->costly_chunks && !(limit && limit < reader->samples))
		return 0;
	if (store_each_block(reader, add_block, &runs, err)) {
		free(runs.items);
		return -1;
	}
	if (runs.count == 0)
		return error_set(err, ERROR_DATA, "holds no samples");
	if (limit && limit < reader->samples)
		select_blocks(&runs, limit);
	join_blocks(&runs);
	return store_set_runs(reader, runs.items, runs.count, err);
}

/* Sets the names of classes, if dataset.json has them. */
static int name_classes(struct reader *reader, struct medium *medium,
    const char *dir, uint64_t version, struct error *err)
{
	struct description description = DESCRIPTION_INIT;
	int rc =
	    description_read_version(&description, medium, dir, version, err);

	if (rc == 0 && description.classes.count > 0)
		rc = store_set_classes(reader, &description.classes, err);
	description_release(&description);
	return rc;
}

/* Is there a manifest that can be read, so that shards can be written again? */
static bool has_manifest(struct medium *medium, const char *dir)
{
	struct manifest manifest = MANIFEST_INIT;
	struct error ignored;
	const bool is_read =
	    manifest_read(&manifest, medium, dir, &ignored) == 0;

	manifest_release(&manifest);
	return is_read;
}

static struct reader *presto_open(
    const struct source_plan *plan, struct error *err)
{
	const struct presto_options *wanted = plan->options;
	const uint64_t version = wanted ? wanted->version : 0;
	struct reader *reader =
	    store_open_version(plan->medium, plan->path, version, err);

	/* A server that does not answer is not asked again. */
	if (!reader && err->code != ERROR_USAGE &&
	    !(url_is(plan->path) && err->code == ERROR_SYSTEM) &&
	    has_manifest(plan->medium, plan->path))
		error_advise(err, STORE_MEND);
	if (reader &&
	    (choose_streams(reader, plan->limit, err) ||
	        name_classes(reader, plan->medium, plan->path, version, err))) {
		reader_free(reader);
		reader = NULL;
	}
	return reader;
}

const struct source_ops source_presto = {
	.name = "presto",
	.summary = "folders written by presto materialize",
	.options = options,
	.options_size = sizeof(struct presto_options),
	.open = presto_open,
	.needs_path = true,
};
