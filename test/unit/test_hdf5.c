/* test_hdf5.c - reading HDF5 files written by libhdf5. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/media/medium.h"
#include "lib/signal/calibrate.h"
#include "lib/signal/hdf5.h"
#include "lib/signal/hdf5_read.h"
#include "lib/signal/hdf5_unpack.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

static const struct type file_type = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
	"hdf5" };

/* ---- making files ---- */

/* How a dataset is stored. */
struct wish {
	const char *name;
	hid_t stored, memory; /* types */
	unsigned count;
	hsize_t dims[SHAPE_MAX], chunk[SHAPE_MAX]; /* chunk 0: contiguous */
	bool shuffle, deflate, fletcher, compact;
	const char *text;      /* an attribute of this name holds a string */
	double factor, offset; /* attributes unless 0 */
};

static void add_attribute(hid_t dataset, const char *name, double value)
{
	const hid_t space = H5Screate(H5S_SCALAR);
	const hid_t attribute = H5Acreate2(
	    dataset, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);

	assert_true(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0);
	H5Aclose(attribute);
	H5Sclose(space);
}

static void add_text(hid_t dataset, const char *name)
{
	const hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
	hid_t attribute;

	H5Tset_size(type, 4);
	attribute =
	    H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(H5Awrite(attribute, type, "abc") >= 0);
	H5Aclose(attribute);
	H5Tclose(type);
	H5Sclose(space);
}

static hid_t how_to_store(const struct wish *wish)
{
	const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);

	if (wish->chunk[0])
		H5Pset_chunk(dcpl, (int)wish->count, wish->chunk);
	if (wish->shuffle)
		H5Pset_shuffle(dcpl);
	if (wish->deflate)
		H5Pset_deflate(dcpl, 4);
	if (wish->fletcher)
		H5Pset_fletcher32(dcpl);
	if (wish->compact)
		H5Pset_layout(dcpl, H5D_COMPACT);
	return dcpl;
}

/* `data` NULL: nothing is written. */
static void add_dataset(hid_t file, const struct wish *wish, const void *data)
{
	const hid_t space =
	    H5Screate_simple((int)wish->count, wish->dims, NULL);
	const hid_t dcpl = how_to_store(wish);
	const hid_t dataset = H5Dcreate2(file, wish->name, wish->stored, space,
	    H5P_DEFAULT, dcpl, H5P_DEFAULT);

	assert_true(dataset >= 0);
	if (data)
		assert_true(H5Dwrite(dataset, wish->memory, H5S_ALL, H5S_ALL,
		                H5P_DEFAULT, data) >= 0);
	if (wish->factor != 0)
		add_attribute(dataset, "calibration_factor", wish->factor);
	if (wish->offset != 0)
		add_attribute(dataset, "removed_offset", wish->offset);
	if (wish->text)
		add_text(dataset, wish->text);
	H5Dclose(dataset);
	H5Pclose(dcpl);
	H5Sclose(space);
}

struct made {
	char *dir, *path;
	hid_t file;
	struct buf bytes;
};

static void made_begin(struct made *made)
{
	*made = (struct made){ .dir = test_scratch() };
	made->path = test_path(made->dir, "a.hdf5");
	made->file =
	    H5Fcreate(made->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(made->file >= 0);
}

static void made_end(struct made *made)
{
	H5Fclose(made->file);
	test_read_file(made->dir, "a.hdf5", &made->bytes);
}

static void made_release(struct made *made)
{
	buf_release(&made->bytes);
	free(made->path);
	test_scratch_remove(made->dir);
}

static int run(
    const char *words, struct span bytes, struct tensor *out, struct error *err)
{
	struct tensor in = TENSOR_INIT;
	struct stepper stepper;
	int rc;

	tensor_view_encoded(&in, bytes.data, bytes.len, "hdf5");
	test_ok(stepper_open(&stepper, words, &file_type, err), err);
	rc = stepper_run(&stepper, 0, &in, out, err);
	stepper_close(&stepper);
	return rc;
}

static void run_fails(
    const char *words, const struct buf *bytes, const char *text)
{
	struct tensor out = TENSOR_INIT;
	struct error err = ERROR_INIT;

	if (run(words, buf_span(bytes), &out, &err) == 0)
		fail_msg("%s: did not fail", words);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, text);
	tensor_release(&out);
}

/* ---- the step ---- */

enum { SAMPLES = 10007 };

