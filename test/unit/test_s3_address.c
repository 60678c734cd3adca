/* test_s3_address.c - URLs of buckets and keys, as they are sent and signed. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/s3/address.h"
#include "lib/media/s3/upload.h"
#include "lib/media/s3/upload_state.h"
#include "test/unit/test.h"

static void test_s3_address_parses_buckets_and_keys(void **state)
{
	static const struct {
		const char *url, *bucket, *key;
	} cases[] = {
		{ "s3://photos", "photos", "" },
		{ "s3://photos/", "photos", "" },
		{ "s3://photos/in", "photos", "in" },
		{ "s3://photos/in/a b.jpg", "photos", "in/a b.jpg" },
		{ "s3://a.b-c/x//y", "a.b-c", "x//y" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct s3_address address;

		test_ok(s3_address_parse(cases[i].url, &address, &err), &err);
		assert_string_equal(address.bucket, cases[i].bucket);
		assert_string_equal(address.key, cases[i].key);
	}
}

static void test_s3_address_refuses_names_of_no_bucket(void **state)
{
	static const char *const cases[] = { "s3://", "s3:///key", "s3://ab/x",
		"s3://-abc/x", "s3://a b c/x", "s3://abc@def/x", "s3://abc?x",
		"s3://abc:80/x" };
	struct error err = ERROR_INIT;
	struct s3_address address;
	char url[1200] = "s3://bucket/";

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(
		    s3_address_parse(cases[i], &address, &err), -1);
		assert_int_equal(err.code, ERROR_USAGE);
		test_contains(err.text, "the name of a bucket");
	}
	memset(url + 12, 'k', 1025);
	assert_int_equal(s3_address_parse(url, &address, &err), -1);
	test_contains(err.text, "a key has at most 1024 bytes");
}

static void test_s3_url_is_what_is_signed(void **state)
{
	static const struct {
		const char *endpoint, *region, *url, *wanted;
	} cases[] = {
		{ NULL, "eu-west-1", "s3://photos/a/b.jpg",
		    "https://photos.s3.eu-west-1.amazonaws.com/a/b.jpg" },
		{ NULL, "cn-north-1", "s3://photos/a",
		    "https://photos.s3.cn-north-1.amazonaws.com.cn/a" },
		{ NULL, "us-east-1", "s3://with.dots/a",
		    "https://s3.us-east-1.amazonaws.com/with.dots/a" },
		{ "http://127.0.0.1:9000/", "us-east-1", "s3://photos/a",
		    "http://127.0.0.1:9000/photos/a" },
		{ "http://host/base", "us-east-1", "s3://photos",
		    "http://host/base/photos/" },
		{ "http://h", "x", "s3://photos/a=b +%*~\xc3\xa4(1)",
		    "http://h/photos/a%3Db%20%2B%25%2A~%C3%A4%281%29" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct s3_endpoint endpoint = { .url = cases[i].endpoint };
		struct error err = ERROR_INIT;
		struct s3_address address;
		struct buf url = BUF_INIT;

		strcpy(endpoint.region, cases[i].region);
		test_ok(s3_address_parse(cases[i].url, &address, &err), &err);
		test_ok(s3_url(&endpoint, &address, NULL, &url, &err), &err);
		assert_string_equal((char *)url.data, cases[i].wanted);
		buf_release(&url);
	}
}

static void test_s3_query_is_sorted_and_encoded(void **state)
{
	const struct s3_query query = {
		.pairs = { { "prefix", "a/b c" }, { "list-type", "2" },
		    { "continuation-token", "1/+=" }, { "max-keys", "5" } }
	};
	const struct s3_query uploads = { .pairs = { { "uploads", "" } } };
	const struct s3_endpoint endpoint = { .url = "http://h" };
	struct error err = ERROR_INIT;
	struct s3_address address;
	struct buf url = BUF_INIT;

	(void)state;
	test_ok(s3_address_parse("s3://photos", &address, &err), &err);
	test_ok(s3_url(&endpoint, &address, &query, &url, &err), &err);
	assert_string_equal((char *)url.data,
	    "http://h/photos/?continuation-token=1%2F%2B%3D&list-type=2&"
	    "max-keys=5&prefix=a%2Fb%20c");
	url.len = 0;
	test_ok(s3_url(&endpoint, &address, &uploads, &url, &err), &err);
	assert_string_equal((char *)url.data, "http://h/photos/?uploads=");
	buf_release(&url);
}

static void test_s3_decode_takes_what_encode_makes(void **state)
{
	static const char *const wrong[] = { "a%", "a%2", "a%zz", "a%00b" };
	struct error err = ERROR_INIT;
	char text[] = "in%2Fa+b%2b%C3%a4.jpg";

	(void)state;
	test_ok(s3_decode(text, &err), &err);
	assert_string_equal(text, "in/a b+\xc3\xa4.jpg");
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char copy[16];

		strcpy(copy, wrong[i]);
		assert_int_equal(s3_decode(copy, &err), -1);
		test_contains(err.text, "wrong escape");
	}
}

static void test_s3_region_is_a_word(void **state)
{
	(void)state;
	assert_true(s3_region_is_valid("eu-central-1"));
	assert_false(s3_region_is_valid(""));
	assert_false(s3_region_is_valid("evil.example/"));
	assert_false(s3_region_is_valid("a-region-with-a-very-long-name-1"));
}

static void test_upload_parts_are_enough_for_5_tib(void **state)
{
	const struct upload_limits *limits = &upload_limits_default;
	uint64_t sum = 0;

	(void)state;
	for (unsigned i = 0; i < UPLOAD_PARTS_MOST; i++) {
		const uint64_t bytes = upload_part_bytes(limits, i);

		assert_int_equal(upload_part_offset(limits, i), sum);
		assert_true(bytes >= 5 << 20);
		if (sum < 5ULL << 40)
			assert_true(bytes <= 5ULL << 30);
		sum += bytes;
	}
	assert_true(sum >= 5ULL << 40);
}

static void test_upload_checksum_is_that_of_the_standard(void **state)
{
	char text[CHECKSUM_TEXT];

	(void)state;
	/* RFC 3720 B.4: the CRC-32C of "123456789" is 0xe3069283. */
	upload_checksum(span_text("123456789"), text);
	assert_string_equal(text, "4waSgw==");
	upload_checksum(span_text(""), text);
	assert_string_equal(text, "AAAAAA==");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_s3_address_parses_buckets_and_keys),
		cmocka_unit_test(test_s3_address_refuses_names_of_no_bucket),
		cmocka_unit_test(test_s3_url_is_what_is_signed),
		cmocka_unit_test(test_s3_query_is_sorted_and_encoded),
		cmocka_unit_test(test_s3_decode_takes_what_encode_makes),
		cmocka_unit_test(test_s3_region_is_a_word),
		cmocka_unit_test(test_upload_parts_are_enough_for_5_tib),
		cmocka_unit_test(test_upload_checksum_is_that_of_the_standard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
