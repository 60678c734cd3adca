/* test_hdf5_source.c - rows of datasets as samples. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

enum { ROWS = 103, HEIGHT = 5, WIDTH = 7, CHANNELS = 3 };

static unsigned char images[ROWS][HEIGHT][WIDTH][CHANNELS];
static float vectors[ROWS][9];
static int64_t labels[ROWS];

static void add(hid_t file, const char *name, hid_t stored, hid_t memory,
    const hsize_t *dims, const hsize_t *chunk, int rank, const void *data)
{
	const hid_t space = H5Screate_simple(rank, dims, NULL);
	const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
	hid_t dataset;

	if (chunk) {
		H5Pset_chunk(dcpl, rank, chunk);
		H5Pset_shuffle(dcpl);
		H5Pset_deflate(dcpl, 2);
	}
	dataset = H5Dcreate2(
	    file, name, stored, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
	assert_true(dataset >= 0);
	assert_true(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT,
	                data) >= 0);
	H5Dclose(dataset);
	H5Pclose(dcpl);
	H5Sclose(space);
}

/* Chunked, contiguous, and one that only the library reads. */
static void make_file(const char *dir, const char *name)
{
	static const hsize_t image[] = { ROWS, HEIGHT, WIDTH, CHANNELS };
	static const hsize_t image_chunk[] = { 8, 3, WIDTH, 2 };
	static const hsize_t vector[] = { ROWS, 9 }, label[] = { ROWS };
	char *path = test_path(dir, name);
	const hid_t file =
	    H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);

	assert_true(file >= 0);
	for (size_t i = 0; i < sizeof(images); i++)
		((unsigned char *)images)[i] = (unsigned char)(i * 31 >> 3);
	for (size_t i = 0; i < ROWS; i++) {
		labels[i] = (int64_t)i * 7 % 10;
		for (size_t k = 0; k < 9; k++)
			vectors[i][k] = (float)(i * 9 + k) / 4;
	}
	add(file, "/images", H5T_STD_U8LE, H5T_NATIVE_UINT8, image, image_chunk,
	    4, images);
	add(file, "/flat", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, vector, NULL, 2,
	    vectors);
	add(file, "/big", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, vector, NULL, 2,
	    vectors);
	add(file, "/y", H5T_STD_I16LE, H5T_NATIVE_INT64, label, label, 1,
	    labels);
	H5Fclose(file);
	free(path);
}

static void fill_tensor(struct tensor *tensor, enum dtype dtype,
    struct shape shape, const void *data)
{
	tensor_view(tensor, dtype, &shape, data);
}

/* The hash that a sample of this row has. */
static uint64_t hash_of(const struct schema *schema, size_t row)
{
	struct sample sample = { .label = labels[row], .count = 3 };

	fill_tensor(&sample.fields[0], DTYPE_U8,
	    (struct shape){ 3, { HEIGHT, WIDTH, CHANNELS } }, images[row]);
	fill_tensor(&sample.fields[1], DTYPE_F32, (struct shape){ 1, { 9 } },
	    vectors[row]);
	fill_tensor(&sample.fields[2], DTYPE_F32, (struct shape){ 1, { 9 } },
	    vectors[row]);
	return sample_hash(&sample, schema);
}

static const char section[] =
    "source = hdf5\npath = a.h5\n"
    "fields = data:/images,flat:/flat,big:/big\nlabels = /y";

static void check_all(const char *dir, uint64_t limit)
{
	struct opened opened;

	opened_all(&opened, dir, section, limit);
	assert_int_equal(opened.count, limit ? limit : ROWS);
	assert_int_equal(opened.reader->total_samples, ROWS);
	for (size_t i = 0; i < opened.count; i++) {
		const size_t row = limit ? i * ROWS / limit : i;
		char key[32];

		snprintf(key, sizeof(key), "a-%08zu", row);
		assert_string_equal(opened.seen[i].key, key);
		assert_int_equal(opened.seen[i].label, labels[row]);
		assert_true(opened.seen[i].hash ==
		            hash_of(&opened.reader->schema, row));
	}
	assert_true(medium_bytes_read(opened.medium) > 0);
	opened_close(&opened);
}

/* Of some of the rows, the bytes are their share of the files. */
static void check_bytes(const char *dir)
{
	struct opened opened;
	uint64_t all;

	opened_all(&opened, dir, section, 0);
	all = opened.reader->bytes;
	opened_close(&opened);
	assert_true(all > ROWS);
	opened_all(&opened, dir, section, 5);
	assert_int_equal(opened.reader->bytes, all * 5 / ROWS);
	opened_close(&opened);
}

static void test_hdf5_source_gives_each_row(void **state)
{
	char *dir = test_scratch();

	UNUSED(state);
	make_file(dir, "a.h5");
	check_all(dir, 0);
	check_all(dir, 1);
	check_all(dir, 10);
	check_all(dir, 102);
	check_bytes(dir);
	test_scratch_remove(dir);
}

static void test_hdf5_source_takes_folders(void **state)
{
	char *dir = test_scratch();
	struct opened opened;

	UNUSED(state);
	test_write(dir, "b/note.txt", "no");
	make_file(dir, "b/one.h5");
	make_file(dir, "b/two.hdf5");
	opened_all(
	    &opened, dir, "source = hdf5\npath = b\nfields = /images", 0);
	assert_int_equal(opened.count, 2 * ROWS);
	assert_string_equal(opened.seen[ROWS].key, "two-00000000");
	assert_true(opened.seen[0].fields == opened.seen[ROWS].fields);
	opened_close(&opened);
	opened_all(&opened, dir,
	    "source = hdf5\npath = b/{one.h5,two.hdf5}\nfields = /images", 0);
	assert_int_equal(opened.count, 2 * ROWS);
	assert_string_equal(opened.seen[ROWS].key, "two-00000000");
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_hdf5_source_refuses_in_words(void **state)
{
	char *dir = test_scratch();

	UNUSED(state);
	make_file(dir, "a.h5");
	test_write(dir, "c.h5", "no such file");
	opened_fails(dir, "source = hdf5\npath = a.h5",
	    "fields must be given: data:/images, or /images");
	opened_fails(dir, "source = hdf5\npath = a.h5\nfields = /x",
	    "there is no dataset '/x': the file has /big, /flat, /images, /y");
	opened_fails(dir,
	    "source = hdf5\npath = a.h5\nfields = /flat\nlabels = /big",
	    "'/big' must be whole numbers, one for each of 103 rows");
	opened_fails(dir, "source = hdf5\npath = c.h5\nfields = /x",
	    "not a whole HDF5 file: it does not begin as HDF5 files do");
	opened_fails(dir, "source = hdf5\npath = d.h5\nfields = /x",
	    "no such file or folder");
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hdf5_source_gives_each_row),
		cmocka_unit_test(test_hdf5_source_takes_folders),
		cmocka_unit_test(test_hdf5_source_refuses_in_words),
	};

	H5open();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
