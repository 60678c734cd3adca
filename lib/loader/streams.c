/* streams.c - see streams.h. */
#include "lib/loader/streams.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/random.h"
#include "lib/loader/state.h"

/* Returns how many streams a whole epoch has. */
static size_t stream_count(const struct loader *loader)
{
	return loader->chosen ? loader->chosen_count
	                      : loader->plan.reader->streams;
}

/* Returns the i-th stream of a partial dataset, spread over all streams. */
static size_t part_stream(const struct loader *loader, size_t i)
{
	const size_t at = i * stream_count(loader) / loader->part;

	return loader->chosen ? loader->chosen[at] : at;
}

void streams_order(struct loader *loader)
{
	const struct loader_plan *plan = &loader->plan;
	const size_t streams = loader->part;
	struct random random =
	    random_stream(plan->seed, loader->epoch, 0, UINT32_MAX);

	for (size_t i = 0; i < streams; i++)
		loader->order[i] = part_stream(loader, i);
	for (size_t i = streams; plan->shuffle && i > 1; i--) {
		const size_t j = (size_t)(random_u64(&random) % i);
		const size_t kept = loader->order[i - 1];

		loader->order[i - 1] = loader->order[j];
		loader->order[j] = kept;
	}
}

int loader_set_streams(struct loader *loader, const size_t *streams,
    size_t count, struct error *err)
{
	size_t *chosen = memory_zeroed((count + 1) * sizeof(*chosen), err);

	if (!chosen)
		return -1;
	memcpy(chosen, streams, count * sizeof(*chosen));
	free(loader->chosen);
	loader->chosen = chosen;
	loader->chosen_count = count;
	loader->part = count;
	return 0;
}

double loader_set_part(struct loader *loader, double fraction)
{
	const struct reader *reader = loader->plan.reader;
	const double streams = (double)stream_count(loader);
	uint64_t samples = 0;

	loader->part = stream_count(loader);
	if (fraction >= 1 || loader->part == 0 || reader->samples == 0 ||
	    pipeline_makes_many(
	        loader->plan.pipeline, loader->plan.from, loader->plan.to))
		return 1;
	if (fraction * streams < streams - 1)
		loader->part = 1 + (size_t)(fraction * streams);
	for (size_t i = 0; i < loader->part; i++)
		samples +=
		    reader->ops->stream_samples(reader, part_stream(loader, i));
	if (samples > 0)
		return (double)samples / (double)reader->samples;
	loader->part = stream_count(loader);
	return 1;
}
