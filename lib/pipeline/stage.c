/* stage.c - see stage.h. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/pipeline/stage.h"
#include "lib/sample/pool.h"

enum { KEY_MORE = 24 }; /* "-000000" and longer */

int stage_open(struct stage *stage, const struct chain_plan *plan,
    const struct chain_plan *part, struct error *err)
{
	const struct pipeline *pipeline = plan->pipeline;
	struct schema out;

	stage->links = links_new(part, err);
	if (!stage->links)
		return -1;
	if (part->to == plan->to)
		return 0;
	stage->index = part->to;
	stage->step = &pipeline->steps[part->to];
	stage->priv = calloc(1, stage->step->ops->priv_size + 1);
	if (!stage->priv)
		return error_memory(err, stage->step->ops->priv_size);
	out = pipeline->schemas[part->to];
	if (stage->step->ops->sample->bind(stage->priv, stage->step->options,
	        &pipeline->schemas[part->to], stage->step->fields, &out, err))
		return error_prefix(err, "step %s", stage->step->ops->name);
	stage->made.count = out.count;
	for (unsigned f = 0; f < out.count; f++)
		if (type_bytes(&out.fields[f].type) < 0)
			stage->made.fields[f].piece = pool_empty(plan->pool);
	return 0;
}

void stage_close(struct stage *stage)
{
	links_free(stage->links);
	sample_release(&stage->linked);
	sample_release(&stage->made);
	for (unsigned f = 0; f < FIELDS_MAX; f++)
		tensor_release(&stage->aligned[f]);
	if (stage->priv && stage->step->ops->release)
		stage->step->ops->release(stage->priv);
	free(stage->priv);
	buf_release(&stage->key);
}

bool stage_pair(struct stage *stage, const struct stage *next)
{
	const struct fused_pair_ops *pair =
	    stage->step->ops->sample->fused_pair;

	if (!pair || pair->next != next->step->ops ||
	    !links_only_copy(next->links) ||
	    !pair->fits(stage->priv, next->priv))
		return false;
	stage->pair = pair;
	stage->pair_index = next->index;
	return true;
}

void stage_get_group(const struct stage *stage, struct chain_group *group)
{
	*group = (struct chain_group){
		.steps = { stage->index, stage->pair_index },
		.count = 2,
		.is_pair = true,
	};
	while (!(stage->step->fields & (1u << group->field)))
		group->field++;
}

int stage_align(struct stage *stage, struct error *err)
{
	if (stage->step->ops->any_alignment)
		return 0;
	for (unsigned f = 0; f < stage->in.count; f++) {
		struct tensor *field = &stage->in.fields[f];
		const size_t mask = dtype_bytes(field->dtype) - 1;

		if (((uintptr_t)field->data & mask) == 0)
			continue;
		if (tensor_copy(&stage->aligned[f], field, err))
			return -1;
		tensor_borrow(field, &stage->aligned[f]);
	}
	return 0;
}

int stage_set_key(struct stage *stage, uint64_t number, struct error *err)
{
	const struct span key = stage->in.key;
	char more[KEY_MORE];
	int len;

	if (!stage->step->ops->sample->many) {
		stage->made.key = key;
		return 0;
	}
	len =
	    snprintf(more, sizeof(more), "-%06llu", (unsigned long long)number);
	stage->key.len = 0;
	if (buf_append(&stage->key, key.data, key.len, err) ||
	    buf_append(&stage->key, more, (size_t)len, err))
		return -1;
	stage->made.key = buf_span(&stage->key);
	return 0;
}
