/* array_reader.c - see array_reader.h. */
#include "datasets/arrays/array_reader.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/arrays/array_fetch.h"
#include "datasets/arrays/array_pick.h"
#include "datasets/arrays/array_scan.h"
#include "datasets/files/numbered.h"
#include "lib/base/error.h"
#include "lib/sample/npy.h"

/* ---- streams ---- */

static void *stream_open(
    const struct reader *reader, size_t number, struct error *err)
{
	const struct array_set *set = reader->priv;

	return run_stream_new(reader, &set->runs, number, err);
}

static int fetch_run(const struct array_set *set, size_t number,
    struct chunk *chunk, struct error *err)
{
	const struct run *run = &set->runs.at[number];
	const size_t first = chunk->part_count;

	for (unsigned i = 0; i < array_parts(set); i++)
		if (chunk_add_part(chunk, 0, 0, 0, err))
			return -1;
	chunk->parts[first] = (struct chunk_part){
		.len = (size_t)run->samples,
		.item = run->first,
		.file = number,
	};
	chunk->samples += run->samples;
	return array_fetch(set, run, chunk, &chunk->parts[first], err);
}

static int stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct run_stream *s = stream;
	const struct array_set *set = s->reader->priv;

	if (s->at == s->end)
		return 0;
	chunk->stream = s->number;
	for (; s->at < s->end; s->at++)
		if (fetch_run(set, s->at, chunk, err))
			return -1;
	return array_reserve_keys(set, chunk, err) ? -1 : 1;
}

/* ---- samples ---- */

/* Returns the run of the parts at chunk->at. */
static const struct run *run_at(
    const struct array_set *set, const struct chunk *chunk)
{
	return &set->runs.at[chunk->parts[chunk->at].file];
}

static int blame(const struct array_set *set, const struct chunk *chunk,
    unsigned column, struct error *err)
{
	struct error ignored;
	char *path =
	    listing_path(&set->listing, run_at(set, chunk)->file, &ignored);

	if (set->is_npz)
		error_prefix(err, "array '%s'", set->columns[column].name);
	if (path)
		error_prefix(err, "%s", path);
	free(path);
	return -1;
}

/* Views the next row, or a whole file. */
static int view(const struct array_set *set, const struct chunk *chunk,
    unsigned column, struct tensor *tensor, struct error *err)
{
	const struct array_column *c = &set->columns[column];
	struct chunk_part *part = &chunk->parts[chunk->at + 1 + column];
	const struct span bytes = { chunk->stored.data + part->offset,
		part->len };

	if (set->by_row) {
		tensor_view(tensor, c->type.dtype, &c->type.shape, bytes.data);
		part->offset += c->bytes;
		part->len -= c->bytes;
		return 0;
	}
	if (npy_view(bytes, tensor, err))
		return -1;
	return tensor_check(tensor, &c->type, err);
}

/* Takes a label of any integer type; negative ones are none. */
static int take_label(
    const struct tensor *tensor, int64_t *label, struct error *err)
{
	const size_t size = dtype_bytes(tensor->dtype);
	const bool is_signed =
	    tensor->dtype == DTYPE_I8 || tensor->dtype == DTYPE_I16 ||
	    tensor->dtype == DTYPE_I32 || tensor->dtype == DTYPE_I64;
	const unsigned spare = 64 - 8 * (unsigned)size;
	uint64_t value = 0;

	if (tensor->bytes != size)
		return error_set(err, ERROR_DATA, "has %zu numbers for a label",
		    tensor->bytes / size);
	memcpy(&value, tensor->data, size);
	if (is_signed)
		*label = (int64_t)(value << spare) >> spare;
	else
		*label = value > INT64_MAX ? -1 : (int64_t)value;
	if (*label < 0)
		*label = -1;
	return 0;
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct array_set *set = reader->priv;
	struct tensor label = TENSOR_INIT;
	struct chunk_part *run;

	while (
	    chunk->at < chunk->part_count && chunk->parts[chunk->at].len == 0)
		chunk->at += array_parts(set);
	if (chunk->at >= chunk->part_count)
		return 0;
	run = &chunk->parts[chunk->at];
	sample->key = array_stem(set, run_at(set, chunk)->file);
	if (set->by_row)
		sample->key =
		    numbered_key(&chunk->unpacked, sample->key, run->item);
	sample->label = -1;
	sample->count = set->count;
	for (unsigned i = 0; i < array_columns(set); i++)
		if (view(set, chunk, i,
		        i < set->count ? &sample->fields[i] : &label, err))
			return blame(set, chunk, i, err);
	if (set->has_label && take_label(&label, &sample->label, err))
		return blame(set, chunk, set->count, err);
	run->len--;
	run->item++;
	return 1;
}

static uint64_t stream_samples(const struct reader *reader, size_t stream)
{
	const struct array_set *set = reader->priv;

	return runs_in_stream(&set->runs, stream);
}

static int each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct array_set *set = reader->priv;

	return runs_each_file(&set->runs, &set->listing,
	    reader->samples == reader->total_samples, visit, arg, err);
}

static void array_free(struct reader *reader)
{
	struct array_set *set = reader->priv;

	listing_release(&set->listing);
	runs_release(&set->runs);
	reader_dispose(reader);
}

const struct reader_ops array_reader = {
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = free,
	.picker_open = array_picker_open,
	.picker_fetch = array_picker_fetch,
	.picker_close = array_picker_close,
	.next = next,
	.stream_samples = stream_samples,
	.each_file = each_file,
	.free = array_free,
};

int array_reader_fill(struct reader *reader, const struct source_plan *plan,
    bool is_npz, struct error *err)
{
	struct array_set *set = reader->priv;

	set->medium = plan->medium;
	set->is_npz = is_npz;
	return array_scan(reader, plan->path, plan->options, plan->limit, err);
}
