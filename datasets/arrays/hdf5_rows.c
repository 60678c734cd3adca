/* hdf5_rows.c - see hdf5_rows.h. */
#include "datasets/arrays/hdf5_rows.h"

#include <string.h>

#include "datasets/files/align.h"
#include "lib/base/error.h"
#include "lib/signal/hdf5_read.h"
#include "lib/signal/hdf5_unpack.h"

/* Reads rows through the library, into one part. */
static int fetch_rows(const struct hdf5_dataset *dataset, struct hdf5_rows rows,
    struct chunk *chunk, struct error *err)
{
	const size_t len = (size_t)rows.count * dataset->row_bytes;
	struct buf *out = &chunk->stored;

	if (buf_reserve(out, out->len + len, err) ||
	    chunk_add_part(chunk, out->len, len, 0, err) ||
	    hdf5_read(
	        dataset, rows.first, rows.count, out->data + out->len, err))
		return -1;
	out->len += len;
	return 0;
}

/* Reads a part for each chunk; its item tells the filters that it skipped. */
static int fetch_chunks(const struct hdf5_dataset *dataset,
    struct hdf5_rows rows, struct chunk *chunk, struct error *err)
{
	struct buf *out = &chunk->stored;
	uint64_t first;
	const uint64_t count = hdf5_chunks(dataset, rows, &first);

	for (uint64_t i = 0; i < count; i++) {
		struct hdf5_chunk hdf5_chunk = { .number = first + i };

		if (hdf5_locate(dataset, rows, &hdf5_chunk, err) ||
		    buf_reserve(out, out->len + hdf5_chunk.bytes, err) ||
		    chunk_add_part(chunk, out->len, hdf5_chunk.bytes,
		        hdf5_chunk.skipped, err) ||
		    (hdf5_chunk.bytes &&
		        medium_read_full(dataset->file->medium,
		            hdf5_chunk.offset, out->data + out->len,
		            hdf5_chunk.bytes, err)))
			return -1;
		out->len += hdf5_chunk.bytes;
	}
	return 0;
}

int hdf5_fetch_run(const struct hdf5 *hdf5, const struct hdf5_run *run,
    struct chunk *chunk, struct error *err)
{
	for (unsigned f = 0; f < hdf5->fields; f++) {
		const struct hdf5_dataset *dataset = &run->part->datasets[f];

		if ((dataset->direct ? fetch_chunks : fetch_rows)(
		        dataset, run->rows, chunk, err))
			return error_prefix(err, "%s", run->part->path);
	}
	return 0;
}

size_t hdf5_field_offset(
    const struct hdf5 *hdf5, unsigned field, uint64_t samples)
{
	size_t offset = 0;

	for (unsigned f = 0; f < field; f++)
		offset += align_up((size_t)samples * hdf5->row_bytes[f]);
	return offset;
}

int hdf5_unpack_field(struct hdf5_unpacker *unpacker,
    const struct hdf5_run *run, unsigned field, const struct chunk *chunk,
    size_t *part, unsigned char *out, struct error *err)
{
	const struct hdf5_dataset *dataset = &run->part->datasets[field];
	const struct hdf5_rows rows = run->rows;
	uint64_t first;
	const uint64_t count = hdf5_chunks(dataset, rows, &first);

	if (!dataset->direct) {
		const struct chunk_part *all = &chunk->parts[(*part)++];

		memcpy(out, chunk->stored.data + all->offset, all->len);
		return 0;
	}
	for (uint64_t i = 0; i < count; i++) {
		const struct chunk_part *from = &chunk->parts[(*part)++];
		const struct hdf5_chunk hdf5_chunk = {
			.number = first + i,
			.bytes = from->len,
			.skipped = (uint32_t)from->item,
		};
		const struct span stored = {
			.data = chunk->stored.data + from->offset,
			.len = from->len,
		};

		if (hdf5_unpack(
		        unpacker, dataset, rows, &hdf5_chunk, stored, out, err))
			return error_prefix(err, "%s", run->part->path);
	}
	return 0;
}

int hdf5_make_room(const struct hdf5 *hdf5, uint64_t samples,
    struct chunk *chunk, struct error *err)
{
	const size_t bytes =
	    hdf5_field_offset(hdf5, hdf5->fields, samples) +
	    (size_t)samples * (hdf5->files.stem_max + HDF5_KEY_ROOM);

	if (buf_reserve(&chunk->unpacked, bytes, err))
		return -1;
	chunk->unpacked.len = bytes;
	return 0;
}
