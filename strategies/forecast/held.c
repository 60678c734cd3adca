/* held.c - see held.h. */
#include "strategies/forecast/held.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

static void release_sample(struct sample *sample)
{
	free((unsigned char *)(uintptr_t)sample->key.data);
	sample_release(sample);
}

static int copy_sample(
    struct sample *to, const struct sample *from, struct error *err)
{
	unsigned char *key = malloc(from->key.len + 1);

	*to = (struct sample)SAMPLE_INIT;
	if (!key)
		return error_memory(err, from->key.len);
	if (from->key.len > 0)
		memcpy(key, from->key.data, from->key.len);
	to->key.data = key;
	to->key.len = from->key.len;
	to->label = from->label;
	to->count = from->count;
	for (unsigned f = 0; f < from->count; f++)
		if (tensor_copy(&to->fields[f], &from->fields[f], err)) {
			release_sample(to);
			return -1;
		}
	return 0;
}

static bool is_wanted(const struct held_rep *rep, uint64_t bytes)
{
	if (rep->full || bytes > HELD_MOST)
		return false;
	return rep->count < HELD_LEAST || rep->bytes + bytes <= HELD_BYTES;
}

int held_add(struct held *held, unsigned number, const struct sample *sample,
    struct error *err)
{
	struct held_rep *rep = &held->reps[number];
	struct error ignored = ERROR_INIT;
	struct sample *list;

	if (!is_wanted(rep, sample_bytes(sample))) {
		rep->full = true;
		return 0;
	}
	list = array_grow(
	    rep->list, &rep->capacity, rep->count + 1, sizeof(*list), err);
	if (!list)
		return -1;
	rep->list = list;
	/* Without memory, fewer are rehearsed. */
	if (copy_sample(&list[rep->count], sample, &ignored)) {
		rep->full = true;
		return 0;
	}
	rep->count++;
	rep->bytes += sample_bytes(sample);
	return 0;
}

void held_release(struct held *held)
{
	for (size_t r = 0; r <= PIPELINE_STEPS; r++) {
		struct held_rep *rep = &held->reps[r];

		for (size_t i = 0; i < rep->count; i++)
			release_sample(&rep->list[i]);
		free(rep->list);
		*rep = (struct held_rep){ .list = NULL };
	}
}
