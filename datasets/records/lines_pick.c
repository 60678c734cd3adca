/*
 * lines_pick.c - see lines_pick.h.
 *
 * Picks are sorted, so runs that are close to each other are read together, and
 * each run is searched once.
 */
#include "datasets/records/lines_pick.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"

enum {
	GAP_MOST = 16 << 10, /* unwanted bytes that one read may include */
	READ_MOST = 1 << 20, /* bytes of one read, or one longer run */
};

struct lines_picker {
	const struct lines_set *set;
	struct medium *medium;
	size_t key_bytes;
	struct medium_file *file; /* number file_number; or NULL */
	size_t file_number;
	struct buf block;  /* bytes of the last read */
	size_t first, end; /* runs in the block */
	/* Position in the block: */
	struct span rest;
	size_t run;      /* the current run */
	uint64_t sample; /* number of the next sample */
	uint64_t line;   /* number of the next line in its file */
};

void *lines_picker_open(const struct lines_set *set, struct medium *medium,
    size_t key_bytes, struct error *err)
{
	struct lines_picker *picker = memory_zeroed(sizeof(*picker), err);

	if (!picker)
		return NULL;
	picker->set = set;
	picker->medium = medium;
	picker->key_bytes = key_bytes;
	return picker;
}

void lines_picker_close(void *priv)
{
	struct lines_picker *picker = priv;

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
	path = listing_path(&picker->set->listing, number, err);
	picker->file = path ? medium_open(picker->medium, path, err) : NULL;
	picker->file_number = number;
	free(path);
	return picker->file ? 0 : -1;
}

static uint64_t run_end(const struct run *run)
{
	return run->start + run->bytes;
}

/* Returns the end of the runs that are read together for the first picks. */
static size_t find_end(const struct lines_picker *picker, size_t first,
    const struct pick *picks, size_t count)
{
	const struct run *runs = picker->set->runs.at;
	size_t last = first;

	for (size_t i = 1; i < count; i++) {
		const struct run *end = &runs[last];
		size_t run = last;

		if (picks[i].number >= end->before + end->samples)
			run = runs_find(&picker->set->runs, picks[i].number);
		if (runs[run].file != end->file ||
		    runs[run].start > run_end(end) + GAP_MOST ||
		    (run > first &&
		        run_end(&runs[run]) - runs[first].start > READ_MOST))
			break;
		last = run;
	}
	return last + 1;
}

static void enter_run(struct lines_picker *picker, size_t number)
{
	const struct run *runs = picker->set->runs.at;
	const struct run *run = &runs[number];

	picker->run = number;
	picker->sample = run->before;
	picker->line = run->first;
	picker->rest = (struct span){
		.data = picker->block.data +
		        (run->start - runs[picker->first].start),
		.len = (size_t)run->bytes,
	};
}

static int read_runs(struct lines_picker *picker, const struct pick *picks,
    size_t count, struct error *err)
{
	const struct run *runs = picker->set->runs.at;
	const size_t first = runs_find(&picker->set->runs, picks->number);
	const size_t end = find_end(picker, first, picks, count);
	const size_t bytes =
	    (size_t)(run_end(&runs[end - 1]) - runs[first].start);

	picker->first = first;
	picker->end = end;
	picker->block.len = 0;
	if (open_file(picker, runs[first].file, err) ||
	    buf_reserve(&picker->block, bytes, err) ||
	    medium_read_full(picker->file, runs[first].start,
	        picker->block.data, bytes, err))
		return -1;
	enter_run(picker, first);
	return 0;
}

/* Finds the line of a sample that is further on in the block. */
static int find_line(struct lines_picker *picker, uint64_t sample,
    struct span *whole, struct error *err)
{
	const struct run *run = &picker->set->runs.at[picker->run];
	struct span line;

	if (sample >= run->before + run->samples)
		enter_run(picker, runs_find(&picker->set->runs, sample));
	for (;;) {
		*whole = picker->rest;
		if (!lines_next(&picker->rest, &line))
			return error_set(err, ERROR_DATA,
			    "%s: has other lines than when it was opened",
			    medium_path(picker->file));
		picker->line++;
		if (!line.len && picker->set->skip_empty)
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

int lines_picker_fetch(void *priv, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err)
{
	struct lines_picker *picker = priv;
	const struct run *runs = picker->set->runs.at;
	size_t keys;

	if (size_mul(count, picker->key_bytes, &keys))
		return error_memory(err, SIZE_MAX);
	if (chunk_set_parts(chunk, count, err) ||
	    buf_reserve(&chunk->unpacked, keys, err))
		return -1;
	picker->end = 0; /* the file may have changed since */
	for (size_t i = 0; i < count; i++) {
		const struct run *last =
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
