/*
 * tar.c - archives of samples in the form of WebDataset, in any format that
 * libarchive reads.
 *
 * In an uncompressed tar the positions of samples are known, and a stream is
 * about 1 MiB. Any other archive is one stream, which the fetcher decompresses;
 * its samples cannot be found by number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/archives/members.h"
#include "datasets/archives/tar_scan.h"
#include "datasets/archives/tar_stream.h"
#include "datasets/files/content.h"
#include "datasets/files/spread.h"
#include "datasets/source.h"
#include "lib/base/error.h"
#include "lib/sample/key.h"
#include "lib/syntax/option.h"

static const struct option options[] = {
	OPTION(TEXT, "fields", 0, struct tar_options, fields, "LIST",
	    "members of a sample, by field: data:jpg,mask:mask.png"),
	OPTION_WORDS("label", struct tar_options, label, "cls|none",
	    "source of labels; cls: the member .cls"),
	OPTION(TEXT, "match", 0, struct tar_options, match, "GLOB",
	    "pattern of the archives to take from a folder"),
	OPTION_TABLE_END,
};

static const struct tar_options defaults = {
	.match = "*.tar*",
};

/* Returns "png" for the field of ".mask.png". */
static const char *part_extension(
    const struct tar *tar, const struct chunk_part *part)
{
	const char *ending = tar->set.rules.rules[part->item - 1].ending;
	const char *dot = strrchr(ending, '.');

	return dot ? dot + 1 : ending;
}

static int next_field(const struct reader *reader, const struct chunk *chunk,
    unsigned field, struct tensor *tensor, struct error *err)
{
	const struct tar *tar = reader->priv;
	const struct chunk_part *part = &chunk->parts[chunk->at + 1 + field];
	const struct span bytes = chunk_part_span(chunk, part);

	return content_view(bytes, part_extension(tar, part),
	    &reader->schema.fields[field].type, tensor, err);
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct tar *tar = reader->priv;
	const struct chunk_part *part = &chunk->parts[chunk->at];

	if (chunk->at >= chunk->part_count)
		return 0;
	sample->key.data = chunk->stored.data + part->offset;
	sample->key.len = part->len;
	sample->label = (int64_t)part->item;
	sample->count = reader->schema.count;
	for (unsigned f = 0; f < sample->count; f++)
		if (next_field(reader, chunk, f, &sample->fields[f], err)) {
			error_prefix(
			    err, "field '%s'", reader->schema.fields[f].name);
			return members_blame(
			    tar_part_path(tar, part), sample->key, err);
		}
	chunk->at += 1 + sample->count;
	return 1;
}

static void locate(const struct reader *reader, const struct chunk *chunk,
    char *text, size_t size)
{
	const struct tar *tar = reader->priv;
	const struct chunk_part *part =
	    &chunk->parts[chunk->at - 1 - reader->schema.count];
	const struct span key = {
		.data = chunk->stored.data + part->offset,
		.len = part->len,
	};
	char name[KEY_TEXT];

	snprintf(text, size, "%s: %s", tar_part_path(tar, part),
	    key_text(key, name));
}

static uint64_t stream_samples(const struct reader *reader, size_t stream)
{
	const struct tar *tar = reader->priv;

	return tar->set.runs[stream].samples;
}

static int each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct tar *tar = reader->priv;

	for (size_t i = 0; i < tar->set.count; i++) {
		const struct tar_archive *archive = &tar->set.archives[i];

		if (archive->selected &&
		    visit(arg, archive->path, archive->bytes, err))
			return -1;
	}
	return 0;
}

static void tar_free(struct reader *reader)
{
	struct tar *tar = reader->priv;

	tar_set_release(&tar->set);
	reader_dispose(reader);
}

static const struct reader_ops ops = {
	.stream_open = tar_stream_open,
	.stream_fetch = tar_stream_fetch,
	.stream_close = tar_stream_close,
	.picker_open = tar_picker_open,
	.picker_fetch = tar_picker_fetch,
	.picker_close = tar_picker_close,
	.next = next,
	.locate = locate,
	.stream_samples = stream_samples,
	.each_file = each_file,
	.free = tar_free,
};

/* Learns the types of the fields from the first sample. */
static int learn_types(
    struct reader *reader, const struct chunk *chunk, struct error *err)
{
	const struct tar *tar = reader->priv;

	for (unsigned f = 0; f < reader->schema.count; f++) {
		const struct chunk_part *part = &chunk->parts[1 + f];
		const struct span bytes = {
			.data = chunk->stored.data + part->offset,
			.len = part->len,
		};

		if (content_type(bytes, part_extension(tar, part),
		        &reader->schema.fields[f].type, err))
			return error_prefix(
			    err, "field '%s'", reader->schema.fields[f].name);
	}
	return 0;
}

static int find_types(struct reader *reader, struct error *err)
{
	struct tar *tar = reader->priv;
	struct chunk chunk = CHUNK_INIT;
	void *stream = tar_stream_open(reader, 0, err);
	int rc = -1;

	if (!stream)
		return -1;
	if (tar_stream_peek(stream, &chunk, err) == 0) {
		rc = learn_types(reader, &chunk, err);
		if (rc)
			error_prefix(
			    err, "%s", tar_part_path(tar, chunk.parts));
	}
	chunk_release(&chunk);
	tar_stream_close(stream);
	return rc;
}

/* Returns the bytes of the archives in proportion to the selected samples. */
static uint64_t selected_bytes(const struct tar_set *set)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < set->count; i++) {
		const struct tar_archive *a = &set->archives[i];

		bytes += spread_share(a->bytes, a->selected, a->samples);
	}
	return bytes;
}

static int fill(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	struct tar *tar = reader->priv;

	tar->medium = plan->medium;
	if (tar_scan(&tar->set, plan->path, plan->options, tar->medium,
	        &reader->schema, err) ||
	    passed_by_tell(&tar->set.passed, reader, err))
		return -1;
	tar_select(&tar->set, plan->limit);
	reader->streams = tar->set.run_count;
	reader->total_samples = tar->set.samples;
	for (size_t i = 0; i < reader->streams; i++)
		reader->samples += tar->set.runs[i].samples;
	reader->bytes = selected_bytes(&tar->set);
	reader->in_order_only = !tar->set.is_plain;
	return find_types(reader, err);
}

const struct source_ops source_tar = {
	.name = "tar",
	.summary = "tar archives in the form of WebDataset",
	.options = options,
	.options_size = sizeof(struct tar_options),
	.defaults = &defaults,
	.reader = &ops,
	.state_size = sizeof(struct tar),
	.fill = fill,
	.needs_path = true,
};
