/* test_http.c - what answers say, and what is tried again. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/http/answer.h"
#include "lib/media/http/retry.h"
#include "test/unit/test.h"

/* ---- the rule of retries ---- */

static int64_t wait_of(struct retry retry, double unit)
{
	if (!retry.after_s)
		retry.after_s = -1;
	return retry_wait_ns(&retry, unit);
}

static void test_http_retry_waits_double_and_are_random(void **state)
{
	const double most = 0.999999;

	(void)state;
	for (unsigned tries = 1; tries < RETRY_TRIES; tries++) {
		const int64_t least =
		    wait_of((struct retry){ .tries = tries }, 0);
		const int64_t longest =
		    wait_of((struct retry){ .tries = tries }, most);
		uint64_t bound = RETRY_FIRST_NS << (tries - 1);

		if (bound > RETRY_LONGEST_NS)
			bound = RETRY_LONGEST_NS;
		assert_int_equal(least, 0);
		assert_true(longest > (int64_t)(bound / 10 * 9));
		assert_true(longest <= (int64_t)bound);
	}
}

static void test_http_retry_ends(void **state)
{
	static const struct {
		struct retry retry;
		double unit;
		bool ends;
	} cases[] = {
		{ { .tries = RETRY_TRIES }, 0, true },
		{ { .tries = RETRY_TRIES - 1 }, 0, false },
		/* A host that never answered. */
		{ { .tries = RETRY_FIRST_TRIES, .is_connecting = true }, 0,
		    true },
		{ { .tries = RETRY_FIRST_TRIES,
		      .is_connecting = true,
		      .is_known = true },
		    0, false },
		{ { .tries = RETRY_CONTRADICTED, .is_contradicted = true }, 0,
		    true },
		{ { .tries = RETRY_SLOW, .is_slow = true }, 0, true },
		{ { .tries = RETRY_SLOW }, 0, false },
		/* In time. */
		{ { .tries = 2, .silent_ns = RETRY_TIME_NS }, 0.1, true },
		{ { .tries = 2, .silent_ns = RETRY_TIME_NS / 2 }, 0.1, false },
		/* A server may ask for too long. */
		{ { .tries = 2, .after_s = 39 }, 0, false },
		{ { .tries = 2, .after_s = 40 }, 0, true },
		{ { .tries = 2, .after_s = INT64_MAX }, 0, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if ((wait_of(cases[i].retry, cases[i].unit) < 0) !=
		    cases[i].ends)
			fail_msg("case %zu", i);
}

static void test_http_retry_after_is_kept_to(void **state)
{
	(void)state;
	assert_int_equal(
	    wait_of((struct retry){ .tries = 1, .after_s = 3 }, 0), 3000000000);
}

static void test_http_retry_only_what_may_change(void **state)
{
	static const long repeated[] = { 408, 429, 500, 502, 503, 504 };

	(void)state;
	for (long status = 100; status < 600; status++) {
		bool is = false;

		for (size_t i = 0; i < ARRAY_LEN(repeated); i++)
			is = is || repeated[i] == status;
		assert_int_equal(retry_status(status), is);
	}
}

/* ---- answers ---- */

/* Wed, 21 Oct 2015 07:28:00 GMT */
enum { THEN = 1445412480 };

static struct http_response answer(const char *const *lines)
{
	struct http_response response = HTTP_RESPONSE_INIT;
	const struct http_request request = { .wanted = { "X-Region" } };

	for (size_t i = 0; lines[i]; i++)
		answer_line(&response, &request, span_text(lines[i]), THEN - 9);
	return response;
}

static void test_http_answer_reads_headers(void **state)
{
	static const char *const lines[] = {
		"HTTP/1.1 302 Found\r\n",
		"ETag: \"of the redirect\"\r\n",
		"HTTP/1.1 206 Partial Content\r\n",
		"content-RANGE:  bytes 5-9/100 \r\n",
		"Content-Length: 5\r\n",
		"ETag: \"v1\"\r\n",
		"Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT\r\n",
		"x-region: eu-1\r\n",
		"Content-Encoding: gzip\r\n",
		"Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n",
		"Transfer-Encoding: chunked\r\n",
		"\r\n",
		NULL,
	};
	const struct http_response response = answer(lines);

	(void)state;
	assert_int_equal(response.status, 206);
	assert_true(response.has_range && response.has_total);
	assert_int_equal(response.first, 5);
	assert_int_equal(response.last, 9);
	assert_int_equal(response.total, 100);
	assert_true(response.has_length && response.is_chunked);
	assert_int_equal(response.length, 5);
	assert_string_equal(response.etag, "\"v1\"");
	assert_string_equal(response.wanted[0], "eu-1");
	assert_string_equal(response.encoding, "gzip");
	assert_int_equal(response.retry_after_s, 9);
}

static void test_http_answer_leaves_nonsense_out(void **state)
{
	static const char *const lines[][2] = {
		{ "Content-Range: bytes 9-5/100", NULL },
		{ "Content-Range: bytes 5-100/100", NULL },
		{ "Content-Range: bytes 5-/100", NULL },
		{ "Content-Range: items 5-9/100", NULL },
		{ "Content-Range: bytes 5-9999999999999999999/100", NULL },
		{ "Content-Range: bytes 5-9/100x", NULL },
		{ "Content-Length: 5x", NULL },
		{ "Content-Length: -5", NULL },
		{ "Content-Length: 99999999999999999999", NULL },
		{ "Retry-After: soon", NULL },
		{ "Retry-After: -3", NULL },
		{ "no header", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		const struct http_response response = answer(lines[i]);

		if (response.has_range || response.has_length ||
		    response.retry_after_s != -1)
			fail_msg("%s", lines[i][0]);
	}
}

static void test_http_answer_checks_ranges(void **state)
{
	static const struct {
		const char *range, *length;
		bool is_right;
	} cases[] = {
		{ "Content-Range: bytes 10-19/100", "Content-Length: 10",
		    true },
		{ "Content-Range: bytes 10-19/*", "Content-Length: 10", true },
		/* The object ends there. */
		{ "Content-Range: bytes 10-14/15", "Content-Length: 5", true },
		{ "Content-Range: bytes 10-14/100", "Content-Length: 5",
		    false },
		{ "Content-Range: bytes 10-14/*", "Content-Length: 5", false },
		{ "Content-Range: bytes 11-19/100", "Content-Length: 9",
		    false },
		{ "Content-Range: bytes 10-20/100", "Content-Length: 11",
		    false },
		{ "Content-Range: bytes 10-19/100", "Content-Length: 11",
		    false },
		{ "Content-Length: 10", "Content-Length: 10", false },
	};
	const struct http_request request = { .first = 10, .last = 19 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *const lines[] = { cases[i].range, cases[i].length,
			NULL };
		const struct http_response response = answer(lines);
		struct error err = ERROR_INIT;

		if ((answer_check_range(&request, &response, &err) == 0) !=
		    cases[i].is_right)
			fail_msg("%s: %s", cases[i].range, err.text);
	}
}

/* An ETag of any length tells versions apart, but a cut one is never sent. */
static void test_http_answer_keeps_long_etags_apart(void **state)
{
	char one[300], other[300];
	const char *lines[] = { one, NULL };
	struct http_response first, second;

	(void)state;
	memset(one, 'x', sizeof(one));
	memcpy(one, "ETag: \"", 7);
	memcpy(one + sizeof(one) - 2, "\"", 2);
	first = answer(lines);
	memcpy(other, one, sizeof(one));
	other[200] = 'y';
	lines[0] = other;
	second = answer(lines);
	assert_string_not_equal(first.etag, second.etag);
	assert_int_equal(strncmp(first.etag, "W/", 2), 0);
}

/* What may belong to other bytes as well is weak. */
static void test_http_answer_tells_weak_versions(void **state)
{
#define OCTOBER "Wed, 21 Oct 2015 "
	static const struct {
		const char *lines[4], *version;
	} cases[] = {
		{ { "Date: " OCTOBER "07:28:00 GMT" }, "" },
		{ { "ETag: \"1\"", "Last-Modified: " OCTOBER "07:28:00 GMT",
		      "Date: " OCTOBER "07:28:00 GMT" },
		    "\"1\"" },
		{ { "ETag: W/\"1\"", "Last-Modified: " OCTOBER "07:28:00 GMT",
		      "Date: " OCTOBER "09:28:00 GMT" },
		    "W/\"1\"" },
		{ { "Last-Modified: " OCTOBER "07:28:00 GMT",
		      "Date: " OCTOBER "07:29:00 GMT" },
		    OCTOBER "07:28:00 GMT" },
		{ { "Last-Modified: " OCTOBER "07:28:00 GMT",
		      "Date: " OCTOBER "07:28:59 GMT" },
		    "W/" OCTOBER "07:28:00 GMT" },
		{ { "Last-Modified: " OCTOBER "07:28:00 GMT" },
		    "W/" OCTOBER "07:28:00 GMT" },
		{ { "Last-Modified: yesterday",
		      "Date: " OCTOBER "07:28:59 GMT" },
		    "W/yesterday" },
	};
#undef OCTOBER

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct http_response response = answer(cases[i].lines);
		char version[HTTP_VERSION_TEXT];

		answer_version(&response, version);
		assert_string_equal(version, cases[i].version);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_http_retry_waits_double_and_are_random),
		cmocka_unit_test(test_http_retry_ends),
		cmocka_unit_test(test_http_retry_after_is_kept_to),
		cmocka_unit_test(test_http_retry_only_what_may_change),
		cmocka_unit_test(test_http_answer_reads_headers),
		cmocka_unit_test(test_http_answer_leaves_nonsense_out),
		cmocka_unit_test(test_http_answer_checks_ranges),
		cmocka_unit_test(test_http_answer_keeps_long_etags_apart),
		cmocka_unit_test(test_http_answer_tells_weak_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
