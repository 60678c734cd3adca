/* overhead.c - see overhead.h. */
#include "strategies/forecast/overhead.h"

#include <math.h>

#include "lib/base/error.h"
#include "lib/sample/sample.h"
#include "strategies/forecast/held.h"
#include "strategies/forecast/memory_store.h"

/* Some hundred bytes are less than 0.1 % of a larger sample. */
enum { LARGE_BYTES = 1 << 20 };

/* Stores so many samples in so many shards: all bytes, or -1. */
static double store_some(
    const struct memory_store_plan *of, uint64_t samples, unsigned shards)
{
	struct memory_store_plan plan = *of;
	struct error ignored =
	    ERROR_INIT; /* storing all of it will report it */
	struct memory_store made;
	double bytes;

	plan.samples = samples;
	plan.shards = shards;
	if (memory_store_make(&made, &plan, &ignored))
		return -1;
	bytes = (double)made.bytes;
	memory_store_release(&made);
	return bytes;
}

/* Returns the bytes that the record of a sample takes in its shard. */
static double record_bytes(
    const struct memory_store_plan *of, const struct sample *sample)
{
	const struct store_ops *store = of->store;
	struct error ignored = ERROR_INIT;
	struct buf record = BUF_INIT;
	double bytes = (double)sample_bytes(sample);

	if (!store->append)
		return bytes;
	bytes = store->append(
	            &of->pipeline->schemas[of->rep], sample, &record, &ignored)
	            ? -1
	            : (double)record.len;
	buf_release(&record);
	return bytes;
}

static struct sample *smallest(const struct held_rep *held)
{
	struct sample *least = &held->list[0];

	for (size_t i = 1; i < held->count; i++)
		if (sample_bytes(&held->list[i]) < sample_bytes(least))
			least = &held->list[i];
	return least;
}

/* Measures samples stored without a codec. */
static void measure_plain(
    struct overhead *overhead, const struct memory_store_plan *of, double shard)
{
	const struct codec none = { .ops = &codec_none };
	struct memory_store_plan plan = *of;
	double single, twice, record;

	plan.codec = &none;
	single = store_some(&plan, 1, 1);
	twice = single < 0 ? -1 : store_some(&plan, 2, 1);
	record = twice < 0 ? -1 : record_bytes(&plan, &of->held->list[0]);
	if (record < 0)
		return;
	overhead->sample = fmax(twice - single - record, 0);
	overhead->folder = fmax(single - shard - (twice - single), 0);
	/* Compressed shards have no index for other readers. */
	if (of->store->idx_line && of->codec->ops->encode)
		overhead->sample = 0;
}

struct overhead overhead_measure(const struct memory_store_plan *of)
{
	struct overhead overhead = { .sample = 0 };
	struct memory_store_plan plan = *of;
	struct held_rep one = { .count = 1 };
	double single, apart;

	if (of->held->count == 0)
		return overhead;
	one.list = smallest(of->held);
	if (sample_bytes(one.list) > LARGE_BYTES)
		return overhead;
	plan.held = &one;
	single = store_some(&plan, 1, 1);
	apart = single < 0 ? -1 : store_some(&plan, 1, 2);
	if (apart < 0)
		return overhead;
	overhead.shard = apart - single;
	measure_plain(&overhead, &plan, overhead.shard);
	return overhead;
}
