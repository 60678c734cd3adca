/*
 * fuzz_lines.c - any bytes as lines: each is found, none has a newline, and
 * with their ends they are all the bytes.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/records/lines_scan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct span rest = { .data = data, .len = len }, line;
	size_t at = 0;

	while (lines_next(&rest, &line)) {
		require(line.data == data + at);
		require(!line.len || !memchr(line.data, '\n', line.len));
		at = (size_t)(rest.data - data);
		require(at <= len && at >= line.len);
	}
	require(at == len && !rest.len);
	return 0;
}
