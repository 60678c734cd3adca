/* embedding.c - see embedding.h. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/base/shared.h"
#include "lib/files/input.h"
#include "lib/sample/half.h"
#include "lib/sample/npy.h"
#include "lib/tokens/embedding.h"

enum {
	STREAM = 0x656d6265, /* number of its random stream */
	VALUE_BITS = 24,
};

static const uint64_t bytes_max = (uint64_t)1 << 40;

static int set_size(struct embedding *embedding, struct error *err)
{
	size_t bytes = 0;

	if (size_mul(embedding->dim, dtype_bytes(embedding->dtype),
	        &embedding->row_bytes) ||
	    size_mul(embedding->row_bytes, embedding->tokens, &bytes) ||
	    bytes > bytes_max)
		return error_set(err, ERROR_LIMIT,
		    "a table of %" PRIu64 " x %" PRIu64 " is too large",
		    embedding->tokens, embedding->dim);
	return 0;
}

static void *alloc_rows(struct embedding *embedding, struct error *err)
{
	const size_t bytes = embedding->row_bytes * embedding->tokens;

	embedding->owned = malloc(bytes ? bytes : 1);
	embedding->rows = embedding->owned;
	if (!embedding->owned)
		error_memory(err, bytes);
	return embedding->owned;
}

/* ---- tables from a seed ---- */

static float value_of(uint32_t word)
{
	const int32_t value = (int32_t)(word >> (32 - VALUE_BITS));

	return (float)(value - (1 << (VALUE_BITS - 1))) * 0x1p-23f;
}

static void make_row(uint64_t seed, uint64_t row, float *values, size_t dim)
{
	struct random random = random_stream(seed, 0, row, STREAM);

	for (size_t i = 0; i < dim; i += 4) {
		const size_t count = dim - i < 4 ? dim - i : 4;
		uint32_t words[4];

		random_philox(random.key, random.counter, words);
		random.counter[0]++;
		for (size_t k = 0; k < count; k++)
			values[i + k] = value_of(words[k]);
	}
}

static int make_rows(
    struct embedding *embedding, uint64_t seed, struct error *err)
{
	const bool is_half = embedding->dtype == DTYPE_F16;
	const size_t dim = embedding->dim;
	unsigned char *rows = alloc_rows(embedding, err);
	float *values = malloc(dim * sizeof(*values) + 1);
	int rc = -1;

	if (!values)
		error_memory(err, dim * sizeof(*values));
	if (!rows || !values)
		goto done;
	for (uint64_t row = 0; row < embedding->tokens; row++) {
		void *to = rows + row * embedding->row_bytes;

		make_row(seed, row, is_half ? values : to, dim);
		if (is_half)
			half_from_floats(values, to, dim);
	}
	rc = 0;
done:
	free(values);
	return rc;
}

/* ---- tables from a file ---- */

static int map_file(
    struct embedding *embedding, const char *path, struct error *err)
{
	struct stat status;
	const int file = input_open(path, O_RDONLY, &status, err);
	bool made;

	if (file < 0)
		return -1;
	made = mapping_make_whole(
	    &embedding->mapped, file, path, (size_t)status.st_size);
	close(file);
	return made ? 0
	            : error_set(err, ERROR_DATA,
	                  "%s cannot be mapped: it is empty", path);
}

static int convert_rows(
    struct embedding *embedding, const struct tensor *table, struct error *err)
{
	const size_t count = embedding->tokens * embedding->dim;
	void *rows = alloc_rows(embedding, err);

	if (!rows)
		return -1;
	if (embedding->dtype == DTYPE_F16) {
		half_from_floats(table->data, rows, count);
		return 0;
	}
	for (size_t i = 0; i < count; i++)
		((float *)rows)[i] =
		    half_to_float(((const uint16_t *)table->data)[i]);
	return 0;
}

static int read_rows(struct embedding *embedding,
    const struct embedding_plan *plan, struct error *err)
{
	struct tensor table = TENSOR_INIT;
	struct span file;
	char text[SHAPE_TEXT];

	if (map_file(embedding, plan->path, err))
		return -1;
	file = (struct span){ embedding->mapped.base, embedding->mapped.bytes };
	if (npy_view(file, &table, err))
		return error_prefix(err, "%s", plan->path);
	if (table.shape.count != 2 ||
	    (table.dtype != DTYPE_F32 && table.dtype != DTYPE_F16))
		return error_set(err, ERROR_DATA,
		    "%s: has %s %s, not float32 or float16 of two dimensions",
		    plan->path, dtype_name(table.dtype),
		    shape_text(&table.shape, text));
	if ((uintptr_t)table.data % dtype_bytes(table.dtype))
		return error_set(err, ERROR_DATA,
		    "%s: its elements are not aligned", plan->path);
	embedding->tokens = (uint64_t)table.shape.dims[0];
	embedding->dim = (uint64_t)table.shape.dims[1];
	embedding->dtype = plan->any_dtype ? table.dtype : plan->dtype;
	embedding->rows = table.data;
	if (set_size(embedding, err))
		return -1;
	return embedding->dtype == table.dtype
	           ? 0
	           : convert_rows(embedding, &table, err);
}

/* ---- shared ---- */

static void free_embedding(void *thing)
{
	struct embedding *embedding = thing;

	mapping_release(&embedding->mapped);
	free(embedding->owned);
	free(embedding);
}

static void *make(const void *arg, struct error *err)
{
	const struct embedding_plan *plan = arg;
	struct embedding *embedding = memory_zeroed(sizeof(*embedding), err);
	const uint64_t losses = mapping_losses();
	int rc;

	if (!embedding)
		return NULL;
	embedding->tokens = plan->tokens;
	embedding->dim = plan->dim;
	embedding->dtype = plan->dtype;
	if (plan->path)
		rc =
		    mapping_judge(losses, read_rows(embedding, plan, err), err);
	else
		rc = set_size(embedding, err)
		         ? -1
		         : make_rows(embedding, plan->seed, err);
	if (rc == 0)
		return embedding;
	free_embedding(embedding);
	return NULL;
}

static const struct shared_kind kind = {
	.name = "embedding",
	.make = make,
	.free = free_embedding,
};

/* A file that was overwritten gets another key. */
static int file_key(const char *path, struct buf *key, struct error *err)
{
	struct stat status;

	if (stat(path, &status))
		return error_errno(err, "open", path);
	return buf_printf(key, err, "%ju %ju %jd %jd.%09ld ",
	    (uintmax_t)status.st_dev, (uintmax_t)status.st_ino,
	    (intmax_t)status.st_size, (intmax_t)status.st_mtim.tv_sec,
	    status.st_mtim.tv_nsec);
}

const struct embedding *embedding_take(
    const struct embedding_plan *plan, struct error *err)
{
	const struct embedding *embedding = NULL;
	struct buf key = BUF_INIT;

	if (plan->path && file_key(plan->path, &key, err))
		goto done;
	if (buf_printf(&key, err, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %d %d",
	        plan->tokens, plan->dim, plan->seed, plan->dtype,
	        plan->any_dtype))
		goto done;
	embedding = shared_take(&kind, (const char *)key.data, plan, err);
done:
	buf_release(&key);
	return embedding;
}

void embedding_give(const struct embedding *embedding)
{
	shared_give(&kind, embedding);
}
