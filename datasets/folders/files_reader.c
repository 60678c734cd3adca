/*
 * files_reader.c - see files_reader.h.
 *
 * Files are read whole. A stream is one chunk with a few neighbouring files, so
 * that small files do not cost a hand-over each. A part of a chunk is a file.
 */
#include "datasets/folders/files_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/align.h"
#include "datasets/files/content.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"

enum {
	STREAM_BYTES = 128 << 10, /* approximate bytes of a stream, or a file */
	STREAM_FILES = 16,        /* most files of a stream */
};

struct folder_stream {
	const struct reader *reader;
	const struct folder *folder;
	size_t at, end; /* samples */
	size_t path_size;
	char path[]; /* path of the current file */
};

static const struct listed_file *file_at(
    const struct folder *folder, uint64_t file)
{
	return &folder->set.listing.files[file];
}

static void file_path(
    const struct folder *folder, uint64_t file, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", folder->root,
	    listing_name(&folder->set.listing, (size_t)file));
}

/* Opens a stream of the samples from `at` to `end` - 1. */
static struct folder_stream *new_stream(
    const struct reader *reader, size_t at, size_t end, struct error *err)
{
	const struct folder *folder = reader->priv;
	const size_t path_size = strlen(folder->root) + folder->name_max + 2;
	struct folder_stream *s = malloc(sizeof(*s) + path_size);

	if (!s) {
		error_memory(err, sizeof(*s) + path_size);
		return NULL;
	}
	*s = (struct folder_stream){
		.reader = reader,
		.folder = folder,
		.at = at,
		.end = end,
		.path_size = path_size,
	};
	return s;
}

static void *stream_open(
    const struct reader *reader, size_t stream, struct error *err)
{
	const struct folder *folder = reader->priv;

	return new_stream(
	    reader, folder->cuts.at[stream], folder->cuts.at[stream + 1], err);
}

static void *picker_open(const struct reader *reader, struct error *err)
{
	return new_stream(reader, 0, 0, err);
}

/* Appends the file, which must still have `bytes` bytes. */
static int read_open_file(struct medium_file *file, uint64_t bytes,
    struct chunk *chunk, struct error *err)
{
	struct buf *out = &chunk->stored;

	if (medium_size(file) != bytes)
		return error_set(err, ERROR_DATA,
		    "%s: has %llu bytes, but had %llu when it was listed",
		    medium_path(file), (unsigned long long)medium_size(file),
		    (unsigned long long)bytes);
	if (bytes &&
	    medium_read_full(file, 0, out->data + out->len, (size_t)bytes, err))
		return -1;
	out->len += (size_t)bytes;
	return 0;
}

static int read_file(struct folder_stream *s, uint64_t number,
    struct chunk *chunk, struct chunk_part *part, struct error *err)
{
	const uint64_t bytes = file_at(s->folder, number)->bytes;
	struct medium_file *file;
	int rc;

	*part = (struct chunk_part){
		.offset = PART_WITHHELD,
		.len = (size_t)bytes,
		.item = number,
	};
	if (reader_withholds(s->reader, bytes))
		return 0;
	/* The padding aligns the elements of .npy files. */
	chunk->stored.len = align_up(chunk->stored.len);
	part->offset = chunk->stored.len;
	file_path(s->folder, number, s->path, s->path_size);
	file = medium_open(s->folder->medium, s->path, err);
	if (!file)
		return -1;
	rc = read_open_file(file, bytes, chunk, err);
	medium_close(file);
	return rc;
}

/* Adds the bytes of a sample's files, without withheld ones. */
static int add_bytes(const struct folder_stream *s, size_t sample,
    size_t *bytes, struct error *err)
{
	const struct folder *folder = s->folder;
	const unsigned fields = folder->set.fields;

	for (unsigned f = 0; f < fields; f++) {
		const uint64_t more =
		    file_at(folder, sample * fields + f)->bytes;

		if (reader_withholds(s->reader, more))
			continue;
		if (more > SIZE_MAX - PART_ALIGN ||
		    size_add(*bytes, align_up((size_t)more), bytes))
			return error_memory(err, more);
	}
	return 0;
}

