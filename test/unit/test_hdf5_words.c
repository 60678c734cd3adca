/*
 * test_hdf5_words.c - damaged HDF5 metadata is reported in plain words, and
 * leaks no memory.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/signal/hdf5.h"
#include "lib/signal/hdf5_header.h"
#include "lib/signal/hdf5_words.h"
#include "test/unit/test.h"

static void test_hdf5_words_have_no_addresses(void **state)
{
	static const struct {
		const char *message, *words;
	} cases[] = {
		{ "truncated file: eof = 193104, sblock->base_addr = 0, "
		  "stored_eof = 386208",
		    "the file is cut short" },
		{ "incorrect metadata checksum after all read attempts",
		    "its metadata is damaged (a checksum)" },
		{ "unable to load v2 B-tree header, address = 18446744",
		    "libhdf5 cannot read it (unable to load v)" },
		{ "can't do it: 0x7f3338a8d9c9",
		    "libhdf5 cannot read it (can't do it)" },
		{ "", "libhdf5 cannot read it ()" },
		{ NULL, "libhdf5 does not say why" },
	};
	char words[HDF5_WORDS], longest[1000];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(
		    hdf5_words(cases[i].message, words), cases[i].words);
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_true(strlen(hdf5_words(longest, words)) < HDF5_WORDS);
}

/* Of the author of the function. */
static void test_hdf5_checksum_is_lookup3(void **state)
{
	UNUSED(state);
	assert_int_equal(hdf5_checksum(span_text("")), 0xdeadbeef);
	assert_int_equal(
	    hdf5_checksum(span_text("Four score and seven years ago")),
	    0x17770551);
}

static void test_hdf5_header_is_looked_at(void **state)
{
	unsigned char header[60] = { 'O', 'H', 'D', 'R', 2, 0x30 };
	const struct span all = { header, sizeof(header) };
	const size_t summed = sizeof(header) - 4;
	uint32_t sum;

	UNUSED(state);
	header[26] = (unsigned char)(summed - 27);
	sum = hdf5_checksum((struct span){ header, summed });
	for (unsigned i = 0; i < 4; i++)
		header[summed + i] = (unsigned char)(sum >> 8 * i);
	assert_int_equal(hdf5_header_bytes(all), sizeof(header));
	assert_true(hdf5_header_is_whole(all));
	for (size_t bit = 0; bit < 8 * sizeof(header); bit++) {
		header[bit / 8] ^= (unsigned char)(1 << bit % 8);
		assert_false(hdf5_header_is_whole(all));
		header[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	for (size_t len = 0; len < 27; len++)
		assert_int_equal(
		    hdf5_header_bytes((struct span){ header, len }), 0);
	header[5] |= 3; /* 8 bytes of size */
	memset(header + 26, 0xff, 8);
	assert_true(hdf5_header_bytes(all) > sizeof(header));
	header[4] = 1;
	assert_int_equal(hdf5_header_bytes(all), 0);
}

/* ---- real files, where there are some ---- */

static size_t heap_bytes(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
	return mallinfo2().uordblks;
#else
	return 0;
#endif
}

static void open_damaged(struct buf *bytes, size_t at)
{
	struct hdf5_dataset dataset = HDF5_DATASET_INIT;
	struct hdf5_file file = HDF5_FILE_INIT;
	struct error err = ERROR_INIT;

	bytes->data[at] ^= 0x40;
	if (hdf5_open_bytes(&file, buf_span(bytes), &err) == 0)
		hdf5_dataset_open(&dataset, &file, "/voltage", &err);
	bytes->data[at] ^= 0x40;
	assert_null(strstr(err.text, "addr"));
	assert_null(strstr(err.text, "0x"));
	hdf5_dataset_close(&dataset);
	hdf5_close(&file);
}

static void test_hdf5_of_damaged_headers_leaks_nothing(void **state)
{
	enum { ROUNDS = 40, KEPT = 16000 };
	const char *data = getenv("PRESTO_TEST_DATA");
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;
	size_t before = 0, headers = 0;
	char path[512];

	UNUSED(state);
	snprintf(path, sizeof(path),
	    "%s/nilm/hdf5/hfhadc/rice_cooker_6400Hz_60s.hdf5",
	    data ? data : "../shared/data");
	if (!path_exists(path))
		skip();
	test_ok(path_read(path, 1 << 30, &bytes, &err), &err);
	for (unsigned round = 0; round < ROUNDS; round++) {
		if (round == 2) /* what libhdf5 keeps is there */
			before = heap_bytes();
		for (size_t at = 0; at + 12 < bytes.len; at++)
			if (memcmp(bytes.data + at, "OHDR", 4) == 0) {
				open_damaged(&bytes, at + 11);
				headers++;
			}
	}
	assert_true(headers >= 2 * ROUNDS);
	assert_in_range(heap_bytes(), 0, before + KEPT);
	buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hdf5_words_have_no_addresses),
		cmocka_unit_test(test_hdf5_checksum_is_lookup3),
		cmocka_unit_test(test_hdf5_header_is_looked_at),
		cmocka_unit_test(test_hdf5_of_damaged_headers_leaks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
