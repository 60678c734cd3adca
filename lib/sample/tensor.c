/*
 * tensor.c - see tensor.h.
 *
 * Owned memory has TENSOR_SLACK bytes more than its capacity: vector loads and
 * stores may overrun the end by fewer bytes.
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/copy.h"
#include "lib/base/error.h"
#include "lib/base/room.h"
#include "lib/sample/pool.h"
#include "lib/sample/tensor.h"

enum {
	TENSOR_MAX_LOG2 = 40,
};

size_t shape_elements(const struct shape *shape)
{
	size_t elements = 1;

	for (unsigned i = 0; i < shape->count; i++)
		elements *= (size_t)shape->dims[i];
	return elements;
}

bool shape_equal(const struct shape *a, const struct shape *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		if (a->dims[i] != b->dims[i])
			return false;
	return true;
}

bool shape_is_image(const struct shape *shape)
{
	const int64_t last = shape->count == 3 ? shape->dims[2] : 0;

	return last == 1 || last == 3 || last == 4;
}

bool shape_known(const struct shape *shape)
{
	for (unsigned i = 0; i < shape->count; i++)
		if (shape->dims[i] < 0)
			return false;
	return true;
}

const char *shape_text(const struct shape *shape, char text[SHAPE_TEXT])
{
	size_t len = 0;

	if (!shape->count)
		snprintf(text, SHAPE_TEXT, "scalar");
	for (unsigned i = 0; i < shape->count; i++) {
		const char *by = i ? "x" : "";
		int n;

		if (shape->dims[i] < 0)
			n = snprintf(text + len, SHAPE_TEXT - len, "%s?", by);
		else
			n = snprintf(text + len, SHAPE_TEXT - len, "%s%" PRId64,
			    by, shape->dims[i]);
		len += (size_t)n; /* 8 dims of 19 digits fit */
	}
	return text;
}

int shape_parse(const char *text, struct shape *shape)
{
	struct shape read = { .count = 0 };
	int64_t elements = 1;

	for (;;) {
		char *end;
		long long dim;

		if (*text < '0' || *text > '9' || read.count == SHAPE_MAX)
			return -1;
		errno = 0;
		dim = strtoll(text, &end, 10);
		if (errno || __builtin_mul_overflow(elements, dim, &elements))
			return -1;
		read.dims[read.count++] = dim;
		if (*end == '\0')
			break;
		if (*end != 'x' && *end != ',')
			return -1;
		text = end + 1;
	}
	*shape = read;
	return 0;
}

const char *type_text(const struct type *type, char text[SHAPE_TEXT])
{
	char shape[SHAPE_TEXT];

	if (type->layout == LAYOUT_ENCODED)
		snprintf(text, SHAPE_TEXT, "%s%sbytes", type->suffix,
		    *type->suffix ? " " : "");
	else
		snprintf(text, SHAPE_TEXT, "%s %.180s", dtype_name(type->dtype),
		    shape_text(&type->shape, shape));
	return text;
}

/* Returns the bytes of all elements; -1 if a tensor cannot have so many. */
static int64_t shape_bytes(enum dtype dtype, const struct shape *shape)
{
	size_t bytes = dtype_bytes(dtype);

	for (unsigned i = 0; i < shape->count; i++)
		if (size_mul(bytes, (size_t)shape->dims[i], &bytes))
			return -1;
	return bytes >> TENSOR_MAX_LOG2 ? -1 : (int64_t)bytes;
}

int type_refuse(const struct type *type, const char *wanted, struct error *err)
{
	char text[SHAPE_TEXT];

	return error_set(err, ERROR_USAGE, "takes %s, not %s", wanted,
	    type_text(type, text));
}

int64_t type_bytes(const struct type *type)
{
	if (!shape_known(&type->shape))
		return -1;
	return shape_bytes(type->dtype, &type->shape);
}

bool type_equal(const struct type *a, const struct type *b)
{
	return a->dtype == b->dtype && a->layout == b->layout &&
	       shape_equal(&a->shape, &b->shape) &&
	       strcmp(a->suffix, b->suffix) == 0;
}

static void give_memory(struct tensor *tensor)
{
	if (tensor->owned && tensor->block)
		pool_give(tensor->block);
	else if (tensor->owned)
		free(tensor->data);
}

/* Allocates an eighth more, so that varying sizes soon stop growing. */
static void *allocate(size_t bytes, size_t *capacity, struct error *err)
{
	void *data;

	*capacity = bytes + bytes / 8 + TENSOR_ALIGN;
	*capacity -= *capacity % TENSOR_ALIGN;
	data = aligned_alloc(TENSOR_ALIGN, *capacity + TENSOR_SLACK);
	if (!data)
		error_memory(err, *capacity + TENSOR_SLACK);
	return data;
}

static int grow(
    struct tensor *tensor, size_t bytes, bool keeps, struct error *err)
{
	struct pool_block *block = NULL;
	size_t capacity = 0;
	void *data = NULL;

	if (tensor->block)
		block = pool_take(pool_block_pool(tensor->block), bytes, err);
	else
		data = allocate(bytes, &capacity, err);
	if (!block && !data)
		return -1;
	if (block) {
		data = pool_block_data(block);
		capacity = pool_block_capacity(block);
	}
	if (keeps && tensor->bytes)
		memcpy(data, tensor->data, tensor->bytes);
	give_memory(tensor);
	tensor->block = block;
	tensor->data = data;
	tensor->capacity = capacity;
	tensor->owned = true;
	return 0;
}

