/*
 * hdf5.c - datasets in HDF5 files: each row of the first dimension is a
 * sample, with a tensor of each dataset.
 *
 * Files stay open.  libhdf5 tells where chunks lie; they are read from the
 * medium by the fetchers and unpacked by the workers.  What only libhdf5 can
 * read, it reads for one fetcher at a time, from the medium as well.
 *
 * A stream is some neighbouring samples that are wanted.  A run of rows that
 * stand together is read at once, so a chunk that two streams share is read
 * and unpacked for both.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/align.h"
#include "datasets/content.h"
#include "datasets/hdf5_files.h"
#include "datasets/spread.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/option.h"

enum {
	STREAM_BYTES = 1 << 20, /* about, unpacked */
	STREAM_SAMPLES = 4096,  /* at most */
	KEY_DIGITS = 8,
	KEY_ROOM = 24, /* for a hyphen and any number */
};

struct hdf5 {
	struct hdf5_files files;
	uint64_t samples, in_stream;
	unsigned fields;
	size_t row_bytes[FIELDS_MAX];
	size_t sample_bytes; /* of all fields */
};

struct hdf5_stream {
	const struct reader *reader;
	uint64_t at, end; /* of the samples that are wanted */
	bool done;
};

static const struct option options[] = {
	OPTION(TEXT, "fields", 0, struct hdf5_source_options, fields, "LIST",
	    "datasets of a sample: data:/images,mask:/masks"),
	OPTION(TEXT, "labels", 0, struct hdf5_source_options, labels, "PATH",
	    "dataset of whole numbers, one a row"),
	OPTION(TEXT, "match", 0, struct hdf5_source_options, match, "GLOB",
	    "which files of a folder"),
	OPTION_TABLE_END,
};

static const struct hdf5_source_options defaults = {
	.match = "*.h5, *.hdf5",
};

/* ---- runs: rows of one file that stand together ---- */

struct run {
	const struct hdf5_part *part;
	struct hdf5_rows rows;
};

/* The run that begins with sample `at`, until `end` at most. */
static struct run run_at(const struct reader *reader, uint64_t at, uint64_t end)
{
	const struct hdf5 *hdf5 = reader->priv;
	const uint64_t row = spread(at, hdf5->samples, reader->total_samples);
	struct run run;
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

/* Rows that only the library can read: one part. */
static int fetch_rows(const struct hdf5_dataset *dataset, struct hdf5_rows rows,
    struct chunk *chunk, struct error *err)
{
	const size_t len = (size_t)rows.count * dataset->row_bytes;
	struct buf *out = &chunk->stored;

	if (buf_reserve(out, out->len + len, err) ||
	    chunk_add_part(chunk, out->len, len, 0, err) ||
	    hdf5_read(
	        dataset, rows.first, rows.count, out->data + out->len, err))
		return -1;
	out->len += len;
	return 0;
}

/* A part for each piece; its item tells the filters that were not used. */
static int fetch_pieces(const struct hdf5_dataset *dataset,
    struct hdf5_rows rows, struct chunk *chunk, struct error *err)
{
	struct buf *out = &chunk->stored;
	uint64_t first;
	const uint64_t count = hdf5_pieces(dataset, rows, &first);

	for (uint64_t i = 0; i < count; i++) {
		struct hdf5_piece piece = { .number = first + i };

		if (hdf5_locate(dataset, rows, &piece, err) ||
		    buf_reserve(out, out->len + piece.bytes, err) ||
		    chunk_add_part(
		        chunk, out->len, piece.bytes, piece.skipped, err) ||
		    (piece.bytes &&
		        medium_read_full(dataset->file->medium, piece.offset,
		            out->data + out->len, piece.bytes, err)))
			return -1;
		out->len += piece.bytes;
	}
	return 0;
}

static int stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct hdf5_stream *s = stream;
	const struct hdf5 *hdf5 = s->reader->priv;
	struct run run;