static void make_counts(int16_t *counts, uint32_t step)
{
	struct random random = random_stream(3, 0, 0, step);

	for (size_t i = 0; i < SAMPLES; i++)
		counts[i] = (int16_t)(3000 * sin((double)i / 20) +
		                      50 * random_normal(&random));
}

/* All that is direct, and what only the library reads. */
static const struct wish ways[] = {
	{ .chunk = { 0 } },
	{ .chunk = { 1000 } },
	{ .chunk = { 1000 }, .shuffle = true },
	{ .chunk = { 1000 }, .deflate = true },
	{ .chunk = { 4096 }, .shuffle = true, .deflate = true },
	{ .chunk = { SAMPLES }, .shuffle = true, .deflate = true },
	{ .chunk = { SAMPLES - 1 }, .shuffle = true, .deflate = true },
	{ .chunk = { 1000 },
	    .shuffle = true,
	    .deflate = true,
	    .fletcher = true },
	{ .compact = true },
};

static void check_way(const struct wish *way, hid_t stored, const char *dtype)
{
	static int16_t v[SAMPLES], i[SAMPLES];
	struct wish wish = *way;
	struct tensor out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct made made;
	char words[128];

	make_counts(v, 1);
	make_counts(i, 2);
	wish.stored = stored;
	wish.memory = H5T_NATIVE_INT16;
	wish.count = 1;
	wish.dims[0] = SAMPLES;
	made_begin(&made);
	wish.name = "/voltage";
	wish.factor = 0.0467;
	wish.offset = -12.5;
	add_dataset(made.file, &wish, v);
	wish.name = "/current1";
	wish.factor = 0.0241;
	wish.offset = 0;
	add_dataset(made.file, &wish, i);
	made_end(&made);
	snprintf(words, sizeof(words),
	    "hdf5 datasets=/voltage,current1 dtype=%s", dtype);
	test_ok(run(words, buf_span(&made.bytes), &out, &err), &err);
	assert_int_equal(out.shape.count, 2);
	assert_int_equal(out.shape.dims[0], 2);
	assert_int_equal(out.shape.dims[1], SAMPLES);
	for (size_t k = 0; k < SAMPLES; k++) {
		const double a = (v[k] - -12.5) * 0.0467, b = i[k] * 0.0241;

		if (out.dtype == DTYPE_F64) {
			assert_true(((double *)out.data)[k] == a);
			assert_true(((double *)out.data)[SAMPLES + k] == b);
		} else {
			assert_true(((float *)out.data)[k] == (float)a);
			assert_true(
			    ((float *)out.data)[SAMPLES + k] == (float)b);
		}
	}
	tensor_release(&out);
	made_release(&made);
}

static void test_hdf5_gives_calibrated_values(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		check_way(&ways[i], H5T_STD_I16LE, "float64");
		check_way(&ways[i], H5T_STD_I16LE, "float32");
	}
	/* Others that hold the same numbers. */
	check_way(&ways[4], H5T_STD_I16BE, "float64");
	check_way(&ways[4], H5T_STD_I32LE, "float64");
	check_way(&ways[4], H5T_STD_I64BE, "float64");
	check_way(&ways[4], H5T_IEEE_F32LE, "float64");
	check_way(&ways[1], H5T_IEEE_F64LE, "float64");
	check_way(&ways[0], H5T_IEEE_F64LE, "float64");
	check_way(&ways[4], H5T_IEEE_F64BE, "float32");
}

