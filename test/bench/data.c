/* data.c - see data.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/loader/cache.h"
#include "lib/loader/loader.h"
#include "lib/media/medium.h"
#include "lib/stores/store.h"
#include "strategies/plan/shard_count.h"
#include "strategies/prepare/prepare.h"
#include "test/bench/data.h"

enum { SHARDS = 8 };

void data_open(struct data *data, const char *text)
{
	struct error err = ERROR_INIT;

	memset(data, 0, sizeof(*data));
	data->medium = medium_new_local(&err);
	if (!data->medium ||
	    ini_parse_text(
	        &data->ini, "./bench.conf", text, strlen(text), &err) ||
	    dataset_read(&data->dataset, &data->ini, &err) ||
	    pipeline_read(&data->pipeline, &data->ini, &err))
		bench_die(&err);
	data->source = dataset_open(&data->dataset, 0, data->medium, &err);
	if (!data->source ||
	    pipeline_bind(&data->pipeline, &data->source->schema, &err))
		bench_die(&err);
	data->reader = data->source;
}

void data_open_photos(
    struct data *data, const char *photos, const char *pipeline)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (buf_printf(&text, &err,
	        "[dataset]\nsource = folder\npath = %s\n"
	        "match = *.[jJ][pP]*\n[pipeline]\n%s",
	        photos, pipeline))
		bench_die(&err);
	data_open(data, (const char *)text.data);
	buf_release(&text);
}

/* WORK/1, or the first behind it that is not there. */
static char *free_dir(const char *work)
{
	struct error err = ERROR_INIT;
	char name[16], *dir;

	for (unsigned i = 1;; i++) {
		snprintf(name, sizeof(name), "%u", i);
		dir = path_join(work, name, &err);
		if (!dir)
			bench_die(&err);
		if (!path_exists(dir))
			return dir;
		free(dir);
	}
}

void data_store(struct data *data, const char *strategy, const char *work)
{
	struct error err = ERROR_INIT;
	struct strategy parsed;
	struct prepare_plan plan = {
		.pipeline = &data->pipeline,
		.strategy = &parsed,
		.threads = 2,
		.folder.fingerprint = "bench",
	};
	struct prepared prepared;

	data->dir = free_dir(work);
	if (path_make_dirs(data->dir, &err) ||
	    strategy_parse(&parsed, strategy, &data->pipeline, &err))
		bench_die(&err);
	plan.source = data->source;
	plan.medium = data->medium;
	plan.folder.dir = data->dir;
	plan.shards = shard_count(data->source, &plan.order, SHARDS, 0);
	if (prepare_run(&plan, &prepared, &err))
		bench_die(&err);
	data->stored = store_open(data->medium, data->dir, &err);
	if (!data->stored)
		bench_die(&err);
	data->reader = data->stored;
	data->from = parsed.split;
}

void data_keep(struct data *data)
{
	const unsigned to = pipeline_last_split(&data->pipeline);
	const struct cache_plan plan = {
		.schema = &data->pipeline.schemas[to],
		.samples = data->reader->samples,
		.budget = UINT64_MAX,
	};
	const struct loader_plan how = {
		.reader = data->reader,
		.pipeline = &data->pipeline,
		.from = data->from,
		.to = to,
		.threads = 2,
		.batch = 1,
	};
	struct error err = ERROR_INIT;
	struct loader *loader = loader_new(&how, &err);
	const struct batch *batch;

	data->cache = loader ? cache_new(&plan, &err) : NULL;
	if (!data->cache)
		bench_die(&err);
	loader_begin(loader, 0, false);
	while ((batch = loader_next(loader)))
		if (cache_add(data->cache, batch, &err))
			bench_die(&err);
	if (loader_end(loader, &err))
		bench_die(&err);
	loader_free(loader);
	data->reader = cache_reader(data->cache);
	data->from = to;
}

void data_close(struct data *data)
{
	struct error err = ERROR_INIT;

	cache_free(data->cache);
	if (data->stored) {
		reader_free(data->stored);
		if (path_remove_tree(data->dir, &err))
			bench_die(&err);
		free(data->dir);
	}
	reader_free(data->source);
	pipeline_release(&data->pipeline);
	dataset_release(&data->dataset);
	medium_free(data->medium);
	ini_release(&data->ini);
}
