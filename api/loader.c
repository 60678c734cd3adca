/* loader.c - loaders: batches.h, with its clock and its sums. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "api/batches.h"
#include "api/presto.h"
#include "api/private.h"
#include "api/project.h"
#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/loader/demand_report.h"

enum { BATCH_MOST = 1 << 24 }; /* samples */

struct presto_loader {
	const struct presto_dataset *dataset;
	struct batches batches;
	unsigned wait_ms, batch_size;
	struct presto_batch *spare; /* owned; for the next batch; or NULL */
	struct presto_statistics sums;
	uint64_t returned_ns; /* presto_loader_next, the last time; 0: never */
	struct demand_report *demand; /* owned; NULL: nobody asks */
	struct demand_call told;      /* times since the last batch */
};

static int check_options(
    const struct presto_loader_options *options, struct error *err)
{
	if (options->batch_size < 1 || options->batch_size > BATCH_MOST)
		return error_set(err, ERROR_USAGE,
		    "batch_size must be 1 to %d, got %u", BATCH_MOST,
		    options->batch_size);
	if (options->world_size < 1 || options->rank >= options->world_size)
		return error_set(err, ERROR_USAGE,
		    "rank must be less than world_size, got rank %u of %u",
		    options->rank, options->world_size);
	if (options->threads > PLAN_THREADS || options->fetchers > PLAN_THREADS)
		return error_set(err, ERROR_USAGE,
		    "threads and fetchers must be 0 to %d, got %u and %u",
		    PLAN_THREADS, options->threads, options->fetchers);
	return 0;
}

/* For presto demand, if it runs the program. */
static struct demand_report *begin_report(const struct presto_dataset *dataset,
    const struct presto_loader_options *options)
{
	const char *name = dataset_name(dataset);
	struct demand_loader loader = {
		.pid = (uint64_t)getpid(),
		.batch_size = options->batch_size,
		.rank = options->rank,
		.world_size = options->world_size,
		.begin_ns = clock_now(&clock_monotonic),
	};

	snprintf(loader.dataset, sizeof(loader.dataset), "%s", name);
	return demand_report_new(&loader);
}

static struct presto_loader *make(const struct presto_dataset *dataset,
    const struct presto_loader_options *options, struct error *err)
{
	struct presto_loader *loader = memory_zeroed(sizeof(*loader), err);

	if (!loader)
		return NULL;
	loader->dataset = dataset;
	loader->wait_ms = options->wait_ms;
	loader->batch_size = options->batch_size;
	loader->sums.size = sizeof(loader->sums);
	if (batches_open(&loader->batches, dataset, options, err)) {
		free(loader);
		return NULL;
	}
	loader->demand = begin_report(dataset, options);
	return loader;
}

struct presto_loader *presto_loader_new(const struct presto_dataset *dataset,
    const struct presto_loader_options *options, struct presto_error *out)
{
	struct presto_loader_options own = PRESTO_LOADER_OPTIONS_INIT;
	struct presto_loader *loader = NULL;
	struct error err = ERROR_INIT;

	if ((!options || sized_take(&own, sizeof(own), options,
	                     "presto_loader_options", &err) == 0) &&
	    check_options(&own, &err) == 0)
		loader = make(dataset, &own, &err);
	if (!loader)
		error_tell(&err, out);
	return loader;
}

void presto_loader_free(struct presto_loader *loader)
{
	if (!loader)
		return;
	batches_close(&loader->batches);
	presto_batch_free(loader->spare);
	demand_report_free(loader->demand);
	free(loader);
}

uint64_t presto_loader_batches(const struct presto_loader *loader)
{
	return batches_count(&loader->batches);
}

/* Takes the next batch, for which there is room, and counts it. */
static int take(struct presto_loader *loader, struct presto_batch **batch,
    struct error *err)
{
	struct presto_statistics *sums = &loader->sums;
	struct batch *taken;
	int got;

