/* batches.c - the batches of a loader, and the free list between epochs. */
#include "lib/loader/batches.h"
#include "lib/loader/batch_freelist.h"
#include "lib/loader/state.h"
#include "lib/sample/pool.h"

/*
 * Where all samples fit into the batches, an epoch may need memory for each of
 * them at once, although most epochs do not. So it is made in advance.
 */
static size_t fresh_pieces(const struct loader *loader)
{
	const struct loader_plan *plan = &loader->plan;
	const struct schema *schema = &plan->pipeline->schemas[plan->to];
	const uint64_t slots = (uint64_t)loader->batch_count * plan->batch;
	size_t pieces = 0;

	if (plan->reader->samples > slots)
		return 0;
	for (unsigned f = 0; f < schema->count; f++)
		if (type_bytes(&schema->fields[f].type) < 0)
			pieces += (size_t)plan->reader->samples;
	return pieces;
}

/* Returns the free list for batches; NULL: the loader keeps them. */
static struct batch_freelist *freelist_of(const struct loader *loader)
{
	const struct loader_plan *plan = &loader->plan;

	return schema_bytes(&plan->pipeline->schemas[plan->to]) > 0
	           ? plan->freelist
	           : NULL;
}

int batches_take(struct loader *loader, struct error *err)
{
	const struct loader_plan *plan = &loader->plan;
	const struct schema *schema = &plan->pipeline->schemas[plan->to];
	struct batch_freelist *freelist = freelist_of(loader);

	for (unsigned i = 0; i < loader->batch_count; i++) {
		struct batch **batch = &loader->batches[i];

		if (!*batch && freelist)
			*batch =
			    batch_freelist_take(freelist, schema, plan->batch);
		if (!*batch)
			*batch =
			    batch_new(plan->batch, schema, loader->pool, err);
		if (!*batch)
			return -1;
	}
	return 0;
}

void batches_give(struct loader *loader)
{
	const struct loader_plan *plan = &loader->plan;
	const struct schema *schema = &plan->pipeline->schemas[plan->to];
	struct batch_freelist *freelist = freelist_of(loader);

	for (unsigned i = 0; freelist && i < loader->batch_count; i++) {
		if (loader->batches[i])
			batch_freelist_give(
			    freelist, schema, loader->batches[i]);
		loader->batches[i] = NULL;
	}
}

int batches_make(struct loader *loader, struct error *err)
{
	loader->pool = pool_new(fresh_pieces(loader), err);
	if (!loader->pool)
		return -1;
	if (batches_take(loader, err))
		return -1;
	batches_give(loader);
	return 0;
}
