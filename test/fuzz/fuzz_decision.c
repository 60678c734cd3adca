/*
 * fuzz_decision.c - any bytes as a file of accelerators, and as one of other
 * machines: an error with the file's name, or a decision that adds up.  Built
 * with clang's -fsanitize=fuzzer.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/syntax/ini.h"
#include "strategies/whatif/accelerators.h"
#include "strategies/whatif/offload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

/* Small enough to be divided while one waits. */
static int is_small(const struct nodes_job *job)
{
	unsigned devices = 0;

	for (unsigned i = 0; i < job->type_count; i++)
		devices += job->types[i].count;
	return job->batch <= 256 && devices <= 64;
}

static void check_division(struct accelerators *accelerators)
{
	const struct nodes_job *job = &accelerators->job;
	struct error err = ERROR_INIT;
	unsigned samples = 0;

	if (!is_small(job))
		return;
	if (accelerators_solve(accelerators, &err)) {
		require(err.code == ERROR_USAGE || err.code == ERROR_LIMIT);
		return;
	}
	for (unsigned i = 0; i < job->type_count; i++) {
		const struct nodes_share *share =
		    &accelerators->division.shares[i];

		require(share->devices <= job->types[i].count);
		require(
		    share->samples == share->virtual_nodes * share->node_batch);
		samples += share->devices * share->samples;
	}
	require(samples == job->batch);
	require(accelerators->host_count > 0);
	require(accelerators_most(accelerators) <=
	        accelerators->samples_per_s * (1 + 1e-9));
}

static void check_offload(const struct offload_site *site)
{
	static const struct offload_facts facts = { .all_s = 5e-3,
		.samples_per_s = 400,
		.capacity = 450,
		.places = { { "a", 3e-3, 500e3 }, { "b", 4.9e-3, 100e3 } },
		.count = 2 };
	struct offload_site needed = *site;
	struct offload offload;

	if (isnan(needed.accelerator))
		needed.accelerator = 1000;
	offload_make(&offload, &facts, &needed);
	require(*offload.reason);
	if (offload.best)
		require(offload.best->samples_per_s > offload.local &&
		        offload.best->workers <= site->count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct accelerators accelerators;
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;
	struct offload_site site;

	if (ini_parse_text(&ini, "fuzz", (const char *)data, len, &err))
		return 0;
	if (accelerators_parse(&accelerators, &ini, &err) == 0)
		check_division(&accelerators);
	else
		require(strncmp(err.text, "fuzz:", 5) == 0);
	if (offload_parse(&site, &ini, &err) == 0)
		check_offload(&site);
	else
		require(strncmp(err.text, "fuzz:", 5) == 0);
	ini_release(&ini);
	return 0;
}
