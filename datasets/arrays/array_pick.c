/*
 * array_pick.c - see array_set.h: samples by number.
 *
 * A file that is a sample is read as it is.  Rows that lie near to each other
 * are read together, and those that are wanted are copied; a .npz file is read
 * whole for all of its rows that are wanted at once.
 */
#include <stdlib.h>
#include <string.h>

#include "datasets/arrays/array_set.h"
#include "datasets/files/align.h"
#include "datasets/files/spread.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

enum {
	GAP_MOST = 16 << 10, /* bytes that are read for nothing */
	READ_MOST = 1 << 20, /* bytes that are read at once, but for a row */
};

struct picker {
	const struct array_set *set;
	struct chunk rows; /* that are read together */
};

void *array_picker_open(const struct reader *reader, struct error *err)
{
	struct picker *picker = calloc(1, sizeof(*picker));

	if (picker)
		picker->set = reader->priv;
	else
		error_memory(err, sizeof(*picker));
	return picker;
}

void array_picker_close(void *priv)
{
	struct picker *picker = priv;

	if (picker)
		chunk_release(&picker->rows);
	free(picker);
}

static uint64_t run_before(const void *runs, size_t run)
{
	return ((const struct array_run *)runs)[run].before;
}

static size_t find_run(const struct array_set *set, uint64_t number)
{
	return spread_find(set->runs, set->run_count, number, run_before);
}

static uint64_t row_of(const struct array_run *run, const struct pick *pick)
{
	return run->first + (pick->number - run->before);
}

/* What is read for the first picks: *part; returns for how many. */
static size_t find_rows(const struct array_set *set,
    const struct array_run *run, const struct pick *picks, size_t count,
    struct array_run *part)
{
	const uint64_t bytes = set->columns[0].bytes,
	               first = row_of(run, picks);
	uint64_t last = first;
	size_t n = 1;

	*part = *run;
	for (; n < count && picks[n].number < run->before + run->samples; n++) {
		const uint64_t row = row_of(run, &picks[n]);

		if (!set->is_npz && ((row - last) * bytes > GAP_MOST + bytes ||
		                        (row - first) * bytes > READ_MOST))
			break;
		last = row;
	}
	if (!set->is_npz) {
		part->first = first;
		part->samples = last - first + 1;
	}
	return n;
}

/* A row of each column, to its place. */
static int copy_row(const struct picker *picker, const struct array_run *part,
    uint64_t row, struct chunk *chunk, struct chunk_part *parts,
    struct error *err)
{
	const struct array_set *set = picker->set;
	struct buf *out = &chunk->stored;

	for (unsigned c = 0; c < array_columns(set); c++) {
		const struct chunk_part *from = &picker->rows.parts[1 + c];
		const size_t bytes = set->columns[c].bytes;
		const size_t begin = align_up(out->len);

		if (buf_reserve(out, begin + bytes, err))
			return -1;
		if (bytes)
			memcpy(out->data + begin,
			    picker->rows.stored.data + from->offset +
			        (size_t)(row - part->first) * bytes,
			    bytes);
		parts[1 + c] = (struct chunk_part){
			.offset = begin,
			.len = bytes,
		};
		out->len = begin + bytes;
	}
	return 0;
}

static struct chunk_part *begin_sample(const struct array_set *set,
    const struct pick *pick, size_t run, struct chunk *chunk)
{
	struct chunk_part *parts =
	    &chunk->parts[pick->place * array_parts(set)];

	*parts = (struct chunk_part){
		.len = 1,
		.item = row_of(&set->runs[run], pick),
		.file = run,
	};
	return parts;
}

/* Rows of a run: returns of how many picks, 0 for an error. */
static size_t pick_rows(struct picker *picker, const struct pick *picks,
    size_t count, struct chunk *chunk, struct error *err)
{
	const struct array_set *set = picker->set;
	const size_t run = find_run(set, picks->number);
	struct array_run part;
	const size_t n = find_rows(set, &set->runs[run], picks, count, &part);

	chunk_reset(&picker->rows);
	if (chunk_set_parts(&picker->rows, array_parts(set), err) ||
	    array_fetch(set, &part, &picker->rows, picker->rows.parts, err))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (copy_row(picker, &part, row_of(&set->runs[run], &picks[i]),
		        chunk, begin_sample(set, &picks[i], run, chunk), err))
			return 0;
	return n;
}

/* A whole file. */
static size_t pick_file(struct picker *picker, const struct pick *pick,
    struct chunk *chunk, struct error *err)
{
	const struct array_set *set = picker->set;
	const size_t run = find_run(set, pick->number);

	return array_fetch(set, &set->runs[run], chunk,
	           begin_sample(set, pick, run, chunk), err)
	           ? 0
	           : 1;
}

/* About: so that the chunk does not move with each sample. */
static uint64_t bytes_of(
    const struct array_set *set, const struct pick *picks, size_t count)
{
	uint64_t bytes = 0;

	for (unsigned c = 0; set->by_row && c < array_columns(set); c++)
		bytes += count * align_up(set->columns[c].bytes);
	for (size_t i = 0; !set->by_row && i < count; i++) {
		const size_t run = find_run(set, picks[i].number);

		bytes += set->listing.files[set->runs[run].file].bytes;
	}
	return bytes;
}

int array_picker_fetch(void *priv, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err)
{
	struct picker *picker = priv;
	const struct array_set *set = picker->set;
	size_t parts, n;

	chunk->samples = count;
	if (size_mul(count, array_parts(set), &parts))
		return error_memory(err, SIZE_MAX);
	if (chunk_set_parts(chunk, parts, err) ||
	    buf_reserve(
	        &chunk->stored, (size_t)bytes_of(set, picks, count), err) ||
	    array_reserve_keys(set, chunk, err))
		return -1;
	for (size_t i = 0; i < count; i += n) {
		n = set->by_row
		        ? pick_rows(picker, picks + i, count - i, chunk, err)
		        : pick_file(picker, picks + i, chunk, err);
		if (n == 0)
			return -1;
	}
	return 0;
}
