/* record_file.c - see record_file.h. */
#include <stdlib.h>
#include <string.h>

#include "datasets/archives/inflate.h"
#include "datasets/records/record_file.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/record.h"
#include "lib/media/medium.h"

enum {
	WINDOW = 64 << 10, /* bytes read at once if records are short */
	GROW = 1 << 20, /* a record's claimed length is believed up to this */
};

struct record_file {
	const char *path;
	struct medium_file *file;
	struct inflater *inflater; /* NULL: the file is not compressed */
	uint64_t at, number;       /* position of the next record */
	uint64_t window_at;
	size_t window_len;
	bool is_short; /* the last record was: heads are close */
	unsigned char window[WINDOW];
};

void record_file_close(struct record_file *file)
{
	if (!file)
		return;
	inflater_free(file->inflater);
	medium_close(file->file);
	free(file);
}

/* The first bytes tell the form of the file, whatever its name is. */
static int find_form(struct record_file *file, struct error *err)
{
	const uint64_t size = medium_size(file->file);
	unsigned char head[RECORD_HEAD];
	const struct span bytes = { head,
		size < RECORD_HEAD ? (size_t)size : RECORD_HEAD };
	struct error ignored;
	uint64_t len;

	if (medium_read_full(file->file, 0, head, bytes.len, err))
		return -1;
	if (bytes.len == RECORD_HEAD && !record_length(head, &len, &ignored))
		return 0;
	if (!inflate_knows(bytes))
		return 0; /* the first record will tell what is wrong */
	file->inflater = inflater_new(file->file, err);
	return file->inflater ? 0 : -1;
}

struct record_file *record_file_open(
    struct medium *medium, const char *path, struct error *err)
{
	struct record_file *file = memory_zeroed(sizeof(*file), err);

	if (!file)
		return NULL;
	file->path = path;
	file->is_short = true;
	file->file = medium_open(medium, path, err);
	if (file->file && find_form(file, err) == 0)
		return file;
	record_file_close(file);
	return NULL;
}

bool record_file_is_compressed(const struct record_file *file)
{
	return file->inflater != NULL;
}

uint64_t record_file_offset(const struct record_file *file)
{
	return file->at;
}

static int cut_short(struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "cut short: the file ends within it; copy the file again");
}

/* Reads bytes of a plain file; short reads also fetch what follows. */
static int read_plain(struct record_file *file, uint64_t at, void *data,
    size_t len, struct error *err)
{
	const uint64_t left = medium_size(file->file) - at;

	if (len > left)
		return cut_short(err);
	if (len > RECORD_HEAD || !file->is_short)
		return medium_read_full(file->file, at, data, len, err);
	if (at < file->window_at ||
	    at + len > file->window_at + file->window_len) {
		file->window_at = at;
		file->window_len = left < WINDOW ? (size_t)left : WINDOW;
		if (medium_read_full(
		        file->file, at, file->window, file->window_len, err))
			return -1;
	}
	memcpy(data, file->window + (at - file->window_at), len);
	return 0;
}

/* Reads the head of the next record: 1, 0 at the end, -1. */
static int read_head(struct record_file *file, unsigned char head[RECORD_HEAD],
    struct error *err)
{
	size_t got;

	if (!file->inflater) {
		if (file->at == medium_size(file->file))
			return 0;
		return read_plain(file, file->at, head, RECORD_HEAD, err) ? -1
		                                                          : 1;
	}
	if (inflater_read(file->inflater, head, RECORD_HEAD, &got, err))
		return -1;
	if (got == 0)
		return 0;
	return got < RECORD_HEAD ? cut_short(err) : 1;
}

/* Reads the rest of a record in steps, since its length is only a claim. */
static int read_rest(
    struct record_file *file, size_t len, struct buf *out, struct error *err)
{
	uint64_t at = file->at + RECORD_HEAD;
	size_t got = 0;

	if (!file->inflater && len > medium_size(file->file) - at)
		return cut_short(err);
	for (; len > 0; len -= got, at += got) {
		const size_t want = len < GROW ? len : GROW;

		if (buf_reserve(out, out->len + want, err))
			return -1;
		if (!file->inflater) {
			if (read_plain(
			        file, at, out->data + out->len, want, err))
				return -1;
			got = want;
		} else if (inflater_read(file->inflater, out->data + out->len,
		               want, &got, err)) {
			return -1;
		}
		out->len += got;
		if (got < want)
			return cut_short(err);
	}
	return 0;
}

static int skip_rest(struct record_file *file, size_t len, struct error *err)
{
	size_t got;

	if (!file->inflater)
		return len > medium_size(file->file) - file->at - RECORD_HEAD
		           ? cut_short(err)
		           : 0;
	for (; len > 0; len -= got) {
		const size_t want = len < WINDOW ? len : WINDOW;

		if (inflater_read(
		        file->inflater, file->window, want, &got, err))
			return -1;
		if (got < want)
			return cut_short(err);
	}
	return 0;
}

static int next(struct record_file *file, struct buf *out, struct error *err)
{
	unsigned char head[RECORD_HEAD];
	const int got = read_head(file, head, err);
	uint64_t len;
	size_t rest;

	if (got <= 0 || record_length(head, &len, err))
		return got <= 0 ? got : -1;
	if (len > RECORD_BYTES_MAX - RECORD_HEAD - RECORD_TAIL)
		return error_set(err, ERROR_LIMIT,
		    "has %llu bytes, more than a sample may have",
		    (unsigned long long)len);
	rest = (size_t)len + RECORD_TAIL;
	if (out) {
		if (buf_append(out, head, RECORD_HEAD, err) ||
		    read_rest(file, rest, out, err))
			return -1;
	} else if (skip_rest(file, rest, err)) {
		return -1;
	}
	file->is_short = rest < WINDOW / 2;
	file->at += RECORD_HEAD + rest;
	file->number++;
	return 1;
}

int record_file_next(
    struct record_file *file, struct buf *out, struct error *err)
{
	const int got = next(file, out, err);

	if (got < 0 && !strstr(err->text, file->path))
		error_prefix(err, "%s: record %llu", file->path,
		    (unsigned long long)file->number);
	return got;
}