/* Makes room in the chunk for `samples` samples of `bytes` bytes in all. */
static int make_room(const struct folder *folder, struct chunk *chunk,
    size_t samples, size_t bytes, struct error *err)
{
	size_t parts;

	if (size_mul(samples, folder->set.fields, &parts))
		return error_memory(err, SIZE_MAX);
	chunk->samples = samples;
	return chunk_set_parts(chunk, parts, err) ||
	               buf_reserve(&chunk->stored, bytes, err)
	           ? -1
	           : 0;
}

/* Reads the files of a sample into the parts of place `place`. */
static int read_sample(struct folder_stream *s, size_t sample,
    struct chunk *chunk, size_t place, struct error *err)
{
	const unsigned fields = s->folder->set.fields;

	for (unsigned f = 0; f < fields; f++)
		if (read_file(s, sample * fields + f, chunk,
		        &chunk->parts[place * fields + f], err))
			return -1;
	return 0;
}

static int stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct folder_stream *s = stream;
	const size_t first = s->at;
	size_t bytes = 0;

	if (s->at == s->end)
		return 0;
	for (size_t i = first; i < s->end; i++)
		if (add_bytes(s, i, &bytes, err))
			return -1;
	if (make_room(s->folder, chunk, s->end - first, bytes, err))
		return -1;
	for (; s->at < s->end; s->at++)
		if (read_sample(s, s->at, chunk, s->at - first, err))
			return -1;
	return 1;
}

static int picker_fetch(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err)
{
	struct folder_stream *s = picker;
	size_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		if (add_bytes(s, picks[i].number, &bytes, err))
			return -1;
	if (make_room(s->folder, chunk, count, bytes, err))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (read_sample(s, picks[i].number, chunk, picks[i].place, err))
			return -1;
	return 0;
}

static int next_field(const struct reader *reader, const struct chunk *chunk,
    const struct chunk_part *part, unsigned field, struct tensor *tensor,
    struct error *err)
{
	const struct folder *folder = reader->priv;
	const char *name =
	    listing_name(&folder->set.listing, (size_t)part->item);
	const struct span bytes = chunk_part_span(chunk, part);

	if (content_view(bytes, content_extension(name),
	        &reader->schema.fields[field].type, tensor, err) == 0)
		return 0;
	return error_prefix(err, "%s/%s", folder->root, name);
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct folder *folder = reader->priv;
	const unsigned fields = folder->set.fields;
	const struct chunk_part *parts = chunk->parts + chunk->at;
	size_t number;

	if (chunk->at >= chunk->part_count)
		return 0;
	number = (size_t)parts->item / fields;
	sample->key = folder_key(&folder->set, number);
	sample->label = folder->set.samples[number].label;
	sample->count = fields;
	for (unsigned f = 0; f < fields; f++)
		if (next_field(
		        reader, chunk, &parts[f], f, &sample->fields[f], err))
			return -1;
	chunk->at += fields;
	return 1;
}

static void locate(const struct reader *reader, const struct chunk *chunk,
    char *text, size_t size)
{
	const struct folder *folder = reader->priv;

	file_path(folder, chunk->parts[chunk->at - folder->set.fields].item,
	    text, size);
}

static uint64_t stream_samples(const struct reader *reader, size_t stream)
{
	const struct folder *folder = reader->priv;

	return folder->cuts.at[stream + 1] - folder->cuts.at[stream];
}

static int each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct folder *folder = reader->priv;
	const struct listing *listing = &folder->set.listing;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < listing->count; i++) {
		char *path =
		    path_join(folder->root, listing_name(listing, i), err);

		if (!path)
			return -1;
		rc = visit(arg, path, listing->files[i].bytes, err);
		free(path);
	}
	return rc;
}

static void folder_free(struct reader *reader)
{
	struct folder *folder = reader->priv;

	cuts_release(&folder->cuts);
	folder_set_release(&folder->set);
	free(folder->root);
	reader_dispose(reader);
}