static void test_hdf5_gives_counts_as_they_are_stored(void **state)
{
	static int16_t v[SAMPLES];
	struct wish wish = { .name = "/group/v",
		.stored = H5T_STD_I16LE,
		.memory = H5T_NATIVE_INT16,
		.count = 1,
		.dims = { SAMPLES },
		.chunk = { 999 },
		.shuffle = true,
		.deflate = true,
		.factor = 3 };
	struct tensor out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct made made;

	UNUSED(state);
	make_counts(v, 1);
	made_begin(&made);
	H5Gclose(H5Gcreate2(
	    made.file, "/group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
	add_dataset(made.file, &wish, v);
	made_end(&made);
	test_ok(run("hdf5 datasets=/group/v calibrate=no dtype=int16",
	            buf_span(&made.bytes), &out, &err),
	    &err);
	assert_int_equal(out.dtype, DTYPE_I16);
	assert_memory_equal(out.data, v, sizeof(v));
	test_ok(run("hdf5 datasets=/group/v calibrate=no",
	            buf_span(&made.bytes), &out, &err),
	    &err);
	assert_true(((double *)out.data)[17] == v[17]);
	run_fails("hdf5 datasets=/group/v calibrate=no dtype=uint8",
	    &made.bytes, "dataset '/group/v' holds int16, not uint8");
	tensor_release(&out);
	made_release(&made);
}

static void test_hdf5_takes_the_offset_of_each_period(void **state)
{
	static int16_t v[SAMPLES];
	struct wish wish = { .name = "v",
		.stored = H5T_STD_I16LE,
		.memory = H5T_NATIVE_INT16,
		.count = 1,
		.dims = { SAMPLES },
		.chunk = { 1000 },
		.factor = 0.5,
		.offset = 77 };
	struct tensor out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct made made;

	UNUSED(state);
	make_counts(v, 5);
	made_begin(&made);
	add_dataset(made.file, &wish, v);
	made_end(&made);
	test_ok(run("hdf5 datasets=v offset_period=128", buf_span(&made.bytes),
	            &out, &err),
	    &err);
	for (size_t at = 0; at < SAMPLES; at += 128) {
		const size_t n = SAMPLES - at < 128 ? SAMPLES - at : 128;
		double mean = 0;

		for (size_t i = 0; i < n; i++)
			mean += v[at + i];
		mean /= (double)n;
		for (size_t i = 0; i < n; i++)
			assert_true(fabs(((double *)out.data)[at + i] -
			                 (v[at + i] - mean) * 0.5) < 1e-9);
	}
	tensor_release(&out);
	made_release(&made);
}

static void add_strings(hid_t file)
{
	const hid_t type = H5Tcopy(H5T_C_S1);
	struct wish wish = {
		.name = "/names", .stored = type, .count = 1, .dims = { 3 }
	};

	H5Tset_size(type, 8);
	add_dataset(file, &wish, NULL);
	H5Tclose(type);
}

static void test_hdf5_refuses_in_words(void **state)
{
	static const double numbers[20] = { 1 };
	struct wish wish = { .name = "/long",
		.stored = H5T_IEEE_F64LE,
		.memory = H5T_NATIVE_DOUBLE,
		.count = 1,
		.dims = { 20 } };
	const hid_t scalar = H5Screate(H5S_SCALAR);
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	struct made made;

	UNUSED(state);
	made_begin(&made);
	add_dataset(made.file, &wish, numbers);
	wish.name = "/short";
	wish.dims[0] = 19;
	wish.text = "removed_offset";
	add_dataset(made.file, &wish, numbers);
	add_strings(made.file);
	H5Dclose(H5Dcreate2(made.file, "/one", H5T_IEEE_F64LE, scalar,
	    H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
	H5Sclose(scalar);
	made_end(&made);
	run_fails("hdf5 datasets=/volt", &made.bytes,
	    "there is no dataset '/volt': the file has /long, /names, /one, "
	    "/short");
	run_fails("hdf5 datasets=/names", &made.bytes,
	    "dataset '/names' holds strings: numbers are wanted");
	run_fails("hdf5 datasets=/one", &made.bytes,
	    "dataset '/one' is not an array");
	run_fails("hdf5 datasets=/short", &made.bytes,
	    "dataset '/short': attribute 'removed_offset' is not one number");
	run_fails("hdf5 datasets=/long,/short calibrate=no", &made.bytes,
	    "dataset '/short' has 19 elements, but '/long' has 20");
	made.bytes.len -= 100;
	run_fails("hdf5 datasets=/long", &made.bytes, "the file is cut short");
	made.bytes.len = 0;
	run_fails("hdf5 datasets=/long", &made.bytes, "the file is empty");
	test_ok(buf_append(&text, "no file of this kind", 20, &err), &err);
	run_fails("hdf5 datasets=/long", &text,
	    "not a whole HDF5 file: it does not begin as HDF5 files do");
	buf_release(&text);
	made_release(&made);
}

static void test_hdf5_refuses_other_files(void **state)
{
	struct wish wish = { .name = "/far",
		.stored = H5T_STD_U8LE,
		.count = 1,
		.dims = { 10 } };
	const hsize_t dims[] = { 10 };
	const hid_t space = H5Screate_simple(1, dims, NULL);
	const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
	struct made made;

	UNUSED(state);
	made_begin(&made);
	add_dataset(made.file, &wish, NULL);
	H5Pset_external(dcpl, "/etc/hostname", 0, 10);
	H5Dclose(H5Dcreate2(made.file, "/outside", H5T_STD_U8LE, space,
	    H5P_DEFAULT, dcpl, H5P_DEFAULT));
	H5Lcreate_external(
	    made.path, "/far", made.file, "/link", H5P_DEFAULT, H5P_DEFAULT);
	made_end(&made);
	run_fails("hdf5 datasets=/outside", &made.bytes,
	    "dataset '/outside' is stored in other files");
	run_fails("hdf5 datasets=/link", &made.bytes,
	    "there is no dataset '/link': the file has /far, /outside");
	H5Pclose(dcpl);
	H5Sclose(space);
	made_release(&made);
}

static void check_options(const char *words, const char *text)
{
	struct error err = ERROR_INIT;
	struct stepper stepper;

	assert_int_equal(stepper_open(&stepper, words, &file_type, &err), -1);
	assert_int_equal(err.code, ERROR_USAGE);
	test_contains(err.text, text);
	stepper_close(&stepper);
}

static void test_hdf5_checks_its_options(void **state)
{
	UNUSED(state);
	check_options("hdf5", "datasets must be given");
	check_options("hdf5 datasets=a,,b", "got 'a,,b'");
	check_options("hdf5 datasets=a dtype=native", "got 'native'");
	check_options("hdf5 datasets=a dtype=int16",
	    "dtype=int16 is for counts: with calibrate=no");
}

/* ---- any shape, any chunks, any rows ---- */

static void read_pieces(struct hdf5_unpacker *unpacker,
    const struct hdf5_dataset *dataset, struct hdf5_rows rows, void *out)
{
	struct error err = ERROR_INIT;
	struct buf stored = BUF_INIT;
	uint64_t first;
	const uint64_t count = hdf5_chunks(dataset, rows, &first);

	for (uint64_t i = 0; i < count; i++) {
		struct hdf5_chunk chunk = { .number = first + i };

		test_ok(hdf5_locate(dataset, rows, &chunk, &err), &err);
		test_ok(buf_reserve(&stored, chunk.bytes, &err), &err);
		stored.len = chunk.bytes;
		if (chunk.bytes)
			test_ok(
			    medium_read_full(dataset->file->medium,
			        chunk.offset, stored.data, chunk.bytes, &err),
			    &err);
		test_ok(hdf5_unpack(unpacker, dataset, rows, &chunk,
		            buf_span(&stored), out, &err),
		    &err);
	}
	buf_release(&stored);
}

static void check_rows(struct hdf5_unpacker *unpacker,
    const struct hdf5_dataset *dataset, const unsigned char *data,
    struct random *random)
{
	const uint32_t all = (uint32_t)dataset->shape.dims[0];
	const uint32_t first = random_below(random, all);
	const uint32_t count = 1 + random_below(random, all - first);
	const size_t bytes = count * dataset->row_bytes;
	unsigned char *out = malloc(bytes + 1);
	struct error err = ERROR_INIT;

	assert_non_null(out);
	memset(out, 0xa5, bytes + 1);
	read_pieces(unpacker, dataset, (struct hdf5_rows){ first, count }, out);
	assert_memory_equal(out, data + first * dataset->row_bytes, bytes);
	assert_int_equal(out[bytes], 0xa5);
	memset(out, 0xa5, bytes + 1);
	test_ok(hdf5_read(dataset, first, count, out, &err), &err);
	assert_memory_equal(out, data + first * dataset->row_bytes, bytes);
	assert_int_equal(out[bytes], 0xa5);
	free(out);
}

static void check_shape(struct random *random)
{
	static const hid_t *const types[] = { &H5T_STD_U8LE_g, &H5T_STD_I16LE_g,
		&H5T_IEEE_F32LE_g, &H5T_IEEE_F64LE_g };
	struct wish wish = { .name = "x",
		.stored = *types[random_below(random, ARRAY_LEN(types))],
		.count = 1 + random_below(random, 4),
		.shuffle = random_below(random, 2),
		.deflate = random_below(random, 2) };
	struct hdf5_unpacker unpacker = HDF5_UNPACKER_INIT;
	struct hdf5_dataset dataset = HDF5_DATASET_INIT;
	struct hdf5_file file = HDF5_FILE_INIT;
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	struct medium_file *opened;
	size_t bytes = H5Tget_size(wish.stored);
	unsigned char *data;
	struct made made;

	for (unsigned i = 0; i < wish.count; i++) {
		wish.dims[i] = 1 + random_below(random, 12);
		wish.chunk[i] =
		    1 + random_below(random, (uint32_t)wish.dims[i]);
		bytes *= wish.dims[i];
	}
	wish.memory = wish.stored;
	data = malloc(bytes);
	assert_non_null(data);
	random_fill(random, data, bytes);
	made_begin(&made);
	add_dataset(made.file, &wish, data);
	made_end(&made);
	opened = medium_open(medium, made.path, &err);
	assert_non_null(opened);
	test_ok(hdf5_open_medium(&file, opened, &err), &err);
	test_ok(hdf5_dataset_open(&dataset, &file, "x", &err), &err);
	assert_true(dataset.direct && dataset.chunked);
	for (unsigned i = 0; i < 5; i++)
		check_rows(&unpacker, &dataset, data, random);
	hdf5_dataset_close(&dataset);
	hdf5_close(&file);
	medium_close(opened);
	medium_free(medium);
	hdf5_unpacker_release(&unpacker);
	free(data);
	made_release(&made);
}

static void test_hdf5_finds_rows_in_any_chunks(void **state)
{
	struct random random = random_stream(11, 0, 0, 0);

	UNUSED(state);
	for (unsigned i = 0; i < 60; i++)
		check_shape(&random);
}

/* Chunks and rows that were never written are the fill value. */
static void test_hdf5_fills_what_is_not_stored(void **state)
{
	const hsize_t dims[] = { 500 }, chunk[] = { 64 }, from[] = { 64 },
	              count[] = { 64 };
	const hid_t space = H5Screate_simple(1, dims, NULL);
	const hid_t part = H5Screate_simple(1, count, NULL);
	const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
	const int16_t fill = -7;
	int16_t ones[64];
	struct tensor out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct made made;
	hid_t dataset;

	UNUSED(state);
	for (size_t i = 0; i < 64; i++)
		ones[i] = 1;
	made_begin(&made);
	H5Pset_fill_value(dcpl, H5T_NATIVE_INT16, &fill);
	H5Dclose(H5Dcreate2(made.file, "/flat", H5T_STD_I16LE, space,
	    H5P_DEFAULT, dcpl, H5P_DEFAULT));
	H5Pset_chunk(dcpl, 1, chunk);
	H5Pset_shuffle(dcpl);
	H5Pset_deflate(dcpl, 1);
	dataset = H5Dcreate2(made.file, "/chunked", H5T_STD_I16LE, space,
	    H5P_DEFAULT, dcpl, H5P_DEFAULT);
	H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL);
	assert_true(H5Dwrite(dataset, H5T_NATIVE_INT16, part, space,
	                H5P_DEFAULT, ones) >= 0);
	H5Dclose(dataset);
	made_end(&made);
	test_ok(run("hdf5 datasets=/chunked,/flat calibrate=no dtype=int16",
	            buf_span(&made.bytes), &out, &err),
	    &err);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(
		    ((int16_t *)out.data)[i], i >= 64 && i < 128 ? 1 : -7);
	H5Pclose(dcpl);
	H5Sclose(part);
	H5Sclose(space);
	tensor_release(&out);
	made_release(&made);
}

/* ---- conversion ---- */

static void test_calibrate_takes_any_type_and_length(void **state)
{
	const struct calibration how = { 3, 0.125 };
	uint64_t bits[40];
	double wide[40];
	float narrow[40];

	UNUSED(state);
	for (unsigned i = 0; i < 40; i++)
		bits[i] = i * 1000;
	for (size_t n = 0; n <= 40; n++) {
		memset(wide, 0, sizeof(wide));
		memset(narrow, 0, sizeof(narrow));
		calibrate(&how, DTYPE_U64, bits, DTYPE_F64, wide, n);
		calibrate(&how, DTYPE_U64, bits, DTYPE_F32, narrow, n);
		for (unsigned i = 0; i < 40; i++) {
			const double want =
			    i < n ? ((double)i * 1000 - 3) * 0.125 : 0;

			assert_true(wide[i] == want);
			assert_true(narrow[i] == (float)want);
		}
	}
}

/* ---- real and odd files ---- */

static const char *shared(void)
{
	const char *data = getenv("PRESTO_TEST_DATA");

	return data ? data : "../shared/data";
}

/* Every dataset that the message about a missing one names. */
static int try_datasets(const struct buf *bytes, const char *path)
{
	struct tensor out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	char *names, *name, *rest = NULL;
	int read = 0;

	assert_int_equal(
	    run("hdf5 datasets=/no/such/thing", buf_span(bytes), &out, &err),
	    -1);
	names = strstr(err.text, "the file has ");
	if (!names && err.code != ERROR_DATA)
		fail_msg("%s: %s", path, err.text);
	names = names ? strdup(names + 13) : NULL;
	for (name = names ? strtok_r(names, ", ", &rest) : NULL; name;
	     name = strtok_r(NULL, ", ", &rest)) {
		struct error why = ERROR_INIT;
		char words[512];

		if (*name != '/')
			continue;
		snprintf(words, sizeof(words), "hdf5 datasets=%s", name);
		if (run(words, buf_span(bytes), &out, &why) == 0)
			read++;
		else if (why.code != ERROR_DATA || !why.text[0])
			fail_msg("%s: %s: %s", path, words, why.text);
	}
	free(names);
	tensor_release(&out);
	return read;
}

static int try_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct buf file = BUF_INIT;

	UNUSED(bytes);
	UNUSED(err);
	test_read_file(arg, name, &file);
	try_datasets(&file, name);
	for (size_t cut = 1; cut < 8; cut++) {
		const size_t len = file.len;

		file.len = len * cut / 8;
		try_datasets(&file, name);
		file.len = len;
	}
	buf_release(&file);
	return 0;
}

static void test_hdf5_odd_files_do_no_harm(void **state)
{
	char *dir = test_path(shared(), "nilm/hdf5_odd");
	struct error err = ERROR_INIT;

	UNUSED(state);
	if (path_exists(dir))
		test_ok(path_each(dir, try_file, dir, &err), &err);
	free(dir);
}

static void read_attribute(hid_t dataset, const char *name, double *value)
{
	hid_t attribute;

	if (H5Aexists(dataset, name) <= 0)
		return;
	attribute = H5Aopen(dataset, name, H5P_DEFAULT);
	assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, value) >= 0);
	H5Aclose(attribute);
}

