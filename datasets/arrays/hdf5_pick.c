/*
 * hdf5_pick.c - see hdf5_pick.h.
 *
 * Rows in one chunk of the file are read and unpacked together, once for all
 * picks. The fetcher does this, for one run after the other: perhaps only a row
 * or two of each large chunk is wanted, and all chunks at once would take many
 * times the memory of the rows.
 */
#include "datasets/arrays/hdf5_pick.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/arrays/hdf5_rows.h"
#include "datasets/files/spread.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/signal/hdf5_unpack.h"

enum { RUN_BYTES = 1 << 20 }; /* unpacked, or one chunk of the file */

struct picker {
	const struct reader *reader;
	struct hdf5_unpacker unpacker;
	struct chunk fetched; /* the run, as stored */
	struct buf rows;      /* one of its fields, unpacked */
};

void *hdf5_picker_open(const struct reader *reader, struct error *err)
{
	struct picker *picker = memory_zeroed(sizeof(*picker), err);

	if (!picker)
		return NULL;
	picker->reader = reader;
	return picker;
}

void hdf5_picker_close(void *priv)
{
	struct picker *picker = priv;

	if (!picker)
		return;
	hdf5_unpacker_release(&picker->unpacker);
	chunk_release(&picker->fetched);
	buf_release(&picker->rows);
	free(picker);
}

/* Returns the row of a sample, counted over all files. */
static uint64_t row_of(const struct reader *reader, uint64_t number)
{
	const struct hdf5 *hdf5 = reader->priv;

	return spread(number, hdf5->samples, reader->total_samples);
}

/* Returns how many rows of the first field are in a chunk of the file. */
static uint64_t rows_of_chunk(const struct hdf5_part *part)
{
	const struct hdf5_dataset *dataset = &part->datasets[0];

	return dataset->direct && dataset->chunked
	           ? (uint64_t)dataset->chunk.dims[0]
	           : 1;
}

/* Sets *run to the rows for the first picks; returns how many picks. */
static size_t find_run(const struct reader *reader, const struct pick *picks,
    size_t count, struct hdf5_run *run)
{
	const struct hdf5 *hdf5 = reader->priv;
	const uint64_t first = row_of(reader, picks->number);
	const struct hdf5_part *part = hdf5_files_find(&hdf5->files, first);
	const uint64_t in_chunk = rows_of_chunk(part);
	uint64_t most = RUN_BYTES / (hdf5->sample_bytes + 1), last = first;
	size_t n = 1;

	if (most < in_chunk)
		most = in_chunk;
	for (; n < count; n++) {
		const uint64_t row = row_of(reader, picks[n].number);

		if (row >= part->first + part->rows || row - first >= most ||
		    (row != last + 1 && (row - part->first) / in_chunk !=
		                            (last - part->first) / in_chunk))
			break;
		last = row;
	}
	run->part = part;
	run->rows.first = first - part->first;
	run->rows.count = last - first + 1;
	return n;
}

/* Copies the rows of a field to their places. */
static int place_field(struct picker *picker, const struct hdf5_run *run,
    unsigned field, const struct pick *picks, size_t count, size_t *part,
    struct chunk *chunk, struct error *err)
{
	const struct reader *reader = picker->reader;
	const struct hdf5 *hdf5 = reader->priv;
	const size_t bytes = hdf5->row_bytes[field];
	unsigned char *out = chunk->unpacked.data +
	                     hdf5_field_offset(hdf5, field, chunk->samples);

	if (buf_reserve(
	        &picker->rows, (size_t)run->rows.count * bytes + 1, err) ||
	    hdf5_unpack_field(&picker->unpacker, run, field, &picker->fetched,
	        part, picker->rows.data, err))
		return -1;
	for (size_t i = 0; i < count; i++) {
		const uint64_t row = row_of(reader, picks[i].number) -
		                     run->part->first - run->rows.first;

		memcpy(out + picks[i].place * bytes,
		    picker->rows.data + (size_t)row * bytes, bytes);
	}
	return 0;
}

static int place_run(struct picker *picker, const struct hdf5_run *run,
    const struct pick *picks, size_t count, struct chunk *chunk,
    struct error *err)
{
	const struct hdf5 *hdf5 = picker->reader->priv;
	size_t part = 0;

	chunk_reset(&picker->fetched);
	if (hdf5_fetch_run(hdf5, run, &picker->fetched, err))
		return -1;
	for (unsigned f = 0; f < hdf5->fields; f++)
		if (place_field(
		        picker, run, f, picks, count, &part, chunk, err))
			return -1;
	for (size_t i = 0; i < count; i++)
		chunk->parts[picks[i].place].item = picks[i].number;
	return 0;
}

int hdf5_picker_fetch(void *priv, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err)
{
	struct picker *picker = priv;
	const struct hdf5 *hdf5 = picker->reader->priv;
	size_t n;

	chunk->samples = count;
	if (chunk_set_parts(chunk, count, err) ||
	    hdf5_make_room(hdf5, count, chunk, err))
		return -1;
	for (size_t i = 0; i < count; i += n) {
		struct hdf5_run run;

		n = find_run(picker->reader, picks + i, count - i, &run);
		if (place_run(picker, &run, picks + i, n, chunk, err))
			return -1;
	}
	return 0;
}
