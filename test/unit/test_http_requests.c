/* test_http_requests.c - requests to a server on the loopback that is odd. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/media/http/request.h"
#include "lib/media/http/retry.h"
#include "lib/media/medium.h"
#include "test/unit/http_host.h"
#include "test/unit/test.h"

enum { DRIP_NS = 50000000 };

/* A good beginning, and then a byte now and then. */
static bool answer_drips(void *arg, const struct http_ask *ask)
{
	bool is_there = host_say(
	    ask->socket, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");

	UNUSED(arg);
	while (is_there) {
		clock_sleep_until(clock_now(&clock_monotonic) + DRIP_NS);
		is_there = host_send(ask->socket, "x", 1);
	}
	return false;
}

/* The status, and then a header now and then. */
static bool answer_drips_headers(void *arg, const struct http_ask *ask)
{
	bool is_there = host_say(ask->socket, "HTTP/1.1 200 OK\r\n");

	UNUSED(arg);
	while (is_there) {
		clock_sleep_until(clock_now(&clock_monotonic) + DRIP_NS);
		is_there = host_say(ask->socket, "X-Header: more\r\n");
	}
	return false;
}

/* A drip holds a reader for the longest wait, twice, and no longer. */
static void test_http_requests_give_up_a_drip(void **state)
{
	static const struct {
		const char *method;
		http_answer *answer;
	} cases[] = {
		{ "GET", answer_drips },
		{ "GET", answer_drips_headers },
		{ "POST", answer_drips },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct http_host host;
		struct error err = ERROR_INIT;
		struct http_pool *pool = http_pool_new(NULL, &err);
		struct http_request request = { .method = cases[i].method,
			.url = host.url,
			.retries = true,
			.answer_ms = 1000 };
		struct http_response response = HTTP_RESPONSE_INIT;

		http_host_start(&host, cases[i].answer, NULL);
		assert_int_equal(
		    http_perform(pool, &request, &response, &err), -1);
		assert_int_equal(err.code, ERROR_SYSTEM);
		test_contains(err.text, host.url);
		test_contains(err.text, "too slow");
		test_contains(err.text, "tried 2 times");
		assert_int_equal(atomic_load(&host.asked), RETRY_SLOW);
		http_response_release(&response);
		http_pool_free(pool);
		http_host_stop(&host);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_http_requests_give_up_a_drip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
