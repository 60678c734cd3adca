/*
 * hdf5.c - reads datasets of an HDF5 file as one tensor.
 * in:  the bytes of a file
 * out: [datasets, n] float64 or float32, calibrated; with calibrate=no also
 *      the stored type
 *
 * A dataset of several dimensions is flattened row by row.  Chunks are read in
 * place in the file's bytes.  The library allocates memory for each file.
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/signal/calibrate.h"
#include "lib/signal/hdf5.h"
#include "lib/signal/hdf5_read.h"
#include "lib/signal/hdf5_unpack.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum {
	DATASETS_MAX = 16,
	NAME_MAX_BYTES = 256,
	BAND_BYTES = 1 << 18, /* approximate; if rows are not chunked */
};

static const int64_t elements_most = INT64_C(1) << 31;

struct hdf5_options {
	bool calibrate;
	const char *datasets, *dtype;
	uint64_t offset_period;
};

static const struct option options[] = {
	OPTION(FLAG, "calibrate", 0, struct hdf5_options, calibrate, "yes|no",
	    "compute (count - removed_offset) * calibration_factor, from "
	    "attributes"),
	OPTION(TEXT, "datasets", 0, struct hdf5_options, datasets, "LIST",
	    "paths of datasets: /voltage,/current1"),
	OPTION(TEXT, "dtype", 0, struct hdf5_options, dtype, "TYPE",
	    "element type: float64, float32, or with calibrate=no the stored "
	    "one"),
	OPTION(UINT, "offset_period", 0, struct hdf5_options, offset_period,
	    "N",
	    "subtract the mean of every N counts instead of removed_offset"),
	OPTION_TABLE_END,
};

static const struct hdf5_options defaults = {
	.calibrate = true,
	.dtype = "float64",
};

struct hdf5 {
	unsigned count; /* number of datasets */
	char names[DATASETS_MAX][NAME_MAX_BYTES];
	enum dtype dtype;
	bool calibrate;
	size_t offset_period;
	struct hdf5_unpacker unpacker;
	struct buf band; /* rows in their stored type */
};

static int parse_names(const char *text, struct hdf5 *hdf5, struct error *err)
{
	hdf5->count = 0;
	if (!text || !*text)
		return error_set(err, ERROR_USAGE,
		    "datasets must be given: /voltage,/current1");
	for (const char *at = text;; at++) {
		const size_t len = strcspn(at, ",");

		if (len == 0 || len >= NAME_MAX_BYTES)
			return error_set(err, ERROR_USAGE,
			    "datasets must be paths with commas between, "
			    "got '%s'",
			    text);
		if (hdf5->count == DATASETS_MAX)
			return error_set(err, ERROR_USAGE,
			    "there can be %d datasets", DATASETS_MAX);
		memcpy(hdf5->names[hdf5->count], at, len);
		hdf5->names[hdf5->count++][len] = '\0';
		at += len;
		if (!*at)
			return 0;
	}
}

static int read_options(
    const struct hdf5_options *wanted, struct hdf5 *hdf5, struct error *err)
{
	if (parse_names(wanted->datasets, hdf5, err))
		return -1;
	if (dtype_option(wanted->dtype, &hdf5->dtype, err))
		return -1;
	if (hdf5->dtype != DTYPE_F32 && hdf5->dtype != DTYPE_F64 &&
	    (wanted->calibrate || wanted->offset_period))
		return error_set(err, ERROR_USAGE,
		    "dtype=%s is for counts: with calibrate=no and without "
		    "offset_period",
		    wanted->dtype);
	hdf5->calibrate = wanted->calibrate;
	hdf5->offset_period = wanted->offset_period;
	return 0;
}

static int hdf5_check(const void *given, struct error *err)
{
	struct hdf5 hdf5;

	return read_options(given, &hdf5, err);
}

static int hdf5_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	struct hdf5 *hdf5 = priv;

	if (in->layout != LAYOUT_ENCODED)
		return type_refuse(in, "the bytes of an HDF5 file", err);
	if (read_options(given, hdf5, err))
		return -1;
	*out = (struct type){
		.dtype = hdf5->dtype,
		.shape = { .count = 2, .dims = { hdf5->count, -1 } },
	};
	return 0;
}

/* A dataset, which becomes a row of the output. */
struct channel {
	struct hdf5_dataset dataset;
	struct calibration calibration;
	size_t elements;
};

static int open_channel(struct hdf5 *hdf5, struct hdf5_file *file,
    unsigned number, struct channel *channel, struct error *err)
{
	struct hdf5_dataset *dataset = &channel->dataset;
	const char *name = hdf5->names[number];
	const bool is_float =
	    hdf5->dtype == DTYPE_F32 || hdf5->dtype == DTYPE_F64;

	channel->calibration = (struct calibration){ 0, 1 };
	if (hdf5_dataset_open(dataset, file, name, err))
		return -1;
	channel->elements = shape_elements(&dataset->shape);
	if ((int64_t)channel->elements > elements_most)
		return error_set(err, ERROR_LIMIT,
		    "dataset '%s' has %zu elements: 2^31 are allowed", name,
		    channel->elements);
	if (is_float ? dataset->dtype == DTYPE_F16
	             : dataset->dtype != hdf5->dtype)
		return error_set(err, ERROR_DATA,
		    "dataset '%s' holds %s, not %s", name,
		    dtype_name(dataset->dtype), dtype_name(hdf5->dtype));
	if (!hdf5->calibrate)
		return 0;
	if (hdf5_attribute(dataset, "calibration_factor",
	        &channel->calibration.factor, err) ||
	    hdf5_attribute(
	        dataset, "removed_offset", &channel->calibration.offset, err))
		return error_prefix(err, "dataset '%s'", name);
	return 0;
}

