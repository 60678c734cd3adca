/*
 * test_hdf5_damaged.c - metadata that crashes libhdf5 is an error.  It needs a
 * program of its own, since libhdf5 cannot be used afterwards.
 *
 * In a build with a sanitizer, tests that cause faults are skipped: there the
 * guard is off, so that the sanitizer reports every fault.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/signal/fault_guard.h"
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
static void clear_dimension_count(struct buf *file)
{
	static const unsigned char begin[] = { 3, 2, 2 };
	static const unsigned char dims[] = { CHUNK, 0, 0, 0, 2, 0, 0, 0 };
	const size_t at = sizeof(begin) + 8;

	for (size_t i = 0; i + at + sizeof(dims) <= file->len; i++) {
		if (memcmp(file->data + i, begin, sizeof(begin)) != 0 ||
		    memcmp(file->data + i + at, dims, sizeof(dims)) != 0)
			continue;
		file->data[i + 2] = 0;
		return;
	}
	fail_msg("the layout was not found");
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

struct later {
	const struct buf *file;
	struct error err;
	int rc;
};

static void *open_later(void *arg)
{
	struct later *later = arg;

	later->rc = open_voltage(later->file, &later->err);
	return NULL;
}

/* libhdf5 may hold a lock of its own: nobody waits for it. */
static void check_later(const struct buf *file)
{
	struct later later = { .file = file, .err = ERROR_INIT };
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, open_later, &later), 0);
	pthread_join(thread, NULL);
	assert_int_equal(later.rc, -1);
	assert_int_equal(later.err.code, ERROR_SYSTEM);
	test_contains(later.err.text,
	    "an earlier file with damaged HDF5 metadata stopped libhdf5");
}

static void test_hdf5_tells_of_damage_that_stops_the_library(void **state)
{
	struct buf good = BUF_INIT, bad = BUF_INIT;
	struct sigaction before, after;
	struct error err = ERROR_INIT;

	UNUSED(state);
	if (!fault_guard_works())
		skip();
	make_file(&good);
	make_file(&bad);
	clear_dimension_count(&bad);
	test_ok(open_voltage(&good, &err), &err);
	sigaction(SIGFPE, NULL, &before);
	assert_int_equal(open_voltage(&bad, &err), -1);
	sigaction(SIGFPE, NULL, &after);
	assert_true(before.sa_handler == after.sa_handler);
	/* A libhdf5 that checks it says so, and is not broken. */
	if (strstr(err.text, "libhdf5 stopped with")) {
		assert_int_equal(err.code, ERROR_SYSTEM);
		test_contains(err.text,
		    "damaged HDF5 metadata (libhdf5 stopped with SIGFPE); "
		    "such a file cannot be skipped");
		check_later(&good);
	} else {
		assert_int_equal(err.code, ERROR_DATA);
		test_ok(open_voltage(&good, &err), &err);
	}
	buf_release(&bad);
	buf_release(&good);
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

/* ---- the guard ---- */

static int calls;

static void work_well(void *arg)
{
	calls += *(const int *)arg;
}

static void *volatile nowhere;

static void write_nowhere(void *arg)
{
	memcpy(nowhere, arg, sizeof(int));
}

static unsigned overflow_stack(volatile unsigned *depth)
{
	volatile unsigned char room[4096];

	room[0] = (unsigned char)*depth;
	++*depth;
	return *depth ? overflow_stack(depth) + room[0] : 0;
}

static void recurse(void *arg)
{
	overflow_stack(arg);
}

static void test_fault_guard_comes_back_each_time(void **state)
{
	unsigned depth = 0;
	int one = 1;

	UNUSED(state);
	if (!fault_guard_works())
		skip();
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(fault_guard(work_well, &one), 0);
		assert_int_equal(fault_guard(write_nowhere, &one), SIGSEGV);
		assert_int_equal(fault_guard(recurse, &depth), SIGSEGV);
	}
	assert_int_equal(calls, 3);
	assert_string_equal(fault_name(SIGBUS), "SIGBUS");
}

static volatile sig_atomic_t seen;

static void note_signal(int number)
{
	seen = number;
}

static void send_fault(void *arg)
{
	UNUSED(arg);
	raise(SIGFPE);
}

static void test_fault_guard_passes_on_what_was_sent(void **state)
{
	const struct sigaction ours = { .sa_handler = note_signal };
	struct sigaction before;

	UNUSED(state);
	sigaction(SIGFPE, &ours, &before);
	assert_int_equal(fault_guard(send_fault, NULL), 0);
	assert_int_equal(seen, SIGFPE);
	sigaction(SIGFPE, &before, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fault_guard_comes_back_each_time),
		cmocka_unit_test(test_fault_guard_passes_on_what_was_sent),
		cmocka_unit_test(test_hdf5_refuses_a_heap_of_all_bytes),
		cmocka_unit_test(
		    test_hdf5_tells_of_damage_that_stops_the_library),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
