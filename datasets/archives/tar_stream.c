/* tar_stream.c - see tar_stream.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/archives/archive.h"
#include "datasets/archives/members.h"
#include "datasets/archives/tar_stream.h"
#include "datasets/files/align.h"
#include "datasets/files/content.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/labels.h"

enum {
	READ_BLOCK = 256 << 10,
	CLS_MAX = 64, /* bytes of a member with a label */
};

struct tar_stream {
	const struct reader *reader;
	const struct tar_run *run;
	struct archive_reader *archive;
	uint64_t left;                /* samples still to read */
	bool ahead;                   /* the current member begins a sample */
	bool peeking;                 /* reads only the heads of members */
	bool picking;                 /* samples have places in the chunk */
	struct archive_range *ranges; /* ranges of picked samples; owned */
	size_t range_capacity;
	size_t at; /* part of the current sample's key */
	struct members members;
};

static const char *run_path(const struct tar *tar, const struct tar_run *run)
{
	return tar->set.archives[run->archive].path;
}

void tar_stream_close(void *stream)
{
	struct tar_stream *s = stream;

	if (!s)
		return;
	archive_reader_close(s->archive);
	free(s->ranges);
	free(s);
}

/* Opens an archive at the first member of the part. */
static int start(
    struct tar_stream *s, const struct archive_part *part, struct error *err)
{
	const struct tar *tar = s->reader->priv;
	int got;

	archive_reader_close(s->archive);
	s->archive = archive_reader_open(tar->medium, part, err);
	if (!s->archive)
		return -1;
	members_begin(&s->members, s->archive, part->path);
	got = members_next(&s->members, err);
	s->ahead = got > 0;
	return got < 0 ? -1 : 0;
}

static struct tar_stream *new_stream(
    const struct reader *reader, struct error *err)
{
	struct tar_stream *s = memory_zeroed(sizeof(*s), err);

	if (s)
		s->reader = reader;
	return s;
}

void *tar_stream_open(
    const struct reader *reader, size_t stream, struct error *err)
{
	const struct tar *tar = reader->priv;
	const struct tar_run *run = &tar->set.runs[stream];
	const struct archive_part part = {
		.path = run_path(tar, run),
		.start = run->start,
		.end = run->end,
		.block_bytes = READ_BLOCK,
	};
	struct tar_stream *s = new_stream(reader, err);

	if (!s)
		return NULL;
	s->run = run;
	s->left = run->samples;
	if (start(s, &part, err)) {
		tar_stream_close(s);
		return NULL;
	}
	return s;
}

static int blame(
    const struct tar_stream *s, const struct chunk *chunk, struct error *err)
{
	const struct chunk_part *part = &chunk->parts[s->at];
	const struct span key = {
		.data = chunk->stored.data + part->offset,
		.len = part->len,
	};

	return members_blame(run_path(s->reader->priv, s->run), key, err);
}

/* Begins the parts of a sample with its key. */
static int begin_sample(
    struct tar_stream *s, struct chunk *chunk, struct error *err)
{
	const struct members *members = &s->members;

	if (!s->picking) {
		s->at = chunk->part_count;
		for (unsigned f = 0; f <= s->reader->schema.count; f++)
			if (chunk_add_part(chunk, 0, 0, 0, err))
				return -1;
	}
	chunk->parts[s->at] = (struct chunk_part){
		.offset = chunk->stored.len,
		.len = members->key_len,
		.item = (uint64_t)INT64_C(-1),
		.file = s->run->archive,
	};
	return buf_append(&chunk->stored, members->key, members->key_len, err);
}

static int end_sample(
    struct tar_stream *s, struct chunk *chunk, struct error *err)
{
	const struct schema *schema = &s->reader->schema;

	for (unsigned f = 0; f < schema->count; f++)
		if (chunk->parts[s->at + 1 + f].item == 0) {
			error_set(err, ERROR_DATA,
			    "has no member for the field '%s'",
			    schema->fields[f].name);
			return blame(s, chunk, err);
		}
	return 0;
}

