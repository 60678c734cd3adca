/* outputs.c - see outputs.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/session/outputs.h"

int outputs_add(struct outputs *outputs, const struct batch *batch,
    const struct schema *schema, struct error *err)
{
	struct output *list = array_grow(outputs->list, &outputs->capacity,
	    outputs->count + batch->count, sizeof(*list), err);

	if (!list)
		return -1;
	outputs->list = list;
	for (unsigned i = 0; i < batch->count; i++) {
		const struct sample *sample = &batch->slots[i];

		list[outputs->count++] = (struct output){
			.id = sample_id(sample->key),
			.hash = sample_hash(sample, schema),
			.form = sample_form(sample, schema),
		};
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct output *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->form != y->form)
		return x->form < y->form ? -1 : 1;
	return (x->hash > y->hash) - (x->hash < y->hash);
}

void outputs_sort(struct outputs *outputs)
{
	if (outputs->count > 1)
		qsort(outputs->list, outputs->count, sizeof(struct output),
		    compare);
}

bool outputs_equal(const struct outputs *a, const struct outputs *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (compare(&a->list[i], &b->list[i]) != 0)
			return false;
	return true;
}

bool outputs_alike(const struct outputs *a, const struct outputs *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].id != b->list[i].id ||
		    a->list[i].form != b->list[i].form)
			return false;
	return true;
}

bool outputs_within(const struct outputs *part, const struct outputs *all)
{
	size_t at = 0;

	for (size_t i = 0; i < part->count; i++, at++) {
		while (at < all->count &&
		       compare(&all->list[at], &part->list[i]) < 0)
			at++;
		if (at == all->count ||
		    compare(&all->list[at], &part->list[i]) != 0)
			return false;
	}
	return true;
}

void outputs_release(struct outputs *outputs)
{
	free(outputs->list);
	*outputs = (struct outputs)OUTPUTS_INIT;
}
