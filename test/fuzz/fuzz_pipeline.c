/*
 * fuzz_pipeline.c - any bytes as a pipeline file: they are read as one, bound
 * to images, and its strategies are listed, or the mistake has words.
 */
#include <stdlib.h>

#include "datasets/source.h"
#include "lib/base/error.h"
#include "lib/pipeline/pipeline.h"
#include "lib/steps/step.h"
#include "lib/syntax/ini.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/strategies.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct schema images = {
	.count = 1,
	.fields = { { .name = "data",
	    .type = { .dtype = DTYPE_U8,
	        .layout = LAYOUT_HWC,
	        .shape = { .count = 3, .dims = { -1, -1, 3 } } } } },
};

static const struct schema files = {
	.count = 1,
	.fields = { { .name = "data",
	    .type = { .dtype = DTYPE_U8,
	        .layout = LAYOUT_ENCODED,
	        .shape = { .count = 1, .dims = { -1 } },
	        .suffix = "jpg" } } },
};

/* A mistake without words is one of ours. */
static void check(int rc, const struct error *err)
{
	if (rc && !err->text[0])
		abort();
}

static void bind(struct pipeline *pipeline, const struct plan *plan,
    const struct schema *schema)
{
	struct strategies strategies = STRATEGIES_INIT;
	struct error err = ERROR_INIT;
	int rc = pipeline_bind(pipeline, schema, &err);

	if (rc == 0)
		rc = strategies_enumerate(&strategies, plan, pipeline, &err);
	check(rc, &err);
	strategies_release(&strategies);
}

/* No fuzzer opens libraries, or looks for programs, by names of its own. */
static bool runs_code(const struct pipeline *pipeline)
{
	for (unsigned i = 0; i < pipeline->count; i++)
		if (pipeline->steps[i].ops->own)
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ini ini = INI_INIT;
	struct dataset dataset = DATASET_INIT;
	struct pipeline pipeline = PIPELINE_INIT;
	struct plan plan;
	struct error err = ERROR_INIT;
	int rc =
	    ini_parse_text(&ini, "fuzz.conf", (const char *)data, size, &err);

	check(rc, &err);
	if (rc == 0) {
		check(dataset_read(&dataset, &ini, &err), &err);
		rc = plan_read(&plan, &ini, &err);
		check(rc, &err);
	}
	if (rc == 0) {
		rc = pipeline_read(&pipeline, &ini, &err);
		check(rc, &err);
	}
	if (rc == 0 && !runs_code(&pipeline)) {
		bind(&pipeline, &plan, &images);
		bind(&pipeline, &plan, &files);
	}
	pipeline_release(&pipeline);
	dataset_release(&dataset);
	ini_release(&ini);
	return 0;
}
