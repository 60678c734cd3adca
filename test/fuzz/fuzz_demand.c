/*
 * fuzz_demand.c - any text as the report of a loader: an error, or a demand
 * that is a number.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/loader/demand_report.h"
#include "strategies/whatif/demand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct span text = { .data = data, .len = len };
	struct error err = ERROR_INIT;
	struct demand_stream stream;
	struct demand demand;
	int found;

	if (demand_stream_parse(&stream, "it", text, &err)) {
		require(err.code == ERROR_DATA && err.text[0]);
		return 0;
	}
	found = demand_of_loaders(&demand, &stream, 1, &err);
	require(found >= 0);
	if (found) {
		require(isfinite(demand.samples_per_s));
		require(demand.low <= demand.samples_per_s);
		require(demand.samples_per_s <= demand.high);
		require(demand.waited >= 0 && demand.waited <= 1);
		require(demand.left_out < demand.batches);
	}
	demand_stream_release(&stream);
	return 0;
}
