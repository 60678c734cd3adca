/* planned.c - see planned.h. */
#include "test/unit/planned.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "test/unit/test.h"

int planned_read(struct planned *planned, const char *text,
    const struct schema *schema, struct error *err)
{
	memset(planned, 0, sizeof(*planned));
	if (ini_parse_text(
	        &planned->ini, "test.conf", text, strlen(text), err) ||
	    plan_read(&planned->plan, &planned->ini, err) ||
	    pipeline_read(&planned->pipeline, &planned->ini, err) ||
	    pipeline_bind(&planned->pipeline, schema, err))
		return -1;
	return strategies_enumerate(
	    &planned->strategies, &planned->plan, &planned->pipeline, err);
}

void planned_release(struct planned *planned)
{
	strategies_release(&planned->strategies);
	pipeline_release(&planned->pipeline);
	ini_release(&planned->ini);
}

struct model *planned_model(const struct planned *planned,
    const struct reader *source, double field_bytes)
{
	struct model *model = calloc(1, sizeof(*model));

	assert_non_null(model);
	model->plan = &planned->plan;
	model->pipeline = &planned->pipeline;
	model->source = source;
	model->machine.cores = 2;
	for (unsigned i = 0; i <= planned->pipeline.count; i++) {
		model->many[i] = 1;
		model->field_bytes[i] = field_bytes;
	}
	return model;
}