	if (s->done)
		return 0;
	for (uint64_t at = s->at; at < s->end; at += run.rows.count) {
		run = run_at(s->reader, at, s->end);
		for (unsigned f = 0; f < hdf5->fields; f++) {
			const struct hdf5_dataset *dataset =
			    &run.part->datasets[f];

			if ((dataset->direct ? fetch_pieces : fetch_rows)(
			        dataset, run.rows, chunk, err))
				return error_prefix(err, "%s", run.part->path);
		}
	}
	chunk->samples = s->end - s->at;
	s->done = true;
	return 1;
}

static void stream_close(void *stream)
{
	free(stream);
}

/* ---- unpacking ---- */

static void *unpacker_new(const struct reader *reader, struct error *err)
{
	struct hdf5_unpacker *unpacker = calloc(1, sizeof(*unpacker));

	UNUSED(reader);
	if (!unpacker)
		error_memory(err, sizeof(*unpacker));
	return unpacker;
}

static void unpacker_free(void *unpacker)
{
	if (unpacker)
		hdf5_unpacker_release(unpacker);
	free(unpacker);
}

/* A stream is one chunk. */
static uint64_t first_of(const struct hdf5 *hdf5, const struct chunk *chunk)
{
	return chunk->stream * hdf5->in_stream;
}

/* Where the rows of a field begin; behind the last, the keys. */
static size_t field_offset(
    const struct hdf5 *hdf5, unsigned field, uint64_t samples)
{
	size_t offset = 0;

	for (unsigned f = 0; f < field; f++)
		offset += align_up((size_t)samples * hdf5->row_bytes[f]);
	return offset;
}

/* The parts that stream_fetch made of these rows, in the same order. */
static int unpack_field(struct hdf5_unpacker *unpacker,
    const struct hdf5_dataset *dataset, struct hdf5_rows rows,
    const struct chunk *chunk, size_t *part, unsigned char *out,
    struct error *err)
{
	uint64_t first;
	const uint64_t count = hdf5_pieces(dataset, rows, &first);

	if (!dataset->direct) {
		const struct chunk_part *all = &chunk->parts[(*part)++];

		memcpy(out, chunk->stored.data + all->offset, all->len);
		return 0;
	}
	for (uint64_t i = 0; i < count; i++) {
		const struct chunk_part *from = &chunk->parts[(*part)++];
		const struct hdf5_piece piece = {
			.number = first + i,
			.bytes = from->len,
			.skipped = (uint32_t)from->item,
		};
		const struct span stored = {
			.data = chunk->stored.data + from->offset,
			.len = from->len,
		};

		if (hdf5_unpack(
		        unpacker, dataset, rows, &piece, stored, out, err))
			return -1;
	}
	return 0;
}