/* Copies stored rows out of the chunks that contain them. */
static int unpack_rows(struct hdf5 *hdf5, const struct hdf5_dataset *dataset,
    struct hdf5_rows rows, void *out, struct error *err)
{
	uint64_t first;
	const uint64_t count = hdf5_chunks(dataset, rows, &first);

	if (!dataset->direct)
		return hdf5_read(dataset, rows.first, rows.count, out, err);
	for (uint64_t i = 0; i < count; i++) {
		struct hdf5_chunk chunk = { .number = first + i };
		struct span stored;

		if (hdf5_locate(dataset, rows, &chunk, err))
			return -1;
		stored.data = dataset->file->bytes.data + chunk.offset;
		stored.len = chunk.bytes;
		if (!chunk.bytes)
			stored.data = NULL;
		if (hdf5_unpack(&hdf5->unpacker, dataset, rows, &chunk, stored,
		        out, err))
			return -1;
	}
	return 0;
}

/* Returns how many rows to process at once so that they stay in the caches. */
static uint64_t band_of(const struct hdf5_dataset *dataset)
{
	uint64_t band;

	if (dataset->chunked)
		return (uint64_t)dataset->chunk.dims[0];
	band = dataset->row_bytes ? BAND_BYTES / dataset->row_bytes : 1;
	return band ? band : 1;
}

static int fill_row(struct hdf5 *hdf5, const struct channel *channel,
    unsigned char *out, struct error *err)
{
	const struct hdf5_dataset *dataset = &channel->dataset;
	const uint64_t all = (uint64_t)dataset->shape.dims[0];
	const size_t size = dtype_bytes(hdf5->dtype);
	const bool is_same = dataset->dtype == hdf5->dtype;
	const bool by_period = hdf5->offset_period > 0;
	const struct calibration none = { 0, 1 };
	const uint64_t band = band_of(dataset);
	struct hdf5_rows rows = { 0, 0 };
	unsigned char *at = out;

	for (; rows.first < all; rows.first += band) {
		size_t elements;

		rows.count = all - rows.first < band ? all - rows.first : band;
		elements = (size_t)rows.count *
		           (dataset->row_bytes / dtype_bytes(dataset->dtype));
		if (!is_same &&
		    buf_reserve(&hdf5->band,
		        (size_t)rows.count * dataset->row_bytes, err))
			return -1;
		if (unpack_rows(hdf5, dataset, rows,
		        is_same ? at : hdf5->band.data, err))
			return -1;
		if (!is_same || (hdf5->calibrate && !by_period))
			calibrate(by_period ? &none : &channel->calibration,
			    dataset->dtype, is_same ? at : hdf5->band.data,
			    hdf5->dtype, at, elements);
		at += elements * size;
	}
	if (by_period)
		calibrate_periods(hdf5->dtype, out, channel->elements,
		    hdf5->offset_period, channel->calibration.factor);
	return 0;
}

static int fill_rows(struct hdf5 *hdf5, const struct channel *channels,
    struct tensor *out, struct error *err)
{
	const struct shape shape = { .count = 2,
		.dims = { hdf5->count, (int64_t)channels[0].elements } };
	unsigned char *to;

	for (unsigned i = 1; i < hdf5->count; i++)
		if (channels[i].elements != channels[0].elements)
			return error_set(err, ERROR_DATA,
			    "dataset '%s' has %zu elements, but '%s' has %zu",
			    hdf5->names[i], channels[i].elements,
			    hdf5->names[0], channels[0].elements);
	if (tensor_reshape(out, hdf5->dtype, &shape, err))
		return -1;
	to = out->data;
	for (unsigned i = 0; i < hdf5->count; i++) {
		if (fill_row(hdf5, &channels[i], to, err))
			return error_prefix(
			    err, "dataset '%s'", hdf5->names[i]);
		to += channels[0].elements * dtype_bytes(hdf5->dtype);
	}
	return 0;
}

static int hdf5_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const struct span bytes = { .data = in->data, .len = in->bytes };
	struct channel channels[DATASETS_MAX];
	struct hdf5_file file = HDF5_FILE_INIT;
	struct hdf5 *hdf5 = priv;
	unsigned opened = 0;
	int rc = -1;

	UNUSED(random);
	if (hdf5_open_bytes(&file, bytes, err))
		return -1;
	while (opened < hdf5->count) {
		if (open_channel(hdf5, &file, opened, &channels[opened], err)) {
			hdf5_dataset_close(&channels[opened].dataset);
			goto done;
		}
		opened++;
	}
	rc = fill_rows(hdf5, channels, out, err);
done:
	while (opened > 0)
		hdf5_dataset_close(&channels[--opened].dataset);
	hdf5_close(&file);
	return rc;
}

static void hdf5_release(void *priv)
{
	struct hdf5 *hdf5 = priv;

	hdf5_unpacker_release(&hdf5->unpacker);
	buf_release(&hdf5->band);
}

const struct step_ops step_hdf5 = {
	.name = "hdf5",
	.summary = "read signals from an HDF5 file",
	.in = "bytes of an HDF5 file",
	.out = "float64, float32 or as stored, datasets x N",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct hdf5_options),
	.defaults = &defaults,
	.check = hdf5_check,
	.priv_size = sizeof(struct hdf5),
	.bind = hdf5_bind,
	.run = hdf5_run,
	.release = hdf5_release,
};
