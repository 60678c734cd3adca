/*
 * hdf5_read.c - see hdf5_read.h.
 *
 * The library can locate a chunk: H5Dread_chunk is called while the driver
 * records reads instead of doing them.  This searches the index, whereas the
 * calls meant for it walk over all chunks.
 */
#include "lib/signal/hdf5_read.h"
#include "lib/signal/hdf5_library.h"
#include "lib/signal/hdf5_unpack.h"

/* Finds a filter that this libhdf5 lacks; returns its number and name, or 0. */
static H5Z_filter_t find_missing_filter(
    const struct hdf5_library *library, hid_t dataset, char *name, size_t cap)
{
	const hid_t dcpl = library->H5Dget_create_plist(dataset);
	const int count = dcpl < 0 ? 0 : library->H5Pget_nfilters(dcpl);
	H5Z_filter_t missing = 0;

	for (int i = 0; i < count && !missing; i++) {
		unsigned flags = 0, config = 0;
		size_t values = 0;
		const H5Z_filter_t filter = library->H5Pget_filter2(dcpl,
		    (unsigned)i, &flags, &values, NULL, cap, name, &config);

		if (filter > 0 && library->H5Zfilter_avail(filter) <= 0)
			missing = filter;
	}
	if (dcpl >= 0)
		library->H5Pclose(dcpl);
	return missing;
}

/* Explains a failed H5Dread; its reason is cleared by the next call. */
static int read_fail(const struct hdf5_library *library,
    const struct hdf5_dataset *dataset, struct error *err)
{
	char name[64] = "";
	H5Z_filter_t filter;

	hdf5_fail(dataset->file, "damaged data", err);
	filter = find_missing_filter(library, dataset->id, name, sizeof(name));
	if (!filter || err->code != ERROR_DATA)
		return -1;
	name[sizeof(name) - 1] = '\0';
	return error_set(err, ERROR_DATA,
	    "is compressed by filter %d (%s), which this libhdf5 lacks: unpack "
	    "the file with h5repack -f NONE",
	    filter, *name ? name : "without a name");
}

static int read_rows(const struct hdf5_library *library,
    const struct hdf5_dataset *dataset, struct hdf5_rows rows, void *out,
    struct error *err)
{
	const unsigned count = dataset->shape.count;
	const hid_t space = library->H5Dget_space(dataset->id);
	hsize_t from[SHAPE_MAX] = { rows.first }, extent[SHAPE_MAX];
	hid_t memory;
	int rc = 0;

	for (unsigned i = 0; i < count; i++)
		extent[i] = (hsize_t)dataset->shape.dims[i];
	extent[0] = rows.count;
	memory = library->H5Screate_simple((int)count, extent, NULL);
	if (space < 0 || memory < 0 ||
	    library->H5Sselect_hyperslab(
	        space, H5S_SELECT_SET, from, NULL, extent, NULL) < 0 ||
	    library->H5Dread(dataset->id,
	        hdf5_memory_type(library, dataset->dtype), memory, space,
	        H5P_DEFAULT, out) < 0)
		rc = read_fail(library, dataset, err);
	if (memory >= 0)
		library->H5Sclose(memory);
	if (space >= 0)
		library->H5Sclose(space);
	return rc;
}

struct reading {
	const struct hdf5_dataset *dataset;
	struct hdf5_rows rows;
	void *out;
};

static int read_work(struct hdf5_library *library, void *arg, struct error *err)
{
	const struct reading *reading = arg;

	return read_rows(
	    library, reading->dataset, reading->rows, reading->out, err);
}

int hdf5_read(const struct hdf5_dataset *dataset, uint64_t first,
    uint64_t count, void *out, struct error *err)
{
	struct reading reading = { dataset, { first, count }, out };

	if (count == 0 || dataset->row_bytes == 0)
		return 0;
	return hdf5_call(read_work, &reading, err);
}

struct locating {
	const struct hdf5_dataset *dataset;
	struct hdf5_chunk *chunk;
	hsize_t at[SHAPE_MAX];
};

static int locate_chunk(
    struct hdf5_library *library, void *arg, struct error *err)
{
	const struct locating *locating = arg;
	const struct hdf5_dataset *dataset = locating->dataset;
	struct hdf5_chunk *chunk = locating->chunk;
	const hsize_t *at = locating->at;
	struct hdf5_file *file = dataset->file;
	hsize_t bytes = 0;
	herr_t rc;

	chunk->bytes = 0;
	/* The only sign that a chunk is not stored. */
	if (library->H5Dget_chunk_storage_size(dataset->id, at, &bytes) < 0)
		return hdf5_failed_in("H5D__get_chunk_storage_size")
		           ? 0
		           : hdf5_fail(file, "damaged index of chunks", err);
	if (bytes == 0)
		return 0;
	if (bytes > file->size)
		return error_set(err, ERROR_DATA,
		    "a chunk of %llu bytes in a file of %llu",
		    (unsigned long long)bytes, (unsigned long long)file->size);
	if (buf_reserve(&library->room, (size_t)bytes, err))
		return -1;
	file->located_len = 0;
	file->locating = true;
	rc = library->H5Dread_chunk(
	    dataset->id, H5P_DEFAULT, at, &chunk->skipped, library->room.data);
	file->locating = false;
	if (rc < 0 || file->located_len != bytes)
		return hdf5_fail(file, "damaged index of chunks", err);
	chunk->offset = file->located;
	chunk->bytes = (size_t)bytes;
	return 0;
}

static int locate_rows(const struct hdf5_dataset *dataset,
    struct hdf5_rows rows, struct hdf5_chunk *chunk, struct error *err)
{
	const uint64_t size = dataset->file->size;

	chunk->offset = dataset->offset + rows.first * dataset->row_bytes;
	chunk->bytes = (size_t)rows.count * dataset->row_bytes;
	chunk->skipped = 0;
	if (dataset->offset == HADDR_UNDEF)
		chunk->bytes = 0;
	else if (chunk->offset > size || chunk->bytes > size - chunk->offset)
		return error_set(err, ERROR_DATA,
		    "rows lie behind the end of the file, at byte %llu",
		    (unsigned long long)size);
	return 0;
}

int hdf5_locate(const struct hdf5_dataset *dataset, struct hdf5_rows rows,
    struct hdf5_chunk *chunk, struct error *err)
{
	struct locating locating = { .dataset = dataset, .chunk = chunk };
	uint64_t rest = chunk->number;

	if (!dataset->chunked)
		return locate_rows(dataset, rows, chunk, err);
	for (unsigned i = dataset->shape.count; i-- > 0;) {
		const uint64_t extent = (uint64_t)dataset->shape.dims[i];
		const uint64_t side = (uint64_t)dataset->chunk.dims[i];
		const uint64_t chunks = (extent + side - 1) / side;

		locating.at[i] = rest % chunks * side;
		rest /= chunks;
	}
	return hdf5_call(locate_chunk, &locating, err);
}
