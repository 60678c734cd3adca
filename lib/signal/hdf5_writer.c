/*
 * hdf5_writer.c - see hdf5_writer.h.  Chunks are compressed here, in parallel;
 * the library, which runs one call at a time, only writes them.
 */
#include <stdio.h>
#include <string.h>

#include "lib/codecs/deflate/deflate.h"
#include "lib/codecs/kernels/byte_planes.h"
#include "lib/signal/hdf5_library.h"
#include "lib/signal/hdf5_writer.h"

enum { LEVEL = 4, GROWTH = 1 << 20 };

struct packer {
	const struct hdf5_library *library;
	void *deflate;
	struct buf planes, packed;
};

static void packer_release(struct packer *packer)
{
	deflate_free(packer->deflate);
	buf_release(&packer->planes);
	buf_release(&packer->packed);
}

/* Compresses a chunk, padded with zeros. */
static int pack(struct packer *packer, const int16_t *counts, size_t count,
    size_t chunk, struct error *err)
{
	const size_t bytes = chunk * sizeof(*counts);
	struct buf *planes = &packer->planes, *packed = &packer->packed;
	uint32_t sum;

	packed->len = 0;
	if (buf_reserve(planes, bytes, err))
		return -1;
	memset(planes->data, 0, bytes);
	byte_planes_split(counts, count, sizeof(*counts), planes->data, chunk);
	planes->len = bytes;
	sum = deflate_adler32(1, buf_span(planes));
	if (deflate_zlib_head(LEVEL, packed, err) ||
	    deflate_encode(packer->deflate, buf_span(planes), packed, err))
		return -1;
	return deflate_zlib_tail(sum, bytes, packed, err);
}

static int add_attribute(const struct hdf5_library *library, hid_t dataset,
    const char *name, double value)
{
	const hid_t space = library->H5Screate(H5S_SCALAR);
	const hid_t attribute = library->H5Acreate2(dataset, name,
	    *library->H5T_IEEE_F64LE_g, space, H5P_DEFAULT, H5P_DEFAULT);
	const int rc =
	    attribute < 0 || library->H5Awrite(attribute,
	                         *library->H5T_NATIVE_DOUBLE_g, &value) < 0
	        ? -1
	        : 0;

	if (attribute >= 0)
		library->H5Aclose(attribute);
	library->H5Sclose(space);
	return rc;
}

/* Returns a negative id on failure. */
static hid_t add_dataset(const struct hdf5_library *library, hid_t file,
    const struct hdf5_signal *signal, hsize_t length, hsize_t chunk)
{
	const hid_t space = library->H5Screate_simple(1, &length, NULL);
	const hid_t dcpl =
	    library->H5Pcreate(*library->H5P_CLS_DATASET_CREATE_ID_g);
	hid_t dataset;

	library->H5Pset_chunk(dcpl, 1, &chunk);
	library->H5Pset_shuffle(dcpl);
	library->H5Pset_deflate(dcpl, LEVEL);
	library->H5Pset_obj_track_times(dcpl, false);
	dataset = library->H5Dcreate2(file, signal->name,
	    *library->H5T_STD_I16LE_g, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
	if (dataset >= 0 && (add_attribute(library, dataset,
	                         "calibration_factor", signal->factor) ||
	                        add_attribute(library, dataset,
	                            "removed_offset", signal->offset))) {
		library->H5Dclose(dataset);
		dataset = -1;
	}
	library->H5Pclose(dcpl);
	library->H5Sclose(space);
	return dataset;
}

static int fail(const char *path, struct error *err)
{
	struct hdf5_file none = HDF5_FILE_INIT;

	return hdf5_fail(&none, path, err);
}

static int write_chunks(struct packer *packer, hid_t dataset,
    const struct hdf5_signal *signal, size_t length, size_t chunk,
    struct error *err)
{
	const struct hdf5_library *library = packer->library;

	for (size_t at = 0; at < length; at += chunk) {
		const size_t n = length - at < chunk ? length - at : chunk;
		const hsize_t from = at;
		herr_t rc;

		if (pack(packer, signal->counts + at, n, chunk, err))
			return -1;
		hdf5_enter(library);
		rc = library->H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &from,
		    packer->packed.len, packer->packed.data);
		if (rc < 0)
			fail(signal->name, err);
		hdf5_leave(library);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static int write_signal(struct packer *packer, hid_t file,
    const struct hdf5_signal *signal, size_t length, size_t chunk,
    struct error *err)
{
	const struct hdf5_library *library = packer->library;
	hid_t dataset;
	int rc;

	hdf5_enter(library);
	dataset = add_dataset(library, file, signal, length, chunk);
	if (dataset < 0)
		fail(signal->name, err);
	hdf5_leave(library);
	if (dataset < 0)
		return -1;
	rc = write_chunks(packer, dataset, signal, length, chunk, err);
	hdf5_enter(library);
	if (library->H5Dclose(dataset) < 0 && rc == 0)
		rc = fail(signal->name, err);
	hdf5_leave(library);
	return rc;
}

/* Creates a file in memory; names must be unique among open files. */
static hid_t create(const struct packer *packer, struct error *err)
{
	const struct hdf5_library *library = packer->library;
	char name[32];
	const hid_t fapl =
	    library->H5Pcreate(*library->H5P_CLS_FILE_ACCESS_ID_g);
	hid_t file;

	library->H5Pset_fapl_core(fapl, GROWTH, false);
	snprintf(name, sizeof(name), "%p", (const void *)packer);
	file = library->H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
	library->H5Pclose(fapl);
	if (file < 0)
		fail("file", err);
	return file;
}

static int take(const struct hdf5_library *library, hid_t file, struct buf *out,
    struct error *err)
{
	const ssize_t size = library->H5Fflush(file, H5F_SCOPE_LOCAL) < 0
	                         ? -1
	                         : library->H5Fget_file_image(file, NULL, 0);

	if (size < 0)
		return fail("file", err);
	if (buf_reserve(out, out->len + (size_t)size, err))
		return -1;
	if (library->H5Fget_file_image(
	        file, out->data + out->len, (size_t)size) < 0)
		return fail("file", err);
	out->len += (size_t)size;
	return 0;
}

int hdf5_encode(const struct hdf5_signal *signals, unsigned count,
    size_t length, size_t chunk, struct buf *out, struct error *err)
{
	const struct hdf5_library *library = hdf5_load(err);
	struct packer packer = { .library = library };
	hid_t file;
	int rc;

	if (!library)
		return -1;
	packer.deflate = deflate_new(LEVEL, err);
	if (!packer.deflate)
		return -1;
	if (chunk > length)
		chunk = length;
	hdf5_enter(library);
	file = create(&packer, err);
	hdf5_leave(library);
	rc = file < 0 ? -1 : 0;
	for (unsigned i = 0; rc == 0 && i < count; i++)
		rc = write_signal(
		    &packer, file, &signals[i], length, chunk, err);
	if (file >= 0) {
		hdf5_enter(library);
		if (rc == 0)
			rc = take(library, file, out, err);
		library->H5Fclose(file);
		hdf5_leave(library);
	}
	packer_release(&packer);
	return rc;
}
