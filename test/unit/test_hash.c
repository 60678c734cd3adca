/* test_hash.c - known answers, equal on every code path. */
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/hash.h"
#include "test/unit/test.h"

enum { SIZE = 4096 };

static void fill(unsigned char *data, size_t len)
{
	uint32_t x = 1;

	for (size_t i = 0; i < len; i++) {
		x = x * 1664525 + 1013904223;
		data[i] = (unsigned char)(x >> 24);
	}
}

static void test_hash_bytes_gives_known_answers(void **state)
{
	UNUSED(state);
	assert_true(hash_bytes("", 0, 0) == UINT64_C(0x2d06800538d394c2));
	assert_true(hash_bytes("abc", 3, 0) == UINT64_C(0x78af5f94892f3950));
	assert_true(hash_bytes("abc", 3, 1) != hash_bytes("abc", 3, 0));
}

static void test_hash_in_pieces_is_the_hash_of_the_whole(void **state)
{
	static const size_t pieces[] = { 1, 7, 64, 257, 1000, SIZE };
	unsigned char data[SIZE];

	UNUSED(state);
	fill(data, sizeof(data));
	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		struct hash_state *hash = hash_new();

		assert_non_null(hash);
		hash_update(hash, NULL, 0);
		for (size_t at = 0; at < SIZE; at += pieces[i]) {
			const size_t rest = SIZE - at;

			hash_update(hash, data + at,
			    rest < pieces[i] ? rest : pieces[i]);
		}
		assert_true(hash_digest(hash) == hash_bytes(data, SIZE, 0));
		hash_free(hash);
	}
	hash_free(NULL);
}

/* RFC 3720, B.4, and the check value of the catalogues. */
static void test_hash_crc32c_gives_known_answers(void **state)
{
	unsigned char zeros[32] = { 0 }, ones[32], up[32];

	UNUSED(state);
	for (unsigned i = 0; i < 32; i++) {
		ones[i] = 0xff;
		up[i] = (unsigned char)i;
	}
	assert_int_equal(hash_crc32c("123456789", 9), 0xe3069283);
	assert_int_equal(hash_crc32c_masked("123456789", 9), 0xc78ab0e5);
	assert_int_equal(hash_crc32c(NULL, 0), 0);
	assert_int_equal(hash_crc32c(zeros, 32), 0x8a9136aa);
	assert_int_equal(hash_crc32c(ones, 32), 0x62a8ab43);
	assert_int_equal(hash_crc32c(up, 32), 0x46dd794e);
}

static void test_hash_crc32c_is_the_same_without_hardware(void **state)
{
	unsigned char data[SIZE + 16];

	UNUSED(state);
	fill(data, sizeof(data));
	assert_int_equal(hash_crc32c_portable("123456789", 9), 0xe3069283);
	for (size_t start = 0; start < 9; start++)
		for (size_t len = 0; len < 70; len++)
			assert_int_equal(hash_crc32c(data + start, len),
			    hash_crc32c_portable(data + start, len));
	assert_int_equal(
	    hash_crc32c(data + 3, SIZE), hash_crc32c_portable(data + 3, SIZE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hash_bytes_gives_known_answers),
		cmocka_unit_test(test_hash_in_pieces_is_the_hash_of_the_whole),
		cmocka_unit_test(test_hash_crc32c_gives_known_answers),
		cmocka_unit_test(test_hash_crc32c_is_the_same_without_hardware),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
