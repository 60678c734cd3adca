/*
 * fuzz_http.c - any bytes as the headers of an answer: what is read of them
 * agrees with itself, and a range that is accepted is the one asked for.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/media/http/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void check(const struct http_response *response)
{
	const struct http_request request = { .first = 10, .last = 19 };
	struct error err = ERROR_INIT;

	require(response->status >= 0 && response->status < 1000);
	require(response->retry_after_s >= -1);
	if (response->has_range) {
		require(response->first <= response->last);
		require(
		    !response->has_total || response->last < response->total);
	}
	if (answer_check_range(&request, response, &err)) {
		require(err.code == ERROR_DATA && err.text[0]);
		return;
	}
	require(response->has_range && response->first == 10);
	require(response->last <= 19);
	require(response->last == 19 || response->total == response->last + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct http_request request = { .wanted = { "x-a", "x-b" } };
	struct http_response response = HTTP_RESPONSE_INIT;

	while (len > 0) {
		const uint8_t *end = memchr(data, '\n', len);
		const size_t line = end ? (size_t)(end - data) + 1 : len;
		const struct span text = { .data = data, .len = line };

		answer_line(&response, &request, text, 1445412480);
		data += line;
		len -= line;
	}
	check(&response);
	return 0;
}
