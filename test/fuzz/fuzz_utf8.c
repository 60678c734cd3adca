/*
 * fuzz_utf8.c - any bytes as UTF-8: what is good stays, what is replaced is
 * good, code points are written as they were read.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

/* Bytes in front of the first mistake, one code point after another. */
static size_t good_bytes(const uint8_t *data, size_t len)
{
	size_t at = 0;

	while (at < len) {
		unsigned char again[UTF8_BYTES];
		unsigned bytes;
		const int32_t code = utf8_decode(data + at, data + len, &bytes);

		require(bytes >= 1 && bytes <= len - at);
		if (code == UTF8_BAD)
			break;
		require(utf8_encode((uint32_t)code, again) == bytes);
		require(memcmp(again, data + at, bytes) == 0);
		at += bytes;
	}
	return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct span text = { .data = data, .len = len };
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	const size_t good = good_bytes(data, len);

	require(utf8_valid(text) == good);
	require(utf8_ascii(text) <= good);
	require(utf8_append(&out, text, &err) == 0);
	require(utf8_valid(buf_span(&out)) == out.len);
	require(out.len >= good);
	require(!good || memcmp(out.data, data, good) == 0);
	require((out.len == len && good == len) || good < len);
	buf_release(&out);
	return 0;
}
