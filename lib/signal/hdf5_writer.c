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

static int add_attribute(hid_t dataset, const char *name, double value)
{
	const hid_t space = H5Screate(H5S_SCALAR);
	const hid_t attribute = H5Acreate2(
	    dataset, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
	const int rc =
	    attribute < 0 || H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) < 0
	        ? -1
	        : 0;

	if (attribute >= 0)
		H5Aclose(attribute);
	H5Sclose(space);
	return rc;
}

/* Returns a negative id on failure. */
static hid_t add_dataset(
    hid_t file, const struct hdf5_signal *signal, hsize_t length, hsize_t chunk)
{
	const hid_t space = H5Screate_simple(1, &length, NULL);
	const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
	hid_t dataset;

	H5Pset_chunk(dcpl, 1, &chunk);
	H5Pset_shuffle(dcpl);
	H5Pset_deflate(dcpl, LEVEL);
	H5Pset_obj_track_times(dcpl, false);
	dataset = H5Dcreate2(file, signal->name, H5T_STD_I16LE, space,
	    H5P_DEFAULT, dcpl, H5P_DEFAULT);
	if (dataset >= 0 &&
	    (add_attribute(dataset, "calibration_factor", signal->factor) ||
	        add_attribute(dataset, "removed_offset", signal->offset))) {
		H5Dclose(dataset);
		dataset = -1;
	}
	H5Pclose(dcpl);
	H5Sclose(space);
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
	for (size_t at = 0; at < length; at += chunk) {
		const size_t n = length - at < chunk ? length - at : chunk;
		const hsize_t from = at;
		herr_t rc;

		if (pack(packer, signal->counts + at, n, chunk, err))
			return -1;
		hdf5_enter();
		rc = H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &from,
		    packer->packed.len, packer->packed.data);
		if (rc < 0)
			fail(signal->name, err);
		hdf5_leave();
		if (rc < 0)
			return -1;
	}
	return 0;
}

static int write_signal(struct packer *packer, hid_t file,
    const struct hdf5_signal *signal, size_t length, size_t chunk,
    struct error *err)
{
	hid_t dataset;
	int rc;

	hdf5_enter();
	dataset = add_dataset(file, signal, length, chunk);
	if (dataset < 0)
		fail(signal->name, err);
	hdf5_leave();
	if (dataset < 0)
		return -1;
	rc = write_chunks(packer, dataset, signal, length, chunk, err);
	hdf5_enter();
	if (H5Dclose(dataset) < 0 && rc == 0)
		rc = fail(signal->name, err);
	hdf5_leave();
	return rc;
}

/* Creates a file in memory; names must be unique among open files. */
static hid_t create(const struct packer *packer, struct error *err)
{
	char name[32];
	const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
	hid_t file;

	H5Pset_fapl_core(fapl, GROWTH, false);
	snprintf(name, sizeof(name), "%p", (const void *)packer);
	file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
	H5Pclose(fapl);
	if (file < 0)
		fail("file", err);
	return file;
}

static int take(hid_t file, struct buf *out, struct error *err)
{
	const ssize_t size = H5Fflush(file, H5F_SCOPE_LOCAL) < 0
	                         ? -1
	                         : H5Fget_file_image(file, NULL, 0);

	if (size < 0)
		return fail("file", err);
	if (buf_reserve(out, out->len + (size_t)size, err))
		return -1;
	if (H5Fget_file_image(file, out->data + out->len, (size_t)size) < 0)
		return fail("file", err);
	out->len += (size_t)size;
	return 0;
}

int hdf5_encode(const struct hdf5_signal *signals, unsigned count,
    size_t length, size_t chunk, struct buf *out, struct error *err)
{
	struct packer packer = { .deflate = deflate_new(LEVEL, err) };
	hid_t file;
	int rc;

	if (!packer.deflate)
		return -1;
	if (chunk > length)
		chunk = length;
	hdf5_enter();
	file = create(&packer, err);
	hdf5_leave();
	rc = file < 0 ? -1 : 0;
	for (unsigned i = 0; rc == 0 && i < count; i++)
		rc = write_signal(
		    &packer, file, &signals[i], length, chunk, err);
	if (file >= 0) {
		hdf5_enter();
		if (rc == 0)
			rc = take(file, out, err);
		H5Fclose(file);
		hdf5_leave();
	}
	packer_release(&packer);
	return rc;
}
