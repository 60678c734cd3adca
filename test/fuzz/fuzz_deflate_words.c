/*
 * fuzz_deflate_words.c - any bytes as an array of numbers through the own
 * parser of deflate, into as much room as the first two bytes say: nothing, or
 * what inflates to them.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/codecs/deflate.h"
#include "lib/codecs/deflate_words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { REPEATS = 64 };

static void require(int truth)
{
	if (!truth)
		abort();
}

/* The input again and again: matches from far, and blocks that are full. */
static struct span repeat(struct buf *to, const uint8_t *data, size_t len)
{
	struct error err = ERROR_INIT;

	to->len = 0;
	for (size_t i = 0; i < REPEATS; i++)
		require(
		    buf_append(to, data, len - i * len / REPEATS, &err) == 0);
	return buf_span(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct deflate_words *words;
	static void *decoder;
	static struct buf all;
	struct error err = ERROR_INIT;
	struct buf back = BUF_INIT;
	unsigned char *out;
	struct span in, frame;
	size_t room;

	if (len < 3)
		return 0;
	if (!words)
		words = deflate_words_new();
	if (!decoder)
		decoder = deflate_new(6, &err);
	require(words && decoder);
	in = data[0] % 2 ? repeat(&all, data + 2, len - 2)
	                 : (struct span){ data + 2, len - 2 };
	room = data[1] < 128 ? 2 * in.len + 1024 : in.len * data[1] / 256;
	out = malloc(room + 1);
	require(out != NULL);
	frame =
	    (struct span){ out, deflate_words_compress(words, in, out, room) };
	require(frame.len <= room && (frame.len > 0 || data[1] >= 128));
	if (frame.len > 0) {
		require(
		    deflate_decode(decoder, frame, in.len, &back, &err) == 0);
		require(span_equal(buf_span(&back), in));
	}
	buf_release(&back);
	free(out);
	return 0;
}