/* Against the library, value by value. */
static int try_real(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	char *path = test_path(arg, name);
	const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	const hid_t v = H5Dopen2(file, "/voltage", H5P_DEFAULT);
	struct tensor out = TENSOR_INIT;
	struct buf image = BUF_INIT;
	double factor = 1, offset = 0, *want;
	size_t n;

	UNUSED(bytes);
	assert_true(v >= 0);
	read_attribute(v, "calibration_factor", &factor);
	read_attribute(v, "removed_offset", &offset);
	test_read_file(arg, name, &image);
	test_ok(run("hdf5 datasets=/voltage,/current1", buf_span(&image), &out,
	            err),
	    err);
	n = (size_t)out.shape.dims[1];
	want = malloc(n * sizeof(*want));
	assert_non_null(want);
	assert_true(H5Dread(v, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
	                want) >= 0);
	for (size_t i = 0; i < n; i++)
		assert_true(
		    ((double *)out.data)[i] == (want[i] - offset) * factor);
	free(want);
	H5Dclose(v);
	H5Fclose(file);
	free(path);
	buf_release(&image);
	tensor_release(&out);
	return 0;
}

static void test_hdf5_reads_real_files_as_the_library_does(void **state)
{
	static const char *const folders[] = { "nilm/hdf5/hfhadc",
		"nilm/hdf5/mahfoud", "nilm/hdf5/plaid" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		char *dir = test_path(shared(), folders[i]);
		struct error err = ERROR_INIT;

		if (path_exists(dir))
			test_ok(path_each(dir, try_real, dir, &err), &err);
		free(dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hdf5_gives_calibrated_values),
		cmocka_unit_test(test_hdf5_gives_counts_as_they_are_stored),
		cmocka_unit_test(test_hdf5_takes_the_offset_of_each_period),
		cmocka_unit_test(test_hdf5_refuses_in_words),
		cmocka_unit_test(test_hdf5_refuses_other_files),
		cmocka_unit_test(test_hdf5_checks_its_options),
		cmocka_unit_test(test_hdf5_finds_rows_in_any_chunks),
		cmocka_unit_test(test_hdf5_fills_what_is_not_stored),
		cmocka_unit_test(test_calibrate_takes_any_type_and_length),
		cmocka_unit_test(test_hdf5_odd_files_do_no_harm),
		cmocka_unit_test(
		    test_hdf5_reads_real_files_as_the_library_does),
	};

	H5open(); /* the names of types are variables that this sets */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
