/* hdf5_unpack.c - unpacks chunks without the library; see hdf5_unpack.h. */
#include <limits.h>
#include <string.h>

#include "lib/codecs/deflate/deflate.h"
#include "lib/codecs/kernels/byte_planes.h"
#include "lib/signal/hdf5.h"
#include "lib/signal/hdf5_unpack.h"

/* Returns the number of chunks that contain the same rows. */
static uint64_t chunks_abreast(const struct hdf5_dataset *dataset)
{
	uint64_t n = 1;

	for (unsigned i = 1; i < dataset->shape.count; i++) {
		const uint64_t extent = (uint64_t)dataset->shape.dims[i];
		const uint64_t chunk = (uint64_t)dataset->chunk.dims[i];

		n *= (extent + chunk - 1) / chunk;
	}
	return n;
}

uint64_t hdf5_chunks(
    const struct hdf5_dataset *dataset, struct hdf5_rows rows, uint64_t *first)
{
	uint64_t high, low, abreast;

	*first = 0;
	if (rows.count == 0 || dataset->row_bytes == 0)
		return 0;
	if (!dataset->chunked)
		return 1;
	abreast = chunks_abreast(dataset);
	high = (uint64_t)dataset->chunk.dims[0];
	low = rows.first / high;
	*first = low * abreast;
	return ((rows.first + rows.count - 1) / high - low + 1) * abreast;
}

/* ---- undoing the filters ---- */

/* The elements of a chunk, in order or as planes of bytes. */
struct elements {
	const unsigned char *data;
	size_t count; /* number of elements; distance of the planes */
	size_t size;  /* bytes of an element */
	bool in_planes;
};

static int inflate(struct hdf5_unpacker *unpacker, struct span stored,
    size_t len, struct error *err)
{
	if (!unpacker->deflate)
		unpacker->deflate = deflate_new(1, err);
	if (!unpacker->deflate || buf_reserve(&unpacker->inflated, len, err))
		return -1;
	if (deflate_unzlib(
	        unpacker->deflate, stored, unpacker->inflated.data, len) == 0)
		return 0;
	return error_set(err, ERROR_DATA,
	    "a chunk does not inflate (%zu bytes to %zu)", stored.len, len);
}

static int undo(struct hdf5_unpacker *unpacker,
    const struct hdf5_dataset *dataset, const struct hdf5_chunk *chunk,
    struct span stored, struct elements *elements, struct error *err)
{
	const unsigned deflate_bit = dataset->shuffled ? 2 : 1;

	elements->size = dtype_bytes(dataset->dtype);
	elements->count = dataset->chunk_bytes / elements->size;
	elements->in_planes =
	    dataset->shuffled && elements->size > 1 && !(chunk->skipped & 1);
	elements->data = stored.data;
	if (dataset->deflated && !(chunk->skipped & deflate_bit)) {
		if (inflate(unpacker, stored, dataset->chunk_bytes, err))
			return -1;
		elements->data = unpacker->inflated.data;
	} else if (stored.len != dataset->chunk_bytes) {
		return error_set(err, ERROR_DATA,
		    "a chunk has %zu bytes, not %zu", stored.len,
		    dataset->chunk_bytes);
	}
	return 0;
}

/* Copies elements `first` to `first + count - 1`. */
static void put(
    const struct elements *from, size_t first, size_t count, unsigned char *out)
{
	if (from->in_planes)
		byte_planes_join(
		    from->data + first, from->count, out, count, from->size);
	else
		memcpy(
		    out, from->data + first * from->size, count * from->size);
}

/* ---- copying to the rows ---- */

/*
 * The wanted part of a chunk.  From dimension `joined` on it is contiguous, in
 * the chunk and in the rows.
 */
struct place {
	unsigned joined;
	size_t run;                   /* contiguous elements */
	size_t extent[SHAPE_MAX];     /* wanted size; 1 in `joined` and after */
	size_t chunk_step[SHAPE_MAX]; /* distances in the chunk, in elements */
	size_t rows_step[SHAPE_MAX];  /* distances in the rows */
	size_t chunk_first, rows_first;
};

static void set_steps(const struct hdf5_dataset *dataset, struct place *place)
{
	size_t chunk = 1, rows = 1;

	for (unsigned i = dataset->shape.count; i-- > 0;) {
		place->chunk_step[i] = chunk;
		place->rows_step[i] = rows;
		chunk *= (size_t)dataset->chunk.dims[i];
		rows *= (size_t)dataset->shape.dims[i];
	}
}

/* Returns false if nothing is wanted. */
static bool find_place(const struct hdf5_dataset *dataset,
    struct hdf5_rows rows, uint64_t number, struct place *place)
{
	bool is_joined = true;

