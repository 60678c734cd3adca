/* outputs.c - see outputs.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/trial/outputs.h"

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

/* Orders by all but the bytes. */
static int compare_form(const struct output *x, const struct output *y)
{
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->form > y->form) - (x->form < y->form);
}

static int compare(const struct output *x, const struct output *y)
{
	const int order = compare_form(x, y);

	return order ? order : (x->hash > y->hash) - (x->hash < y->hash);
}

static int compare_void(const void *a, const void *b)
{
	return compare(a, b);
}

void outputs_sort(struct outputs *outputs)
{
	if (outputs->count > 1)
		qsort(outputs->list, outputs->count, sizeof(struct output),
		    compare_void);
}

/* Finds each sample of `part` in `all`, in the order of both lists. */
static bool is_within(const struct outputs *part, const struct outputs *all,
    int (*order)(const struct output *, const struct output *))
{
	size_t at = 0;

	for (size_t i = 0; i < part->count; i++, at++) {
		while (at < all->count &&
		       order(&all->list[at], &part->list[i]) < 0)
			at++;
		if (at == all->count ||
		    order(&all->list[at], &part->list[i]) != 0)
			return false;
	}
	return true;
}

bool outputs_equal(const struct outputs *a, const struct outputs *b)
{
	return a->count == b->count && is_within(a, b, compare);
}

bool outputs_alike(const struct outputs *a, const struct outputs *b)
{
	return a->count == b->count && is_within(a, b, compare_form);
}

bool outputs_within(const struct outputs *part, const struct outputs *all)
{
	return is_within(part, all, compare);
}

bool outputs_alike_within(const struct outputs *part, const struct outputs *all)
{
	return is_within(part, all, compare_form);
}

void outputs_release(struct outputs *outputs)
{
	free(outputs->list);
	*outputs = (struct outputs)OUTPUTS_INIT;
}
