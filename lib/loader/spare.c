/* spare.c - see spare.h. */
#include "lib/loader/spare.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/batch.h"

struct waiting {
	const struct schema *schema;
	struct batch *batch;
};

struct spare {
	struct waiting *list;
	size_t count, capacity;
	uint64_t reused;
};

struct spare *spare_new(void)
{
	return calloc(1, sizeof(struct spare));
}

void spare_clear(struct spare *spare)
{
	for (size_t i = 0; spare && i < spare->count; i++)
		batch_free(spare->list[i].batch);
	if (spare)
		spare->count = 0;
}

void spare_free(struct spare *spare)
{
	if (!spare)
		return;
	spare_clear(spare);
	free(spare->list);
	free(spare);
}

static uint64_t batch_bytes(
    const struct batch *batch, const struct schema *schema)
{
	return (uint64_t)schema_bytes(schema) * batch->capacity;
}

struct batch *spare_take(
    struct spare *spare, const struct schema *schema, unsigned capacity)
{
	for (size_t i = spare->count; i-- > 0;) {
		struct batch *batch = spare->list[i].batch;

		if (spare->list[i].schema != schema ||
		    batch->capacity != capacity)
			continue;
		spare->list[i] = spare->list[--spare->count];
		spare->reused += batch_bytes(batch, schema);
		return batch;
	}
	return NULL;
}

void spare_give(
    struct spare *spare, const struct schema *schema, struct batch *batch)
{
	struct error ignored;
	struct waiting *list = array_grow(spare->list, &spare->capacity,
	    spare->count + 1, sizeof(*list), &ignored);

	if (!list) {
		batch_free(batch);
		return;
	}
	spare->list = list;
	batch_reset(batch);
	list[spare->count++] =
	    (struct waiting){ .schema = schema, .batch = batch };
}

uint64_t spare_reused(struct spare *spare)
{
	const uint64_t reused = spare ? spare->reused : 0;

	if (spare)
		spare->reused = 0;
	return reused;
}