	*place = (struct place){ .run = 1 };
	set_steps(dataset, place);
	for (unsigned i = dataset->shape.count; i-- > 0;) {
		const uint64_t all = (uint64_t)dataset->shape.dims[i];
		const uint64_t chunk = (uint64_t)dataset->chunk.dims[i];
		const uint64_t chunks = (all + chunk - 1) / chunk;
		uint64_t from = number % chunks * chunk, skip = 0;
		uint64_t to = from + chunk < all ? from + chunk : all;

		number /= chunks;
		if (i == 0) {
			const uint64_t end = rows.first + rows.count;

			to = to < end ? to : end;
			skip = rows.first > from ? rows.first - from : 0;
			if (from + skip >= to)
				return false;
			place->chunk_first += skip * place->chunk_step[0];
			from += skip;
			place->rows_first +=
			    (from - rows.first) * place->rows_step[0];
		} else {
			place->rows_first += from * place->rows_step[i];
		}
		place->extent[i] = to - from;
		if (is_joined) {
			place->joined = i;
			place->run *= place->extent[i];
			is_joined = to - from == chunk && chunk == all;
		}
	}
	place->extent[place->joined] = 1;
	return true;
}

/* Copies all runs; the last dimension before `joined` changes fastest. */
static void scatter(
    const struct elements *from, const struct place *place, unsigned char *out)
{
	size_t at[SHAPE_MAX] = { 0 };
	size_t chunk = place->chunk_first, rows = place->rows_first;

	for (;;) {
		unsigned i = place->joined;

		put(from, chunk, place->run, out + rows * from->size);
		while (i-- > 0) {
			chunk += place->chunk_step[i];
			rows += place->rows_step[i];
			if (++at[i] < place->extent[i])
				break;
			chunk -= at[i] * place->chunk_step[i];
			rows -= at[i] * place->rows_step[i];
			at[i] = 0;
		}
		if (i == UINT_MAX)
			return;
	}
}

static void fill(
    const struct hdf5_dataset *dataset, unsigned char *out, size_t count)
{
	const size_t size = dtype_bytes(dataset->dtype);

	for (size_t i = 0; i < count; i++)
		memcpy(out + i * size, dataset->fill, size);
}

/* Makes the elements of a chunk that is not stored. */
static int make_filled(struct hdf5_unpacker *unpacker,
    const struct hdf5_dataset *dataset, struct elements *elements,
    struct error *err)
{
	const size_t size = dtype_bytes(dataset->dtype);

	if (buf_reserve(&unpacker->inflated, dataset->chunk_bytes, err))
		return -1;
	*elements = (struct elements){
		.data = unpacker->inflated.data,
		.count = dataset->chunk_bytes / size,
		.size = size,
	};
	fill(dataset, unpacker->inflated.data, elements->count);
	return 0;
}

/* Joins planes first if there are many short runs. */
static int join(struct hdf5_unpacker *unpacker, struct elements *elements,
    struct error *err)
{
	const size_t bytes = elements->count * elements->size;

	if (buf_reserve(&unpacker->joined, bytes, err))
		return -1;
	put(elements, 0, elements->count, unpacker->joined.data);
	elements->data = unpacker->joined.data;
	elements->in_planes = false;
	return 0;
}

int hdf5_unpack(struct hdf5_unpacker *unpacker,
    const struct hdf5_dataset *dataset, struct hdf5_rows rows,
    const struct hdf5_chunk *chunk, struct span stored, void *out,
    struct error *err)
{
	const size_t size = dtype_bytes(dataset->dtype);
	struct elements elements;
	struct place place;

	if (!dataset->chunked) {
		if (chunk->bytes)
			memcpy(out, stored.data, stored.len);
		else
			fill(dataset, out,
			    (size_t)rows.count * dataset->row_bytes / size);
		return 0;
	}
	if (!find_place(dataset, rows, chunk->number, &place))
		return 0;
	if (chunk->bytes == 0) {
		if (make_filled(unpacker, dataset, &elements, err))
			return -1;
	} else if (undo(unpacker, dataset, chunk, stored, &elements, err)) {
		return -1;
	}
	if (elements.in_planes && place.joined > 0 &&
	    join(unpacker, &elements, err))
		return -1;
	scatter(&elements, &place, out);
	return 0;
}

void hdf5_unpacker_release(struct hdf5_unpacker *unpacker)
{
	deflate_free(unpacker->deflate);
	buf_release(&unpacker->inflated);
	buf_release(&unpacker->joined);
	unpacker->deflate = NULL;
}
