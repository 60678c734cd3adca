/*
 * hdf5.c - datasets in HDF5 files: each row of the first dimension is a sample,
 * with a tensor of each dataset.
 *
 * Files stay open. libhdf5 locates the chunks; fetchers read them from the
 * medium, and workers unpack them. Data that only libhdf5 can read is read by
 * one fetcher at a time, also through the medium.
 *
 * A stream is some neighbouring samples. A run of neighbouring rows is read at
 * once, so a chunk of the file in two streams is read and unpacked twice.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/arrays/hdf5_files.h"
#include "datasets/arrays/hdf5_pick.h"
#include "datasets/arrays/hdf5_rows.h"
#include "datasets/files/content.h"
#include "datasets/files/spread.h"
#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/signal/hdf5_unpack.h"
#include "lib/syntax/option.h"

enum {
	STREAM_BYTES = 1 << 20, /* approximate, unpacked */
	STREAM_SAMPLES = 4096,  /* most samples of a stream */
};

struct hdf5_stream {
	const struct reader *reader;
	uint64_t at, end; /* samples */
	bool done;
};

static const struct option options[] = {
	OPTION(TEXT, "fields", 0, struct hdf5_source_options, fields, "LIST",
	    "datasets of a sample, by field: data:/images,mask:/masks"),
	OPTION(TEXT, "labels", 0, struct hdf5_source_options, labels, "PATH",
	    "dataset with the labels: a whole number for each row"),
	OPTION(TEXT, "match", 0, struct hdf5_source_options, match, "GLOB",
	    "pattern of the files to take from a folder"),
	OPTION_TABLE_END,
};

static const struct hdf5_source_options defaults = {
	.match = "*.h5, *.hdf5",
};

/* ---- runs: neighbouring rows of one file ---- */

/* Returns the run that begins with sample `at` and ends by `end`. */
static struct hdf5_run run_at(
    const struct reader *reader, uint64_t at, uint64_t end)
{
	const struct hdf5 *hdf5 = reader->priv;
	const uint64_t row = spread(at, hdf5->samples, reader->total_samples);
	struct hdf5_run run;
	uint64_t left;

	run.part = hdf5_files_find(&hdf5->files, row);
	run.rows.first = row - run.part->first;
	run.rows.count = 1;
	if (hdf5->samples == reader->total_samples) {
		left = run.part->rows - run.rows.first;
		run.rows.count = end - at < left ? end - at : left;
	}
	return run;
}

/* ---- fetching ---- */

static void *stream_open(
    const struct reader *reader, size_t stream, struct error *err)
{
	const struct hdf5 *hdf5 = reader->priv;
	struct hdf5_stream *s = malloc(sizeof(*s));

	if (!s) {
		error_memory(err, sizeof(*s));
		return NULL;
	}
	*s = (struct hdf5_stream){
		.reader = reader,
		.at = stream * hdf5->in_stream,
	};
	s->end = s->at + reader->ops->stream_samples(reader, stream);
	return s;
}

static int stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct hdf5_stream *s = stream;
	const struct hdf5 *hdf5 = s->reader->priv;
	struct hdf5_run run;

	if (s->done)
		return 0;
	for (uint64_t at = s->at; at < s->end; at += run.rows.count) {
		run = run_at(s->reader, at, s->end);
		if (hdf5_fetch_run(hdf5, &run, chunk, err))
			return -1;
	}
	chunk->samples = s->end - s->at;
	s->done = true;
	return 1;
}

/* ---- unpacking ---- */

static void *unpacker_new(const struct reader *reader, struct error *err)
{
	struct hdf5_unpacker *unpacker = memory_zeroed(sizeof(*unpacker), err);

	UNUSED(reader);
	return unpacker;
}

static void unpacker_free(void *unpacker)
{
	if (unpacker)
		hdf5_unpacker_release(unpacker);
	free(unpacker);
}

/* Returns the first sample of a chunk, which is a whole stream. */
static uint64_t first_of(const struct hdf5 *hdf5, const struct chunk *chunk)
{
	return chunk->stream * hdf5->in_stream;
}

static int unpack(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct error *err)
{
	const struct hdf5 *hdf5 = reader->priv;
	const uint64_t begin = first_of(hdf5, chunk);
	const uint64_t samples = chunk->samples, end = begin + samples;
	struct buf *out = &chunk->unpacked;
	size_t part = 0, done = 0;
	struct hdf5_run run;

	if (chunk->picked) { /* the picker unpacked it */
		chunk->bytes = buf_span(out);
		return 0;
	}
	if (hdf5_make_room(hdf5, samples, chunk, err))
		return -1;
	for (uint64_t at = begin; at < end; at += run.rows.count) {
		run = run_at(reader, at, end);
		for (unsigned f = 0; f < hdf5->fields; f++)
			if (hdf5_unpack_field(unpacker, &run, f, chunk, &part,
			        out->data +
			            hdf5_field_offset(hdf5, f, samples) +
			            done * hdf5->row_bytes[f],
			        err))
				return -1;
		done += (size_t)run.rows.count;
	}
	chunk->bytes = buf_span(out);
	return 0;
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct hdf5 *hdf5 = reader->priv;
	const size_t i = chunk->at;
	const size_t stride = hdf5->files.stem_max + HDF5_KEY_ROOM;
	uint64_t number;
	unsigned char *data = chunk->unpacked.data;
	char *key;
	struct hdf5_run run;

	UNUSED(err);
	if (i >= chunk->samples)
		return 0;
	number =
	    chunk->picked ? chunk->parts[i].item : first_of(hdf5, chunk) + i;
	run = run_at(reader, number, number + 1);
	key = (char *)data +
	      hdf5_field_offset(hdf5, hdf5->fields, chunk->samples) +
	      i * stride;
	sample->key.data = (unsigned char *)key;
	sample->key.len = (size_t)snprintf(key, stride, "%s-%0*" PRIu64,
	    run.part->stem, HDF5_KEY_DIGITS, run.rows.first);
	sample->label =
	    run.part->labels ? run.part->labels[run.rows.first] : -1;
	sample->count = hdf5->fields;
	for (unsigned f = 0; f < hdf5->fields; f++) {
		const struct type *type = &reader->schema.fields[f].type;

		tensor_view(&sample->fields[f], type->dtype, &type->shape,
		    data + hdf5_field_offset(hdf5, f, chunk->samples) +
		        i * hdf5->row_bytes[f]);
	}
	chunk->at++;
	return 1;
}

