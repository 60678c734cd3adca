/* batches.c - see batches.h. */
#include "api/batches.h"

#include "api/presto.h"
#include "api/private.h"
#include "api/project.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/service/remote.h"

static struct ordered_loader *open_local(const struct presto_dataset *dataset,
    const struct presto_loader_options *options, struct error *err)
{
	const struct project *project = dataset->project;
	const unsigned threads = project_threads(project, options->threads);
	const struct ordered_plan plan = {
		.reader = project->source,
		.pipeline = &project->pipeline,
		.medium = project->medium,
		.from = project->pipeline.from,
		.to = project->pipeline.count,
		.threads = threads,
		.fetchers =
		    project_fetchers(project, options->fetchers, threads),
		.batch = options->batch_size,
		.shuffle = options->shuffle,
		.drop_last = options->drop_last,
		.seed = options->seed,
		.rank = options->rank,
		.world_size = options->world_size,
		.skip_errors = project->dataset.skip_errors,
	};

	return ordered_loader_new(&plan, err);
}

static struct remote_loader *open_remote(const struct presto_dataset *dataset,
    const struct presto_loader_options *options, struct error *err)
{
	const struct service_order order = {
		.batch = options->batch_size,
		.rank = options->rank,
		.world_size = options->world_size,
		.seed = options->seed,
		.shuffle = options->shuffle,
		.drop_last = options->drop_last,
	};

	if (options->threads || options->fetchers) {
		error_set(err, ERROR_USAGE,
		    "threads and fetchers are those of the workers: give them "
		    "to presto serve");
		return NULL;
	}
	return remote_loader_new(dataset->service, &order, err);
}

int batches_open(struct batches *batches, const struct presto_dataset *dataset,
    const struct presto_loader_options *options, struct error *err)
{
	*batches = (struct batches){ .local = NULL };
	if (dataset->service)
		batches->remote = open_remote(dataset, options, err);
	else
		batches->local = open_local(dataset, options, err);
	return batches->remote || batches->local ? 0 : -1;
}

void batches_close(struct batches *batches)
{
	ordered_loader_free(batches->local);
	remote_loader_free(batches->remote);
}

uint64_t batches_count(const struct batches *batches)
{
	return batches->remote ? remote_loader_batches(batches->remote)
	                       : ordered_loader_batches(batches->local);
}

int batches_next(struct batches *batches, unsigned wait_ms,
    struct batch **batch, struct error *err)
{
	return batches->remote
	           ? remote_loader_next(batches->remote, wait_ms, batch, err)
	           : ordered_loader_next(batches->local, wait_ms, batch, err);
}

void batches_interrupt(struct batches *batches)
{
	if (batches->remote)
		remote_loader_interrupt(batches->remote);
	else
		ordered_loader_interrupt(batches->local);
}

struct ordered_position batches_position(const struct batches *batches)
{
	return batches->remote ? remote_loader_position(batches->remote)
	                       : ordered_loader_position(batches->local);
}

void batches_seek(struct batches *batches, struct ordered_position position)
{
	if (batches->remote)
		remote_loader_seek(batches->remote, position);
	else
		ordered_loader_seek(batches->local, position);
}

uint64_t batches_skipped(const struct batches *batches)
{
	return batches->remote ? remote_loader_skipped(batches->remote)
	                       : ordered_loader_skipped(batches->local);
}

uint64_t batches_filtered(const struct batches *batches)
{
	return batches->remote ? remote_loader_filtered(batches->remote)
	                       : ordered_loader_filtered(batches->local);
}

uint64_t batches_order(
    const struct batches *batches, const struct presto_dataset *dataset)
{
	const uint64_t parts[] = {
		batches->remote ? remote_loader_order(batches->remote)
		                : ordered_loader_order(batches->local),
		dataset->service ? service_facts(dataset->service)->identity
		                 : dataset->project->identity,
	};

	return hash_bytes(parts, sizeof(parts), 0);
}
