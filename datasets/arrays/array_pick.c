/*
 * array_pick.c - see array_pick.h.
 *
 * A file that is a sample is read into the chunk. Rows that are close to each
 * other are read together, and the wanted ones are copied. A .npz file is read
 * once for all of its wanted rows.
 */
#include "datasets/arrays/array_pick.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/arrays/array_fetch.h"
#include "datasets/files/align.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

enum {
	GAP_MOST = 16 << 10, /* unwanted bytes that one read may include */
	READ_MOST = 1 << 20, /* bytes of one read, or one longer row */
};

struct picker {
	const struct array_set *set;
	struct chunk rows; /* rows of one read */
};

void *array_picker_open(const struct reader *reader, struct error *err)
{
	struct picker *picker = memory_zeroed(sizeof(*picker), err);

	if (picker)
		picker->set = reader->priv;
	return picker;
}

void array_picker_close(void *priv)
{
	struct picker *picker = priv;

	if (picker)
		chunk_release(&picker->rows);
	free(picker);
}

static uint64_t row_of(const struct run *run, const struct pick *pick)
{
	return run->first + (pick->number - run->before);
}

/* Sets *part to the rows to read for the first picks; returns their number. */
static size_t find_rows(const struct array_set *set, const struct run *run,
    const struct pick *picks, size_t count, struct run *part)
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
		part->start += (first - run->first) * bytes;
		part->first = first;
		part->samples = last - first + 1;
	}
	return n;
}

/* Copies a row of each column to its place. */
static int copy_row(const struct picker *picker, const struct run *part,
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
		.item = row_of(&set->runs.at[run], pick),
		.file = run,
	};
	return parts;
}

/* Picks rows of one run; returns the number of picks, 0 for an error. */
static size_t pick_rows(struct picker *picker, const struct pick *picks,
    size_t count, struct chunk *chunk, struct error *err)
{
	const struct array_set *set = picker->set;
	const size_t run = runs_find(&set->runs, picks->number);
	struct run part;
	const size_t n =
	    find_rows(set, &set->runs.at[run], picks, count, &part);

	chunk_reset(&picker->rows);
	if (chunk_set_parts(&picker->rows, array_parts(set), err) ||
	    array_fetch(set, &part, &picker->rows, picker->rows.parts, err))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (copy_row(picker, &part,
		        row_of(&set->runs.at[run], &picks[i]), chunk,
		        begin_sample(set, &picks[i], run, chunk), err))
			return 0;
	return n;
}

/* Picks a whole file; returns 1, 0 for an error. */
static size_t pick_file(struct picker *picker, const struct pick *pick,
    struct chunk *chunk, struct error *err)
{
	const struct array_set *set = picker->set;
	const size_t run = runs_find(&set->runs, pick->number);

	return array_fetch(set, &set->runs.at[run], chunk,
	           begin_sample(set, pick, run, chunk), err)
	           ? 0
	           : 1;
}

/* Estimates the bytes of the chunk, so that it grows only once. */
static uint64_t bytes_of(
    const struct array_set *set, const struct pick *picks, size_t count)
{
	uint64_t bytes = 0;

	for (unsigned c = 0; set->by_row && c < array_columns(set); c++)
		bytes += count * align_up(set->columns[c].bytes);
	for (size_t i = 0; !set->by_row && i < count; i++) {
		const size_t run = runs_find(&set->runs, picks[i].number);

		bytes += set->listing.files[set->runs.at[run].file].bytes;
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