/* ---- the reader ---- */

static uint64_t stream_samples(const struct reader *reader, size_t stream)
{
	const struct hdf5 *hdf5 = reader->priv;
	const uint64_t left = hdf5->samples - stream * hdf5->in_stream;

	return left < hdf5->in_stream ? left : hdf5->in_stream;
}

static int each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct hdf5 *hdf5 = reader->priv;

	for (size_t i = 0; i < hdf5->files.count; i++) {
		const struct hdf5_part *part = hdf5->files.parts[i];

		if (visit(arg, part->path, part->file.size, err))
			return -1;
	}
	return 0;
}

static void hdf5_free(struct reader *reader)
{
	struct hdf5 *hdf5 = reader->priv;

	hdf5_files_release(&hdf5->files);
	reader_dispose(reader);
}

static const struct reader_ops ops = {
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = free,
	.picker_open = hdf5_picker_open,
	.picker_fetch = hdf5_picker_fetch,
	.picker_close = hdf5_picker_close,
	.unpacker_new = unpacker_new,
	.unpacker_free = unpacker_free,
	.unpack = unpack,
	.next = next,
	.stream_samples = stream_samples,
	.each_file = each_file,
	.free = hdf5_free,
};

/* Sets the types of rows. */
static void set_types(struct reader *reader)
{
	struct hdf5 *hdf5 = reader->priv;
	const struct hdf5_part *part = hdf5->files.parts[0];

	hdf5->fields = reader->schema.count;
	for (unsigned f = 0; f < hdf5->fields; f++) {
		const struct hdf5_dataset *dataset = &part->datasets[f];
		struct type *type = &reader->schema.fields[f].type;

		type->dtype = dataset->dtype;
		type->shape.count = dataset->shape.count - 1;
		memcpy(type->shape.dims, dataset->shape.dims + 1,
		    type->shape.count * sizeof(*type->shape.dims));
		type->layout =
		    shape_is_image(&type->shape) ? LAYOUT_HWC : LAYOUT_PLAIN;
		hdf5->row_bytes[f] = dataset->row_bytes;
		hdf5->sample_bytes += dataset->row_bytes;
	}
}

/* Gives about STREAM_BYTES, in whole chunks of the first field. */
static uint64_t samples_in_stream(const struct reader *reader)
{
	const struct hdf5 *hdf5 = reader->priv;
	const struct hdf5_dataset *first = &hdf5->files.parts[0]->datasets[0];
	const uint64_t rows =
	    first->chunked ? (uint64_t)first->chunk.dims[0] : 1;
	uint64_t n = STREAM_BYTES / (hdf5->sample_bytes + HDF5_KEY_ROOM);

	if (n > STREAM_SAMPLES)
		n = STREAM_SAMPLES;
	if (hdf5->samples < reader->total_samples)
		return n ? n : 1;
	return n > rows ? n / rows * rows : rows;
}

/* Do several rows have to be unpacked to get one? */
static bool has_packed_rows(const struct hdf5_dataset *first)
{
	return first->chunked && first->chunk.dims[0] > 1 &&
	       (first->deflated || first->shuffled || !first->direct);
}

static int fill(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	struct hdf5 *hdf5 = reader->priv;

	if (hdf5_files_open(&hdf5->files, plan->path, plan->options,
	        plan->medium, &reader->schema, err) ||
	    passed_by_tell(&hdf5->files.passed, reader, err))
		return -1;
	set_types(reader);
	reader->total_samples = hdf5->files.rows;
	hdf5->samples = plan->limit && plan->limit < hdf5->files.rows
	                    ? plan->limit
	                    : hdf5->files.rows;
	reader->samples = hdf5->samples;
	for (size_t i = 0; i < hdf5->files.count; i++) {
		reader->bytes += hdf5->files.parts[i]->file.size;
		reader->costly_picks |=
		    has_packed_rows(hdf5->files.parts[i]->datasets);
	}
	reader->bytes =
	    spread_share(reader->bytes, hdf5->samples, reader->total_samples);
	hdf5->in_stream = samples_in_stream(reader);
	reader->picked_bytes =
	    hdf5->sample_bytes + hdf5->files.stem_max + HDF5_KEY_ROOM;
	reader->streams =
	    (size_t)((hdf5->samples + hdf5->in_stream - 1) / hdf5->in_stream);
	return 0;
}

const struct source_ops source_hdf5 = {
	.name = "hdf5",
	.summary = "rows of datasets in HDF5 files, each a sample",
	.options = options,
	.options_size = sizeof(struct hdf5_source_options),
	.defaults = &defaults,
	.reader = &ops,
	.state_size = sizeof(struct hdf5),
	.fill = fill,
	.needs_path = true,
};