/* Reads the first bytes of a member, which tell its type. */
static int take_head(struct tar_stream *s, struct buf *out, struct error *err)
{
	size_t got;

	if (buf_reserve(out, out->len + CONTENT_HEAD, err) ||
	    archive_reader_begin(
	        s->archive, out->data + out->len, CONTENT_HEAD, &got, err))
		return -1;
	out->len += got;
	return 0;
}

static int take_field(struct tar_stream *s, struct chunk *chunk,
    const struct field_rule *rule, struct error *err)
{
	const struct tar *tar = s->reader->priv;
	const size_t at = s->at + 1 + rule->field;
	struct buf *out = &chunk->stored;
	const size_t begin = align_up(out->len);
	const uint64_t bytes = s->members.member.bytes;

	if (chunk->parts[at].item != 0) {
		error_set(err, ERROR_DATA, "has two members for the field '%s'",
		    s->reader->schema.fields[rule->field].name);
		return blame(s, chunk, err);
	}
	chunk->parts[at] = (struct chunk_part){
		.offset = PART_WITHHELD,
		.len = (size_t)bytes,
		.item = (uint64_t)(rule - tar->set.rules.rules) + 1,
	};
	if (reader_withholds(s->reader, bytes))
		return 0;
	if (buf_reserve(out, begin, err))
		return -1;
	out->len = begin;
	if (s->peeking ? take_head(s, out, err)
	               : archive_reader_data(s->archive, out, err))
		return -1;
	chunk->parts[at].offset = begin;
	chunk->parts[at].len = out->len - begin;
	return 0;
}

static int take_label(
    struct tar_stream *s, struct chunk *chunk, struct error *err)
{
	struct buf *out = &chunk->stored;
	const size_t begin = out->len;
	struct span text;
	int64_t label;

	if (s->members.member.bytes > CLS_MAX) {
		error_set(err, ERROR_DATA, "its .cls has %" PRIu64 " bytes",
		    s->members.member.bytes);
		return blame(s, chunk, err);
	}
	if (archive_reader_data(s->archive, out, err))
		return -1;
	text.data = out->data + begin;
	text.len = out->len - begin;
	out->len = begin;
	if (label_parse(text, &label)) {
		error_set(err, ERROR_DATA,
		    "its .cls is no whole number: '%.*s'",
		    text.len < CLS_MAX ? (int)text.len : CLS_MAX,
		    (const char *)text.data);
		return blame(s, chunk, err);
	}
	chunk->parts[s->at].item = (uint64_t)label;
	return 0;
}

static int take_member(
    struct tar_stream *s, struct chunk *chunk, struct error *err)
{
	const struct tar *tar = s->reader->priv;
	const char *extension = s->members.extension;
	const struct field_rule *rule =
	    field_rules_find(&tar->set.rules, extension);

	if (rule)
		return take_field(s, chunk, rule, err);
	if (tar->set.wants_cls && strcmp(extension, "cls") == 0)
		return take_label(s, chunk, err);
	return 0;
}

/*
 * Reads a sample: 1, or 0 when the archive ended before it. Members from byte
 * `end` on belong to the next sample, even with the same key; UINT64_MAX: only
 * keys tell.
 */
static int fetch_sample(
    struct tar_stream *s, uint64_t end, struct chunk *chunk, struct error *err)
{
	int got;

	if (!s->ahead)
		return 0;
	if (begin_sample(s, chunk, err))
		return -1;
	do {
		if (take_member(s, chunk, err))
			return -1;
		got = members_next(&s->members, err);
	} while (
	    got > 0 && !s->members.begins && s->members.member.position < end);
	if (got < 0)
		return -1;
	s->ahead = got > 0;
	return end_sample(s, chunk, err) ? -1 : 1;
}

static int error_fewer(
    const struct tar_stream *s, uint64_t missing, struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "%s: has %" PRIu64 " samples fewer than when it was opened",
	    run_path(s->reader->priv, s->run), missing);
}

/*
 * Estimates the bytes of members in `bytes` bytes of an archive. If that is
 * more than a run can have, some are withheld: unknown.
 */