	if (!loader->spare)
		loader->spare = presto_batch_new(loader->batch_size,
		    dataset_schema(loader->dataset)->count, err);
	if (!loader->spare)
		return -1;
	got = batches_next(&loader->batches, loader->wait_ms, &taken, err);
	if (got <= 0)
		return got;
	*batch = loader->spare;
	loader->spare = NULL;
	presto_batch_fill(*batch, taken);
	sums->batches++;
	sums->samples += presto_batch_samples(*batch);
	sums->bytes += presto_batch_bytes(*batch);
	return 1;
}

/* Adds up a call, and tells presto demand of it unless it was interrupted. */
static void count_call(struct presto_loader *loader, uint64_t began, int got,
    const struct presto_batch *batch)
{
	const uint64_t now = clock_now(&clock_monotonic);
	struct demand_call *told = &loader->told;

	if (loader->returned_ns)
		told->busy_ns += began - loader->returned_ns;
	told->wait_ns += now - began;
	loader->returned_ns = now;
	if (got < 0)
		return;
	loader->sums.busy_ns += told->busy_ns;
	loader->sums.wait_ns += told->wait_ns;
	told->now_ns = now;
	told->samples = batch ? presto_batch_samples(batch) : 0;
	demand_report_call(loader->demand, told);
	*told = (struct demand_call){ .now_ns = 0 };
}

int presto_loader_next(struct presto_loader *loader,
    struct presto_batch **batch, struct presto_error *out)
{
	const uint64_t began = clock_now(&clock_monotonic);
	struct error err = ERROR_INIT;
	int got;

	*batch = NULL;
	got = take(loader, batch, &err);
	count_call(loader, began, got, *batch);
	if (got >= 0)
		return got;
	project_hint(dataset_skips_errors(loader->dataset), &err);
	return error_tell(&err, out);
}

void presto_loader_interrupt(struct presto_loader *loader)
{
	batches_interrupt(&loader->batches);
}

/* ---- positions ---- */

static uint64_t order_of(const struct presto_loader *loader)
{
	return batches_order(&loader->batches, loader->dataset);
}

void presto_loader_save(
    const struct presto_loader *loader, struct presto_state *state)
{
	const struct ordered_position at = batches_position(&loader->batches);
	const struct presto_state found = {
		.size = sizeof(found),
		.epoch = at.epoch,
		.position = at.batch,
		.order = order_of(loader),
	};

	sized_give(state, &found);
}

static int seek(struct presto_loader *loader, uint64_t epoch, uint64_t batch,
    struct error *err)
{
	if (epoch > UINT32_MAX)
		return error_set(err, ERROR_USAGE,
		    "the epoch must be 0 to %u, got %llu", UINT32_MAX,
		    (unsigned long long)epoch);
	batches_seek(&loader->batches,
	    (struct ordered_position){ (uint32_t)epoch, batch });
	return 0;
}

int presto_loader_restore(struct presto_loader *loader,
    const struct presto_state *state, struct presto_error *out)
{
	struct presto_state own = PRESTO_STATE_INIT;
	struct error err = ERROR_INIT;

	if (sized_take(&own, sizeof(own), state, "presto_state", &err))
		return error_tell(&err, out);
	if (own.order != order_of(loader))
		error_set(&err, ERROR_USAGE,
		    "the state is that of another order: the dataset, "
		    "batch_size, shuffle, seed, rank, world_size or drop_last "
		    "differ");
	else if (seek(loader, own.epoch, own.position, &err) == 0)
		return 0;
	return error_tell(&err, out);
}

int presto_loader_seek(
    struct presto_loader *loader, uint64_t epoch, struct presto_error *out)
{
	struct error err = ERROR_INIT;

	return seek(loader, epoch, 0, &err) ? error_tell(&err, out) : 0;
}

void presto_loader_statistics(
    const struct presto_loader *loader, struct presto_statistics *statistics)
{
	struct presto_statistics found = loader->sums;

	found.busy_ns += loader->told.busy_ns;
	found.wait_ns += loader->told.wait_ns;
	found.skipped = batches_skipped(&loader->batches);
	found.filtered = batches_filtered(&loader->batches);
	sized_give(statistics, &found);
}
