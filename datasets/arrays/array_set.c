/* array_set.c - see array_set.h: the reader. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/archives/archive.h"
#include "datasets/arrays/array_set.h"
#include "datasets/files/align.h"
#include "datasets/files/numbered.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"
#include "lib/sample/npy.h"

enum { READ_BLOCK = 256 << 10 };

struct stream {
	const struct array_set *set;
	size_t number;
	size_t at, end; /* runs */
};

char *array_path(const struct array_set *set, size_t file, struct error *err)
{
	return path_join(set->root, listing_name(&set->listing, file), err);
}

struct span array_stem(const struct array_set *set, size_t file)
{
	const char *name = listing_name(&set->listing, file);
	const char *dot = strrchr(path_base(name), '.');
	struct span stem = span_text(name);

	if (dot && dot > path_base(name))
		stem.len = (size_t)(dot - name);
	return stem;
}

int array_column_of(const struct array_set *set, const char *member)
{
	const size_t len = strlen(member);

	for (unsigned i = 0; i < array_columns(set); i++) {
		const char *name = set->columns[i].name;
		const size_t name_len = strlen(name);

		if (len == name_len + 4 &&
		    memcmp(member, name, name_len) == 0 &&
		    strcmp(member + name_len, ".npy") == 0)
			return (int)i;
	}
	return -1;
}

int array_check_rows(const struct array_column *column, enum dtype dtype,
    const struct shape *shape, struct error *err)
{
	struct tensor row = { .dtype = dtype };

	if (shape->count == 0)
		return error_set(err, ERROR_DATA,
		    "holds one number and no rows: 'sample = file' takes it as "
		    "a sample");
	row.shape.count = shape->count - 1;
	memcpy(row.shape.dims, shape->dims + 1,
	    row.shape.count * sizeof(shape->dims[0]));
	if (tensor_check(&row, &column->type, err))
		return error_prefix(err, "a row");
	return 0;
}

/* ---- streams ---- */

static void *stream_open(
    const struct reader *reader, size_t number, struct error *err)
{
	const struct array_set *set = reader->priv;
	struct stream *s = malloc(sizeof(*s));

	if (!s) {
		error_memory(err, sizeof(*s));
		return NULL;
	}
	*s = (struct stream){
		.set = set,
		.number = number,
		.at = set->cuts.at[number],
		.end = set->cuts.at[number + 1],
	};
	return s;
}

static void stream_close(void *stream)
{
	free(stream);
}

/* Reads bytes of a file behind what is there, where they are aligned. */
static int read_part(struct medium_file *file, uint64_t at, size_t len,
    struct chunk *chunk, struct chunk_part *part, struct error *err)
{
	struct buf *out = &chunk->stored;
	const size_t begin = align_up(out->len);

	if (buf_reserve(out, begin + len, err) ||
	    medium_read_full(file, at, out->data + begin, len, err))
		return -1;
	out->len = begin + len;
	part->offset = begin;
	part->len = len;
	return 0;
}

static int fetch_npy(const struct array_set *set, const struct array_run *run,
    const char *path, struct chunk *chunk, struct chunk_part *parts,
    struct error *err)
{
	const size_t row = set->columns[0].bytes;
	struct medium_file *file = medium_open(set->medium, path, err);
	uint64_t at = 0, len;
	int rc = -1;

	if (!file)
		return -1;
	len = medium_size(file);
	if (set->by_row) {
		at = run->data + run->first * row;
		len = run->samples * row;
	}
	if (at > medium_size(file) || len > medium_size(file) - at)
		error_set(err, ERROR_DATA,
		    "%s: has become shorter: %" PRIu64 " bytes", path,
		    medium_size(file));
	else
		rc = read_part(file, at, (size_t)len, chunk, &parts[1], err);
	medium_close(file);
	return rc;
}

/* What the header of an array in memory says, and where its rows begin. */
static int find_rows(const struct array_set *set, const struct array_run *run,
    unsigned column, const struct chunk *chunk, struct chunk_part *part,
    struct error *err)
{
	const struct span bytes = { chunk->stored.data + part->offset,
		part->len };
	struct shape shape;
	enum dtype dtype;
	size_t data;
	uint64_t len;

	if (npy_read_header(bytes, false, &dtype, &shape, &data, err) ||
	    array_check_rows(&set->columns[column], dtype, &shape, err))
		return -1;
	if ((uint64_t)shape.dims[0] < run->samples ||
	    __builtin_mul_overflow(
	        run->samples, set->columns[column].bytes, &len) ||
	    len > bytes.len - data)
		return error_set(err, ERROR_DATA,
		    "has fewer rows than %" PRIu64, run->samples);
	part->offset += data;
	part->len -= data;
	return 0;
}

static int take_member(const struct array_set *set, const struct array_run *run,
    struct archive_reader *archive, unsigned column, struct chunk *chunk,
    struct chunk_part *parts, struct error *err)
{
	struct chunk_part *part = &parts[1 + column];
	struct buf *out = &chunk->stored;
	const size_t begin = align_up(out->len);

	if (buf_reserve(out, begin, err))
		return -1;
	out->len = begin;
	if (archive_reader_data(archive, out, err))
		return -1;
	part->offset = begin;
	part->len = out->len - begin;
	if (set->by_row && find_rows(set, run, column, chunk, part, err))
		return error_prefix(
		    err, "array '%s'", set->columns[column].name);
	return 0;
}