static int error_large(
    enum dtype dtype, const struct shape *shape, struct error *err)
{
	char text[SHAPE_TEXT], name[SHAPE_TEXT + 32];

	snprintf(name, sizeof(name), "%s %s", dtype_name(dtype),
	    shape_text(shape, text));
	return room_error(name, (uint64_t)shape_bytes(dtype, shape), err);
}

static int reshape(struct tensor *tensor, enum dtype dtype,
    const struct shape *shape, bool keeps, struct error *err)
{
	const int64_t bytes = shape_bytes(dtype, shape);
	const bool is_placed = !tensor->owned && tensor->capacity;
	char text[SHAPE_TEXT];

	if (bytes < 0)
		return error_set(err, ERROR_DATA,
		    "%s of %s is more than a tensor may have",
		    shape_text(shape, text), dtype_name(dtype));
	if (!room_fits((size_t)bytes))
		return error_large(dtype, shape, err);
	if (is_placed && (size_t)bytes > tensor->capacity)
		return error_set(err, ERROR_DATA,
		    "%s %s does not fit into %zu bytes", dtype_name(dtype),
		    shape_text(shape, text), tensor->capacity);
	if ((size_t)bytes > tensor->capacity || !tensor->capacity)
		if (grow(tensor, (size_t)bytes, keeps, err))
			return -1;
	tensor->dtype = dtype;
	tensor->shape = *shape;
	tensor->bytes = (size_t)bytes;
	tensor->absent = NULL;
	tensor->suffix[0] = '\0';
	return 0;
}

int tensor_reshape(struct tensor *tensor, enum dtype dtype,
    const struct shape *shape, struct error *err)
{
	return reshape(tensor, dtype, shape, false, err);
}

int tensor_resize(struct tensor *tensor, enum dtype dtype,
    const struct shape *shape, struct error *err)
{
	return reshape(tensor, dtype, shape, true, err);
}

void tensor_view(struct tensor *tensor, enum dtype dtype,
    const struct shape *shape, const void *data)
{
	union {
		const void *borrowed;
		void *data;
	} view = { .borrowed = data }; /* a view is never written to */

	assert(!tensor->owned);
	*tensor = (struct tensor){
		.dtype = dtype,
		.shape = *shape,
		.data = view.data,
		.bytes = shape_elements(shape) * dtype_bytes(dtype),
		.block = tensor->block,
	};
}

void tensor_view_encoded(
    struct tensor *tensor, const void *data, size_t bytes, const char *suffix)
{
	const struct shape shape = { 1, { (int64_t)bytes } };

	tensor_view(tensor, DTYPE_U8, &shape, data);
	snprintf(tensor->suffix, SUFFIX_MAX, "%s", suffix);
}

void tensor_view_absent(struct tensor *tensor, const char *words)
{
	tensor_view_encoded(tensor, NULL, 0, "");
	tensor->absent = words;
}

void tensor_borrow(struct tensor *tensor, const struct tensor *from)
{
	struct pool_block *block = tensor->block;

	*tensor = *from;
	tensor->capacity = 0;
	tensor->owned = false;
	tensor->is_large = false;
	tensor->block = block;
}

void tensor_place(struct tensor *tensor, void *data, size_t capacity)
{
	tensor_release(tensor);
	tensor->data = data;
	tensor->capacity = capacity;
}

int tensor_copy(struct tensor *to, const struct tensor *from, struct error *err)
{
	if (tensor_reshape(to, from->dtype, &from->shape, err))
		return -1;
	if (to->is_large)
		copy_large(to->data, from->data, from->bytes);
	else if (from->bytes)
		memcpy(to->data, from->data, from->bytes);
	memcpy(to->suffix, from->suffix, SUFFIX_MAX);
	to->absent = from->absent;
	return 0;
}

void tensor_release(struct tensor *tensor)
{
	struct pool_block *block = tensor->block;

	give_memory(tensor);
	*tensor = (struct tensor)TENSOR_INIT;
	if (block)
		tensor->block = pool_empty(pool_block_pool(block));
}

void tensor_hand_back(struct tensor *tensor)
{
	if (tensor->owned && tensor->block && tensor->capacity > POOL_KEPT)
		tensor_release(tensor);
}

/* Like shape_equal, but -1 in `wanted` matches any dimension. */
static bool shape_fulfils(const struct shape *shape, const struct shape *wanted)
{
	if (shape->count != wanted->count)
		return false;
	for (unsigned i = 0; i < shape->count; i++)
		if (wanted->dims[i] >= 0 && shape->dims[i] != wanted->dims[i])
			return false;
	return true;
}

int tensor_check(
    const struct tensor *tensor, const struct type *type, struct error *err)
{
	char is[SHAPE_TEXT], wanted[SHAPE_TEXT];

	if (tensor->absent)
		return error_set(err, ERROR_DATA, "%s", tensor->absent);
	if (tensor->dtype != type->dtype)
		return error_set(err, ERROR_DATA, "is %s, expected %s",
		    dtype_name(tensor->dtype), type_text(type, wanted));
	if (!shape_fulfils(&tensor->shape, &type->shape))
		return error_set(err, ERROR_DATA, "is %s, expected %s",
		    shape_text(&tensor->shape, is),
		    shape_text(&type->shape, wanted));
	return 0;
}
