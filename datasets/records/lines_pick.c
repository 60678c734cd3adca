/*
 * lines_pick.c - see lines_pick.h.
 *
 * Picks are sorted, so runs that lie near to each other are read together, and
 * each run is gone through once.
 */
#include "datasets/records/lines_pick.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"

enum {
	GAP_MOST = 16 << 10, /* bytes that are read for nothing */
	READ_MOST = 1 << 20, /* bytes that are read at once, but for a run */
};

struct lines_picker {
	const struct lines_set *set;
	struct medium *medium;
	size_t key_bytes;
	bool skip_empty;
	struct medium_file *file; /* number file_number; or NULL */
	size_t file_number;
	struct buf block;  /* what was read at once: */
	size_t first, end; /* runs of the set */
	/* Within the block, where the next line begins: */
	struct span rest;
	size_t run;      /* it is of this one */
	uint64_t sample; /* the number of the next line that counts */
	uint64_t line;   /* the number of the next line in its file */
};

struct lines_picker *lines_picker_new(const struct lines_set *set,
    struct medium *medium, size_t key_bytes, bool skip_empty, struct error *err)
{
	struct lines_picker *picker = calloc(1, sizeof(*picker));

	if (!picker) {
		error_memory(err, sizeof(*picker));
		return NULL;
	}
	picker->set = set;
	picker->medium = medium;
	picker->key_bytes = key_bytes;
	picker->skip_empty = skip_empty;
	return picker;
}

void lines_picker_free(struct lines_picker *picker)
{
	if (!picker)
		return;
	medium_close(picker->file);
	buf_release(&picker->block);
	free(picker);
}

static int open_file(
    struct lines_picker *picker, size_t number, struct error *err)
{
	char *path;

	if (picker->file && picker->file_number == number)
		return 0;
	medium_close(picker->file);
	path = lines_path(picker->set, number, err);
	picker->file = path ? medium_open(picker->medium, path, err) : NULL;
	picker->file_number = number;
	free(path);
	return picker->file ? 0 : -1;
}

static uint64_t run_end(const struct lines_run *run)
{
	return run->offset + run->bytes;
}

/* Behind the last run that is read together with the first pick's. */
static size_t find_end(const struct lines_picker *picker, size_t first,
    const struct pick *picks, size_t count)
{
	const struct lines_run *runs = picker->set->runs;
	size_t last = first;

	for (size_t i = 1; i < count; i++) {
		const struct lines_run *end = &runs[last];
		size_t run = last;

		if (picks[i].number >= end->before + end->samples)
			run = lines_find(picker->set, picks[i].number);
		if (runs[run].file != end->file ||
		    runs[run].offset > run_end(end) + GAP_MOST ||
		    (run > first &&
		        run_end(&runs[run]) - runs[first].offset > READ_MOST))
			break;
		last = run;
	}
	return last + 1;
}

static void enter_run(struct lines_picker *picker, size_t number)
{
	const struct lines_run *runs = picker->set->runs;
	const struct lines_run *run = &runs[number];

	picker->run = number;
	picker->sample = run->before;
	picker->line = run->first;
	picker->rest = (struct span){
		.data = picker->block.data +
		        (run->offset - runs[picker->first].offset),
		.len = (size_t)run->bytes,
	};
}

static int read_runs(struct lines_picker *picker, const struct pick *picks,
    size_t count, struct error *err)
{
	const struct lines_run *runs = picker->set->runs;
	const size_t first = lines_find(picker->set, picks->number);
	const size_t end = find_end(picker, first, picks, count);
	const size_t bytes =
	    (size_t)(run_end(&runs[end - 1]) - runs[first].offset);

	picker->first = first;
	picker->end = end;
	picker->block.len = 0;
	if (open_file(picker, runs[first].file, err) ||
	    buf_reserve(&picker->block, bytes, err) ||
	    medium_read_full(picker->file, runs[first].offset,
	        picker->block.data, bytes, err))
		return -1;
	enter_run(picker, first);
	return 0;
}

/* The line of the sample, which is in the block and was not passed. */
static int find_line(struct lines_picker *picker, uint64_t sample,
    struct span *whole, struct error *err)
{
	const struct lines_run *run = &picker->set->runs[picker->run];
	struct span line;

	if (sample >= run->before + run->samples)
		enter_run(picker, lines_find(picker->set, sample));
	for (;;) {
		*whole = picker->rest;
		if (!lines_next(&picker->rest, &line))
			return error_set(err, ERROR_DATA,
			    "%s: has other lines than when it was opened",
			    medium_path(picker->file));
		picker->line++;
		if (!line.len && picker->skip_empty)
			continue;
		whole->len -= picker->rest.len;
		if (picker->sample++ == sample)
			return 0;
	}
}

static int take_line(struct lines_picker *picker, const struct pick *pick,
    struct chunk *chunk, struct error *err)
{
	struct span line;

	if (find_line(picker, pick->number, &line, err))
		return -1;
	chunk->parts[pick->place] = (struct chunk_part){
		.offset = chunk->stored.len,
		.len = line.len,
		.item = picker->line - 1,
		.file = picker->file_number,
	};
	return buf_append(&chunk->stored, line.data, line.len, err);
}

int lines_pick(struct lines_picker *picker, const struct pick *picks,
    size_t count, struct chunk *chunk, struct error *err)
{
	const struct lines_run *runs = picker->set->runs;
	size_t keys;

	if (size_mul(count, picker->key_bytes, &keys))
		return error_memory(err, SIZE_MAX);
	if (chunk_set_parts(chunk, count, err) ||
	    buf_reserve(&chunk->unpacked, keys, err))
		return -1;
	picker->end = 0; /* the file may have changed since */
	for (size_t i = 0; i < count; i++) {
		const struct lines_run *last =
		    picker->end ? &runs[picker->end - 1] : NULL;

		if ((!last ||
		        picks[i].number >= last->before + last->samples) &&
		    read_runs(picker, picks + i, count - i, err))
			return -1;
		if (take_line(picker, &picks[i], chunk, err))
			return -1;
	}
	return 0;
}