static int fetch_npz(const struct array_set *set, const struct array_run *run,
    const char *path, struct chunk *chunk, struct chunk_part *parts,
    struct error *err)
{
	const struct archive_part all = { .path = path,
		.block_bytes = READ_BLOCK };
	struct archive_reader *archive =
	    archive_reader_open(set->medium, &all, err);
	struct archive_member member;
	unsigned has = 0;
	int got = -1;

	while (
	    archive && (got = archive_reader_next(archive, &member, err)) > 0) {
		const int column = array_column_of(set, member.name);

		if (column < 0 || has & 1u << column)
			continue;
		has |= 1u << column;
		if (take_member(set, run, archive, (unsigned)column, chunk,
		        parts, err)) {
			got = -1;
			break;
		}
	}
	archive_reader_close(archive);
	for (unsigned i = 0; got == 0 && i < array_columns(set); i++)
		if (!(has & 1u << i))
			got = error_set(err, ERROR_DATA,
			    "there is no array '%s'", set->columns[i].name);
	return got;
}

int array_fetch(const struct array_set *set, const struct array_run *run,
    struct chunk *chunk, struct chunk_part *parts, struct error *err)
{
	char *path = array_path(set, run->file, err);
	int rc = -1;

	if (path)
		rc = set->is_npz ? fetch_npz(set, run, path, chunk, parts, err)
		                 : fetch_npy(set, run, path, chunk, parts, err);
	if (rc && path && strncmp(err->text, path, strlen(path)) != 0)
		error_prefix(err, "%s", path);
	free(path);
	return rc;
}

static int fetch_run(struct stream *s, struct chunk *chunk, struct error *err)
{
	const struct array_run *run = &s->set->runs[s->at];
	const size_t first = chunk->part_count;

	for (unsigned i = 0; i < array_parts(s->set); i++)
		if (chunk_add_part(chunk, 0, 0, 0, err))
			return -1;
	chunk->parts[first] = (struct chunk_part){
		.len = (size_t)run->samples,
		.item = run->first,
		.file = s->at,
	};
	chunk->samples += run->samples;
	return array_fetch(s->set, run, chunk, &chunk->parts[first], err);
}

int array_reserve_keys(
    const struct array_set *set, struct chunk *chunk, struct error *err)
{
	size_t keys;

	if (size_mul(chunk->samples, set->stem_max + NUMBERED_MORE, &keys))
		return error_memory(err, SIZE_MAX);
	return buf_reserve(&chunk->unpacked, keys, err);
}

static int stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct stream *s = stream;

	if (s->at == s->end)
		return 0;
	chunk->stream = s->number;
	for (; s->at < s->end; s->at++)
		if (fetch_run(s, chunk, err))
			return -1;
	return array_reserve_keys(s->set, chunk, err) ? -1 : 1;
}

/* ---- samples ---- */

/* The run that the parts at chunk->at are of. */
static const struct array_run *run_at(
    const struct array_set *set, const struct chunk *chunk)
{
	return &set->runs[chunk->parts[chunk->at].file];
}

static int blame(const struct array_set *set, const struct chunk *chunk,
    unsigned column, struct error *err)
{
	struct error ignored;
	char *path = array_path(set, run_at(set, chunk)->file, &ignored);

	if (set->is_npz)
		error_prefix(err, "array '%s'", set->columns[column].name);
	if (path)
		error_prefix(err, "%s", path);
	free(path);
	return -1;
}

/* The next row, or all of a file. */
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

/* One whole number, of any type of them. */
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
	uint64_t samples = 0;

	for (size_t i = set->cuts.at[stream]; i < set->cuts.at[stream + 1]; i++)
		samples += set->runs[i].samples;
	return samples;
}

/* Runs are sorted by file: *run moves on to the next file's. */
static bool has_runs(const struct array_set *set, size_t file, size_t *run)
{
	const size_t first = *run;

	while (*run < set->run_count && set->runs[*run].file == file)
		++*run;
	return *run > first;
}

static int each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct array_set *set = reader->priv;
	const bool all = reader->samples == reader->total_samples;
	size_t run = 0;

	for (size_t i = 0; i < set->listing.count; i++) {
		char *path;
		int rc;

		if (!has_runs(set, i, &run) && !all)
			continue;
		path = array_path(set, i, err);
		rc = path ? visit(arg, path, set->listing.files[i].bytes, err)
		          : -1;
		free(path);
		if (rc)
			return -1;
	}
	return 0;
}

static void array_free(struct reader *reader)
{
	struct array_set *set = reader->priv;

	listing_release(&set->listing);
	cuts_release(&set->cuts);
	free(set->runs);
	free(set->root);
	reader_dispose(reader);
}

static const struct reader_ops ops = {
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = stream_close,
	.picker_open = array_picker_open,
	.picker_fetch = array_picker_fetch,
	.picker_close = array_picker_close,
	.next = next,
	.stream_samples = stream_samples,
	.each_file = each_file,
	.free = array_free,
};

struct reader *array_set_open(const char *path,
    const struct array_options *options, bool is_npz, uint64_t limit,
    struct medium *medium, struct error *err)
{
	struct reader *reader = reader_new(&ops, sizeof(struct array_set), err);
	struct array_set *set;

	if (!reader)
		return NULL;
	set = reader->priv;
	set->medium = medium;
	set->is_npz = is_npz;
	if (array_scan(reader, path, options, limit, err) == 0)
		return reader;
	array_free(reader);
	return NULL;
}
