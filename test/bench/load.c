/* load.c - see load.h. */
#include "test/bench/load.h"

#include "lib/base/error.h"
#include "lib/loader/cache.h"
#include "lib/loader/loader.h"
#include "lib/sample/batch.h"
#include "lib/sample/reader.h"
#include "test/bench/data.h"

void load_init(struct load *load, const struct data *data, unsigned threads,
    unsigned batch)
{
	const struct loader_plan plan = {
		.reader = data->reader,
		.pipeline = &data->pipeline,
		.from = data->from,
		.to = data->pipeline.count,
		.threads = threads,
		.batch = batch,
		/* As a trial does (strategies/trial/trial.c). */
		.fetchers = data->cache ? 1 : 0,
		.read_ahead = data->cache ? CACHE_CHUNKS : 0,
	};
	struct error err = ERROR_INIT;

	*load = (struct load){ .bytes = (double)data->reader->bytes };
	load->loader = loader_new(&plan, &err);
	if (!load->loader)
		bench_die(&err);
}

void load_release(struct load *load)
{
	loader_free(load->loader);
}

double load_samples(void *arg, unsigned epochs)
{
	struct load *load = arg;
	struct error err = ERROR_INIT;
	const struct batch *batch;
	uint64_t samples = 0;

	for (unsigned i = 0; i < epochs; i++) {
		loader_begin(load->loader, load->epoch++, load->trace);
		while ((batch = loader_next(load->loader)))
			samples += batch->count;
		if (loader_end(load->loader, &err))
			bench_die(&err);
	}
	return (double)samples;
}

double load_bytes(void *arg, unsigned epochs)
{
	const struct load *load = arg;

	load_samples(arg, epochs);
	return load->bytes * epochs;
}