static size_t room_for(const struct reader *reader, uint64_t bytes)
{
	const uint64_t most =
	    reader->sample_most * reader->schema.count + TAR_RUN_BYTES;

	return reader->sample_most && bytes > most ? 0 : (size_t)bytes;
}

int tar_stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct tar_stream *s = stream;
	const struct tar_run *run = s->run;
	const struct tar *tar = s->reader->priv;

	if (s->left == 0)
		return 0;
	if (run->end && buf_reserve(&chunk->stored,
	                    room_for(s->reader, run->end - run->start), err))
		return -1;
	chunk->stream = (size_t)(run - tar->set.runs);
	while (s->left && chunk->stored.len < TAR_RUN_BYTES) {
		const int got = fetch_sample(s, UINT64_MAX, chunk, err);

		if (got < 0)
			return -1;
		if (got == 0)
			return error_fewer(s, s->left, err);
		chunk->samples++;
		s->left--;
	}
	return 1;
}

int tar_stream_peek(void *stream, struct chunk *chunk, struct error *err)
{
	struct tar_stream *s = stream;
	int got;

	s->peeking = true;
	got = fetch_sample(s, UINT64_MAX, chunk, err);
	s->peeking = false;
	return got < 0 ? -1 : got == 0 ? error_fewer(s, s->left, err) : 0;
}

/* ---- samples by number ---- */

void *tar_picker_open(const struct reader *reader, struct error *err)
{
	struct tar_stream *s = new_stream(reader, err);

	if (s)
		s->picking = true;
	return s;
}

void tar_picker_close(void *picker)
{
	tar_stream_close(picker);
}

/*
 * Finds the ranges of the first picks, which are in one archive. Returns how
 * many picks, 0 without memory, and adds their bytes.
 */
static size_t find_ranges(struct tar_stream *s, const struct pick *picks,
    size_t count, size_t *bytes, struct error *err)
{
	const struct tar *tar = s->reader->priv;
	struct archive_range *ranges = array_grow(
	    s->ranges, &s->range_capacity, count, sizeof(*ranges), err);
	size_t n = 0;

	if (!ranges)
		return 0;
	s->ranges = ranges;
	tar_find_sample(&tar->set, picks->number, &s->run);
	for (; n < count; n++) {
		const struct tar_run *run;

		ranges[n] = tar_find_sample(&tar->set, picks[n].number, &run);
		if (run->archive != s->run->archive)
			break;
		*bytes += room_for(s->reader, ranges[n].end - ranges[n].start);
	}
	return n;
}

/* Reads picked samples of one archive, whose ranges are known. */
static int pick_samples(struct tar_stream *s, const struct pick *picks,
    size_t count, struct chunk *chunk, struct error *err)
{
	const struct archive_part part = {
		.path = run_path(s->reader->priv, s->run),
		.ranges = s->ranges,
		.range_count = count,
		.block_bytes = READ_BLOCK,
	};
	uint64_t end = 0;

	if (start(s, &part, err))
		return -1;
	for (size_t i = 0; i < count; i++) {
		int got;

		end += s->ranges[i].end - s->ranges[i].start;
		s->at = picks[i].place * (1 + s->reader->schema.count);
		got = fetch_sample(s, end, chunk, err);
		if (got <= 0)
			return got < 0 ? -1 : error_fewer(s, count - i, err);
	}
	return 0;
}

int tar_picker_fetch(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err)
{
	struct tar_stream *s = picker;
	size_t parts, done = 0;

	if (size_mul(count, 1 + s->reader->schema.count, &parts))
		return error_memory(err, SIZE_MAX);
	if (chunk_set_parts(chunk, parts, err))
		return -1;
	while (done < count) {
		size_t bytes = chunk->stored.len;
		const size_t n =
		    find_ranges(s, picks + done, count - done, &bytes, err);

		if (n == 0 || buf_reserve(&chunk->stored, bytes, err) ||
		    pick_samples(s, picks + done, n, chunk, err))
			return -1;
		done += n;
	}
	return 0;
}

const char *tar_part_path(const struct tar *tar, const struct chunk_part *part)
{
	return tar->set.archives[part->file].path;
}