static int unpack(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct error *err)
{
	const struct hdf5 *hdf5 = reader->priv;
	const uint64_t begin = first_of(hdf5, chunk);
	const uint64_t samples = chunk->samples, end = begin + samples;
	struct buf *out = &chunk->unpacked;
	size_t part = 0, done = 0, bytes;
	struct run run;

	bytes = field_offset(hdf5, hdf5->fields, samples) +
	        (size_t)samples * (hdf5->files.stem_max + KEY_ROOM);
	if (buf_reserve(out, bytes, err))
		return -1;
	out->len = bytes;
	for (uint64_t at = begin; at < end; at += run.rows.count) {
		run = run_at(reader, at, end);
		for (unsigned f = 0; f < hdf5->fields; f++)
			if (unpack_field(unpacker, &run.part->datasets[f],
			        run.rows, chunk, &part,
			        out->data + field_offset(hdf5, f, samples) +
			            done * hdf5->row_bytes[f],
			        err))
				return error_prefix(err, "%s", run.part->path);
		done += (size_t)run.rows.count;
	}
	chunk->bytes = buf_span(out);
	return 0;
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct hdf5 *hdf5 = reader->priv;
	const uint64_t first = first_of(hdf5, chunk);
	const size_t i = chunk->at;
	unsigned char *data = chunk->unpacked.data;
	char *key;
	struct run run;

	UNUSED(err);
	if (i >= chunk->samples)
		return 0;
	run = run_at(reader, first + i, first + i + 1);
	key = (char *)data + field_offset(hdf5, hdf5->fields, chunk->samples) +
	      i * (hdf5->files.stem_max + KEY_ROOM);
	sample->key.data = (unsigned char *)key;
	sample->key.len = (size_t)snprintf(key, hdf5->files.stem_max + KEY_ROOM,
	    "%s-%0*" PRIu64, run.part->stem, KEY_DIGITS, run.rows.first);
	sample->label =
	    run.part->labels ? run.part->labels[run.rows.first] : -1;
	sample->count = hdf5->fields;
	for (unsigned f = 0; f < hdf5->fields; f++) {
		const struct type *type = &reader->schema.fields[f].type;

		tensor_view(&sample->fields[f], type->dtype, &type->shape,
		    data + field_offset(hdf5, f, chunk->samples) +
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
	.stream_close = stream_close,
	.unpacker_new = unpacker_new,
	.unpacker_free = unpacker_free,
	.unpack = unpack,
	.next = next,
	.stream_samples = stream_samples,
	.each_file = each_file,
	.free = hdf5_free,
};

/* The type of a row. */
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

/* About STREAM_BYTES, and whole chunks of the first field. */
static uint64_t samples_in_stream(const struct reader *reader)
{
	const struct hdf5 *hdf5 = reader->priv;
	const struct hdf5_dataset *first = &hdf5->files.parts[0]->datasets[0];
	const uint64_t rows =
	    first->chunked ? (uint64_t)first->chunk.dims[0] : 1;
	uint64_t n = STREAM_BYTES / (hdf5->sample_bytes + KEY_ROOM);

	if (n > STREAM_SAMPLES)
		n = STREAM_SAMPLES;
	if (hdf5->samples < reader->total_samples)
		return n ? n : 1;
	return n > rows ? n / rows * rows : rows;
}

static int fill(struct reader *reader, const char *path,
    const struct hdf5_source_options *wanted, uint64_t limit,
    struct medium *medium, struct error *err)
{
	struct hdf5 *hdf5 = reader->priv;

	if (hdf5_files_open(
	        &hdf5->files, path, wanted, medium, &reader->schema, err))
		return -1;
	set_types(reader);
	reader->total_samples = hdf5->files.rows;
	hdf5->samples =
	    limit && limit < hdf5->files.rows ? limit : hdf5->files.rows;
	reader->samples = hdf5->samples;
	for (size_t i = 0; i < hdf5->files.count; i++)
		reader->bytes += hdf5->files.parts[i]->file.size;
	if (hdf5->samples < reader->total_samples)
		reader->bytes =
		    (uint64_t)((double)reader->bytes * (double)hdf5->samples /
		               (double)reader->total_samples);
	hdf5->in_stream = samples_in_stream(reader);
	reader->streams =
	    (size_t)((hdf5->samples + hdf5->in_stream - 1) / hdf5->in_stream);
	return 0;
}

static struct reader *hdf5_source_open(const char *path, const void *wanted,
    uint64_t limit, struct medium *medium, struct error *err)
{
	struct reader *reader = reader_new(&ops, sizeof(struct hdf5), err);

	if (!reader)
		return NULL;
	if (fill(reader, path, wanted, limit, medium, err)) {
		hdf5_free(reader);
		return NULL;
	}
	return reader;
}

const struct source_ops source_hdf5 = {
	.name = "hdf5",
	.summary = "rows of datasets in HDF5 files, each a sample",
	.options = options,
	.options_size = sizeof(struct hdf5_source_options),
	.defaults = &defaults,
	.open = hdf5_source_open,
	.needs_path = true,
};
