/*
 * batch.c - batches that the caller keeps as long as it likes.
 *
 * Labels are copied into an array when a batch is delivered.  A field whose
 * type has an unknown dim lies in pieces, a sample each; it is put together
 * when somebody asks for it as one tensor.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/presto.h"
#include "api/private.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"

/* What may change while several threads read a batch. */
struct parts {
	/* Copies of fields that lie in pieces; NULL: not asked for yet. */
	_Atomic(void *) joined[FIELDS_MAX];
	int64_t labels[]; /* [samples] */
};

struct presto_batch {
	struct batch *batch;
	struct parts *parts; /* owned */
	unsigned field_count;
};

struct presto_batch *presto_batch_new(
    unsigned samples, unsigned fields, struct error *err)
{
	struct presto_batch *made = memory_zeroed(sizeof(*made), err);
	struct parts *parts =
	    made ? memory_zeroed(
	               sizeof(*parts) + samples * sizeof(parts->labels[0]), err)
	         : NULL;

	if (!parts) {
		free(made);
		return NULL;
	}
	for (unsigned f = 0; f < FIELDS_MAX; f++)
		atomic_init(&parts->joined[f], NULL);
	made->parts = parts;
	made->field_count = fields;
	return made;
}

void presto_batch_fill(struct presto_batch *made, struct batch *batch)
{
	for (unsigned i = 0; i < batch->count; i++)
		made->parts->labels[i] = batch->slots[i].label;
	made->batch = batch;
}

uint64_t presto_batch_bytes(const struct presto_batch *batch)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < batch->batch->count; i++)
		bytes += sample_bytes(&batch->batch->slots[i]);
	return bytes;
}

void presto_batch_free(struct presto_batch *batch)
{
	if (!batch)
		return;
	for (unsigned f = 0; f < batch->field_count; f++)
		free(atomic_load(&batch->parts->joined[f]));
	batch_give(batch->batch);
	free(batch->parts);
	free(batch);
}

size_t presto_batch_samples(const struct presto_batch *batch)
{
	return batch->batch->count;
}

static void tensor_give(const struct tensor *tensor, struct presto_tensor *out)
{
	const struct type type = {
		.dtype = tensor->dtype,
		.shape = tensor->shape,
	};

	type_give(&type, &out->type);
	out->data = tensor->data;
	out->bytes = tensor->bytes;
}

int presto_batch_sample(const struct presto_batch *batch, size_t sample,
    unsigned field, struct presto_tensor *tensor)
{
	if (sample >= batch->batch->count || field >= batch->field_count)
		return -1;
	tensor_give(&batch->batch->slots[sample].fields[field], tensor);
	return 0;
}

static bool is_one_shape(const struct batch *batch, unsigned field)
{
	const struct tensor *first = &batch->slots[0].fields[field];

	for (unsigned i = 1; i < batch->count; i++) {
		const struct tensor *other = &batch->slots[i].fields[field];

		if (other->dtype != first->dtype ||
		    !shape_equal(&other->shape, &first->shape))
			return false;
	}
	return true;
}

static void *copy_pieces(const struct batch *batch, unsigned field)
{
	const size_t each = batch->slots[0].fields[field].bytes;
	size_t bytes;
	char *copy;

	if (size_mul(each, batch->count, &bytes))
		return NULL;
	bytes += TENSOR_ALIGN - bytes % TENSOR_ALIGN;
	copy = aligned_alloc(TENSOR_ALIGN, bytes);
	for (unsigned i = 0; copy && i < batch->count && each; i++)
		memcpy(
		    copy + i * each, batch->slots[i].fields[field].data, each);
	return copy;
}

/* Several threads may ask at once: the first copy counts. */
static void *join(const struct presto_batch *batch, unsigned field)
{
	_Atomic(void *) *at = &batch->parts->joined[field];
	void *joined = atomic_load(at), *made;

	if (joined)
		return joined;
	made = copy_pieces(batch->batch, field);
	if (!made || atomic_compare_exchange_strong(at, &joined, made))
		return made;
	free(made);
	return joined;
}

int presto_batch_field(const struct presto_batch *batch, unsigned field,
    struct presto_tensor *tensor)
{
	const struct batch *from = batch->batch;
	struct presto_tensor one;
	void *data;

	if (field >= batch->field_count || from->count == 0)
		return -1;
	data = from->blocks[field];
	if (!data && !is_one_shape(from, field))
		return -1;
	if (!data)
		data = join(batch, field);
	if (!data)
		return -1;
	tensor_give(&from->slots[0].fields[field], &one);
	tensor->type = (struct presto_type){
		.dtype = one.type.dtype,
		.rank = one.type.rank + 1,
		.dims = { from->count },
	};
	memcpy(tensor->type.dims + 1, one.type.dims,
	    one.type.rank * sizeof(one.type.dims[0]));
	tensor->data = data;
	tensor->bytes = one.bytes * from->count;
	return 0;
}

int64_t *presto_batch_labels(const struct presto_batch *batch)
{
	return batch->parts->labels;
}

const char *presto_batch_key(
    const struct presto_batch *batch, size_t sample, size_t *length)
{
	const struct sample *slot;

	*length = 0;
	if (sample >= batch->batch->count)
		return NULL;
	slot = &batch->batch->slots[sample];
	*length = slot->key.len;
	return (const char *)slot->key.data;
}
