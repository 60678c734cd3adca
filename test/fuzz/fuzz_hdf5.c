/*
 * fuzz_hdf5.c - any bytes as a stored chunk of a dataset of any shape: an
 * error, or the rows that were wanted.  The first bytes say what the dataset
 * is.  What libhdf5 reads itself is not fuzzed here: it has its own faults.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/signal/hdf5.h"
#include "lib/signal/hdf5_unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { HEAD = 16, SIDE_MAX = 24 };

static void require(int truth)
{
	if (!truth)
		abort();
}

/* As hdf5_dataset_open sets it. */
static void describe(const uint8_t *head, struct hdf5_dataset *dataset)
{
	static const enum dtype types[] = { DTYPE_U8, DTYPE_I16, DTYPE_F32,
		DTYPE_F64 };

	*dataset = (struct hdf5_dataset){
		.dtype = types[head[0] % 4],
		.chunked = head[0] & 4,
		.shuffled = head[0] & 8,
		.deflated = head[0] & 16,
		.fill = { head[1], head[2] },
		.direct = true,
	};
	dataset->shape.count = dataset->chunk.count = 1 + head[3] % 3;
	dataset->row_bytes = dtype_bytes(dataset->dtype);
	dataset->chunk_bytes = dataset->row_bytes;
	for (unsigned i = 0; i < dataset->shape.count; i++) {
		dataset->shape.dims[i] = 1 + head[4 + i] % SIDE_MAX;
		dataset->chunk.dims[i] = 1 + head[7 + i] % SIDE_MAX;
		if (i > 0)
			dataset->row_bytes *= (size_t)dataset->shape.dims[i];
		dataset->chunk_bytes *= (size_t)dataset->chunk.dims[i];
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct hdf5_unpacker unpacker = HDF5_UNPACKER_INIT;
	struct hdf5_chunk chunk = { .number = 0 };
	struct error err = ERROR_INIT;
	struct hdf5_dataset dataset;
	struct hdf5_rows rows;
	uint64_t first, count, all;
	struct span stored;
	void *out;

	if (len < HEAD)
		return 0;
	describe(data, &dataset);
	all = (uint64_t)dataset.shape.dims[0];
	rows.first = data[10] % all;
	rows.count = 1 + data[11] % (all - rows.first);
	count = hdf5_chunks(&dataset, rows, &first);
	require(count > 0);
	chunk.number = first + data[12] % count;
	chunk.skipped = data[13] % 4;
	stored = (struct span){ data + HEAD, len - HEAD };
	if (!dataset.chunked) {
		/* Where it lies is checked when it is located. */
		if (stored.len < rows.count * dataset.row_bytes)
			return 0;
		stored.len = (size_t)rows.count * dataset.row_bytes;
	}
	chunk.bytes = stored.len;
	out = malloc((size_t)rows.count * dataset.row_bytes);
	require(out != NULL);
	if (hdf5_unpack(&unpacker, &dataset, rows, &chunk, stored, out, &err))
		require(err.code == ERROR_DATA && err.text[0]);
	free(out);
	hdf5_unpacker_release(&unpacker);
	return 0;
}
