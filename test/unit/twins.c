/* twins.c - see twins.h. */
#include "test/unit/twins.h"

#include <string.h>

#include "lib/base/error.h"
#include "test/unit/test.h"

void twins_close(struct twins *twins)
{
	chain_free(twins->together);
	chain_free(twins->alone);
	pipeline_release(&twins->pipeline);
	ini_release(&twins->ini);
}

int twins_open(struct twins *twins, const char *text,
    const struct schema *schema, const struct codec *codec)
{
	struct error err = ERROR_INIT;
	struct chain_plan plan = {
		.pipeline = &twins->pipeline,
		.decode = codec,
	};

	*twins = (struct twins){ .ini = INI_INIT, .pipeline = PIPELINE_INIT };
	test_ok(ini_parse_text(&twins->ini, "p.conf", text, strlen(text), &err),
	    &err);
	if (pipeline_read(&twins->pipeline, &twins->ini, &err) ||
	    pipeline_bind(&twins->pipeline, schema, &err)) {
		twins_close(twins);
		return -1;
	}
	plan.to = twins->pipeline.count;
	twins->together = chain_new(&plan, &err);
	plan.unfused = true;
	twins->alone = chain_new(&plan, &err);
	assert_non_null(twins->together);
	assert_non_null(twins->alone);
	return 0;
}
