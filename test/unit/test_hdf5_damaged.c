/*
 * test_hdf5_damaged.c - metadata that would crash libhdf5 is an error.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/signal/hdf5.h"
#include "lib/signal/hdf5_writer.h"
#include "test/unit/test.h"

enum { COUNTS = 1000, CHUNK = 250 };

static void make_file(struct buf *file)
{
	static const int16_t counts[COUNTS] = { 1, 2, 3 };
	const struct hdf5_signal signal = {
		.name = "/voltage", .counts = counts, .factor = 1
	};
	struct error err = ERROR_INIT;

	test_ok(hdf5_encode(&signal, 1, COUNTS, CHUNK, file, &err), &err);
}

/*
 * How the dataset is laid out: version 3, chunked, two dimensions (the second
 * is of bytes), where its index is, and the dimensions.
 */
static unsigned char *find_dimension_count(struct buf *file)
{
	static const unsigned char begin[] = { 3, 2, 2 };
	static const unsigned char dims[] = { CHUNK, 0, 0, 0, 2, 0, 0, 0 };
	const size_t at = sizeof(begin) + 8;

	for (size_t i = 0; i + at + sizeof(dims) <= file->len; i++) {
		if (memcmp(file->data + i, begin, sizeof(begin)) != 0 ||
		    memcmp(file->data + i + at, dims, sizeof(dims)) != 0)
			continue;
		return file->data + i + 2;
	}
	fail_msg("the layout was not found");
	return NULL;
}

static int open_voltage(const struct buf *bytes, struct error *err)
{
	struct hdf5_dataset dataset = HDF5_DATASET_INIT;
	struct hdf5_file file = HDF5_FILE_INIT;
	int rc = hdf5_open_bytes(&file, buf_span(bytes), err);

	if (rc == 0)
		rc = hdf5_dataset_open(&dataset, &file, "/voltage", err);
	hdf5_dataset_close(&dataset);
	hdf5_close(&file);
	return rc;
}

/* libhdf5 1.10.8 would divide by 0. */
static void test_hdf5_refuses_chunks_of_other_dimensions(void **state)
{
	struct buf file = BUF_INIT;
	struct error err = ERROR_INIT;
	unsigned char *count;

	UNUSED(state);
	make_file(&file);
	count = find_dimension_count(&file);
	for (unsigned wrong = 0; wrong < 256; wrong++) {
		if (wrong == 2)
			continue;
		*count = (unsigned char)wrong;
		assert_int_equal(open_voltage(&file, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
		test_contains(err.text,
		    "damaged HDF5 metadata (chunks with other dimensions than "
		    "their dataset)");
	}
	*count = 2;
	for (unsigned version = 0; version < 3; version++) {
		count[-2] = (unsigned char)version;
		assert_int_equal(open_voltage(&file, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
	}
	count[-2] = 3;
	test_ok(open_voltage(&file, &err), &err);
	buf_release(&file);
}

/* It would write behind what it allocates, and the C library abort. */
static void test_hdf5_refuses_a_heap_of_all_bytes(void **state)
{
	struct buf file = BUF_INIT;
	struct error err = ERROR_INIT;
	unsigned char *heap = NULL;

	UNUSED(state);
	make_file(&file);
	for (size_t i = 0; i + 16 <= file.len && !heap; i++)
		if (memcmp(file.data + i, "HEAP", 4) == 0)
			heap = file.data + i;
	assert_non_null(heap);
	memset(heap + 8, 0xff, 8);
	assert_int_equal(open_voltage(&file, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "damaged HDF5 metadata (a heap of 2^64 bytes)");
	buf_release(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hdf5_refuses_a_heap_of_all_bytes),
		cmocka_unit_test(test_hdf5_refuses_chunks_of_other_dimensions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
