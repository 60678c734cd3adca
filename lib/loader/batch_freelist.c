/* batch_freelist.c - see batch_freelist.h. */
#include "lib/loader/batch_freelist.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/batch.h"

struct waiting {
	const struct schema *schema;
	struct batch *batch;
};

struct batch_freelist {
	struct waiting *list;
	size_t count, capacity;
	uint64_t reused;
};

struct batch_freelist *batch_freelist_new(void)
{
	return calloc(1, sizeof(struct batch_freelist));
}

void batch_freelist_clear(struct batch_freelist *freelist)
{
	for (size_t i = 0; freelist && i < freelist->count; i++)
		batch_free(freelist->list[i].batch);
	if (freelist)
		freelist->count = 0;
}

void batch_freelist_free(struct batch_freelist *freelist)
{
	if (!freelist)
		return;
	batch_freelist_clear(freelist);
	free(freelist->list);
	free(freelist);
}

static uint64_t batch_bytes(
    const struct batch *batch, const struct schema *schema)
{
	return (uint64_t)schema_bytes(schema) * batch->capacity;
}

struct batch *batch_freelist_take(struct batch_freelist *freelist,
    const struct schema *schema, unsigned capacity)
{
	for (size_t i = freelist->count; i-- > 0;) {
		struct batch *batch = freelist->list[i].batch;

		if (freelist->list[i].schema != schema ||
		    batch->capacity != capacity)
			continue;
		freelist->list[i] = freelist->list[--freelist->count];
		freelist->reused += batch_bytes(batch, schema);
		return batch;
	}
	return NULL;
}

void batch_freelist_give(struct batch_freelist *freelist,
    const struct schema *schema, struct batch *batch)
{
	struct error ignored;
	struct waiting *list = array_grow(freelist->list, &freelist->capacity,
	    freelist->count + 1, sizeof(*list), &ignored);

	if (!list) {
		batch_free(batch);
		return;
	}
	freelist->list = list;
	batch_reset(batch);
	list[freelist->count++] =
	    (struct waiting){ .schema = schema, .batch = batch };
}

uint64_t batch_freelist_reused(struct batch_freelist *freelist)
{
	const uint64_t reused = freelist ? freelist->reused : 0;

	if (freelist)
		freelist->reused = 0;
	return reused;
}