const struct reader_ops files_reader = {
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = free,
	.picker_open = picker_open,
	.picker_fetch = picker_fetch,
	.picker_close = free,
	.next = next,
	.locate = locate,
	.stream_samples = stream_samples,
	.each_file = each_file,
	.free = folder_free,
};

/* Cuts the samples into streams; sums up their bytes. */
static int plan_streams(struct reader *reader, struct error *err)
{
	struct folder *folder = reader->priv;
	const unsigned fields = folder->set.fields;
	uint64_t bytes = 0;
	size_t files = 0;

	for (size_t i = 0; i < folder->set.count; i++) {
		uint64_t more = 0;

		for (unsigned f = 0; f < fields; f++)
			more += file_at(folder, i * fields + f)->bytes;
		if (i == 0 || bytes + more > STREAM_BYTES ||
		    files + fields > STREAM_FILES) {
			if (cuts_add(&folder->cuts, i, err))
				return -1;
			reader->streams++;
			bytes = files = 0;
		}
		bytes += more;
		files += fields;
		reader->bytes += more;
	}
	reader->bytes_are_fields = true;
	return cuts_add(&folder->cuts, folder->set.count, err);
}

static void measure_names(struct folder *folder)
{
	const struct listing *listing = &folder->set.listing;

	for (size_t i = 0; i < listing->count; i++) {
		const size_t len = strlen(listing_name(listing, i));

		if (len > folder->name_max)
			folder->name_max = len;
	}
}

/* Finds the types of the fields from the first sample's files. */
static int find_type(const struct folder *folder, size_t file,
    struct type *type, struct error *err)
{
	const char *name = listing_name(&folder->set.listing, file);
	char *path = path_join(folder->root, name, err);
	struct medium_file *opened =
	    path ? medium_open(folder->medium, path, err) : NULL;
	struct buf bytes = BUF_INIT;
	size_t head = CONTENT_HEAD;
	int rc = -1;

	if (!opened)
		goto done;
	if (medium_size(opened) < head)
		head = (size_t)medium_size(opened);
	if (buf_reserve(&bytes, CONTENT_HEAD, err) ||
	    medium_read_full(opened, 0, bytes.data, head, err))
		goto done;
	bytes.len = head;
	rc = content_type(buf_span(&bytes), content_extension(name), type, err);
	if (rc)
		error_prefix(err, "%s", path);
done:
	if (opened)
		medium_close(opened);
	buf_release(&bytes);
	free(path);
	return rc;
}

/* Fills in the reader once the samples are known. */
static int fill(struct reader *reader, uint64_t limit, struct error *err)
{
	struct folder *folder = reader->priv;

	if (passed_by_tell(&folder->set.listing.passed, reader, err) ||
	    (folder->set.note.len &&
	        reader_add_note(
	            reader, (const char *)folder->set.note.data, err)))
		return -1;
	reader->total_samples = folder->set.count;
	reader->total_bytes = listing_bytes(&folder->set.listing);
	if (folder_select(&folder->set, limit, err))
		return -1;
	reader->samples = folder->set.count;
	reader->files_each = folder->set.fields;
	reader->classes = &folder->set.classes;
	reader->labels_hash = folder->set.labels_hash;
	measure_names(folder);
	for (unsigned f = 0; f < reader->schema.count; f++)
		if (find_type(folder, f, &reader->schema.fields[f].type, err))
			return -1;
	return plan_streams(reader, err);
}

/* Copies the path without trailing slashes. */
static char *copy_root(const char *path)
{
	char *root = strdup(path);
	size_t len = root ? strlen(root) : 0;

	while (len > 1 && root[len - 1] == '/')
		root[--len] = '\0';
	return root;
}

int files_reader_fill(struct reader *reader, const struct source_plan *plan,
    folder_finder *find, struct error *err)
{
	struct folder *folder = reader->priv;

	folder->root = copy_root(plan->path);
	folder->medium = plan->medium;
	folder->set.listing.known = plan->known;
	if (!folder->root)
		return error_memory(err, strlen(plan->path));
	if (find(&folder->set, folder->root, plan, &reader->schema, err))
		return -1;
	return fill(reader, plan->limit, err);
}
