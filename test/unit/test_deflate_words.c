/* test_deflate_words.c - what is made of words inflates to them; codes. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/deflate.h"
#include "lib/codecs/deflate_lengths.h"
#include "lib/codecs/deflate_words.h"
#include "test/unit/test.h"

enum { MOST = 1 << 20, ROOM = 2 * MOST };

struct bytes {
	unsigned char in[MOST], packed[ROOM + DEFLATE_FINAL_LEN], out[MOST];
};

/* Inflated by zlib, with a final block behind. */
static void check_inflates(
    struct bytes *bytes, size_t packed, const unsigned char *in, size_t len)
{
	z_stream stream = { .next_in = bytes->packed,
		.avail_in = (unsigned)packed + DEFLATE_FINAL_LEN,
		.next_out = bytes->out,
		.avail_out = MOST };

	assert_true(packed > 0 && packed <= ROOM);
	memcpy(bytes->packed + packed, deflate_final, DEFLATE_FINAL_LEN);
	assert_int_equal(inflateInit2(&stream, -15), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(stream.avail_in, 0);
	assert_int_equal(stream.total_out, len);
	assert_memory_equal(bytes->out, in, len);
	inflateEnd(&stream);
}

/* Numbers of a picture: near the one before, of 256; from `offset` on. */
static void fill_numbers(unsigned char *to, size_t len, size_t offset)
{
	struct random random = random_stream(3, 0, 0, 0);
	unsigned level = 100;

	memset(to, 7, len);
	for (size_t at = offset; at + 4 <= len; at += 4) {
		float x;

		level = (level + random_below(&random, 5) + 254) % 256;
		x = (float)level / 127.5f - 1;
		memcpy(to + at, &x, 4);
	}
}

static void fill_noise(unsigned char *to, size_t len)
{
	struct random random = random_stream(5, 0, 0, 0);

	for (size_t i = 0; i < len; i++)
		to[i] = (unsigned char)random_below(&random, 256);
}

static void test_words_inflate_to_what_they_were(void **state)
{
	struct deflate_words *words = deflate_words_new();
	struct bytes *bytes = malloc(sizeof(*bytes));
	static const size_t lengths[] = { 0, 1, 3, 4, 11, 12, 13, 16, 100, 259,
		4099, 70001, MOST };

	UNUSED(state);
	assert_non_null(words);
	assert_non_null(bytes);
	for (size_t kind = 0; kind < 6; kind++)
		for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
			const size_t len = lengths[i];

			if (kind < 4)
				fill_numbers(bytes->in, len, kind);
			else if (kind == 4)
				fill_noise(bytes->in, len);
			else
				memset(bytes->in, 0, len);
			check_inflates(bytes,
			    deflate_words_compress(words,
			        (struct span){ bytes->in, len }, bytes->packed,
			        ROOM),
			    bytes->in, len);
		}
	free(bytes);
	deflate_words_free(words);
}

static void test_words_say_that_there_is_no_room(void **state)
{
	struct deflate_words *words = deflate_words_new();
	struct bytes *bytes = malloc(sizeof(*bytes));
	const struct span in = { bytes->in, 20000 };
	size_t fits;

	UNUSED(state);
	fill_noise(bytes->in, in.len);
	memset(bytes->packed, 0xee, sizeof(bytes->packed));
	for (size_t room = 0; room < 2000; room++) {
		assert_int_equal(
		    deflate_words_compress(words, in, bytes->packed, room), 0);
		assert_int_equal(bytes->packed[room], 0xee);
	}
	fits = deflate_words_compress(words, in, bytes->packed, ROOM);
	assert_true(fits > in.len);
	free(bytes);
	deflate_words_free(words);
}

static void test_words_count_what_is_new(void **state)
{
	struct deflate_words *words = deflate_words_new();
	struct bytes *bytes = malloc(sizeof(*bytes));
	const struct span in = { bytes->in, 100000 };

	UNUSED(state);
	fill_numbers(bytes->in, in.len, 1);
	deflate_words_compress(words, in, bytes->packed, ROOM);
	assert_true(deflate_words_literals(words) < in.len / 20);
	fill_noise(bytes->in, in.len);
	deflate_words_compress(words, in, bytes->packed, ROOM);
	assert_true(deflate_words_literals(words) > in.len / 10 * 9);
	free(bytes);
	deflate_words_free(words);
}

static size_t packed_len(int level, struct span in)
{
	const struct codec_ops *ops = codec_find("gzip");
	struct buf out = BUF_INIT, back = BUF_INIT;
	struct error err = ERROR_INIT;
	void *coder = ops->state_new(level, &err);
	size_t len;

	assert_non_null(coder);
	test_ok(ops->encode(coder, in, &out, &err), &err);
	test_ok(ops->decode(coder, buf_span(&out), in.len, &back, &err), &err);
	assert_true(span_equal(buf_span(&back), in));
	len = out.len;
	ops->state_free(coder);
	buf_release(&out);
	buf_release(&back);
	return len;
}

static void test_words_are_what_level_6_takes_for_arrays(void **state)
{
	struct deflate_words *words = deflate_words_new();
	struct bytes *bytes = malloc(sizeof(*bytes));
	const struct span in = { bytes->in, MOST };
	size_t len;

	UNUSED(state);
	fill_numbers(bytes->in, MOST, 2);
	len = deflate_words_compress(words, in, bytes->packed, ROOM);
	assert_int_equal(packed_len(5, in), len);
	assert_int_equal(packed_len(6, in), len);
	assert_true((double)len < 1.02 * (double)packed_len(4, in));
	assert_true(packed_len(7, in) != len);
	/* Only what it begins with is an array. */
	fill_noise(bytes->in + MOST / 8, MOST / 8 * 7);
	for (size_t i = MOST / 8; i < MOST; i++)
		bytes->in[i] %= 16;
	len = packed_len(6, in);
	assert_true((double)len < 1.03 * (double)packed_len(7, in));
	free(bytes);
	deflate_words_free(words);
}

/* One coder's frames in a row, of numbers and of noise in turns: their sizes.
 */
static void pack_in_turns(
    struct bytes *bytes, size_t *sizes, unsigned count, unsigned turn)
{
	const struct codec_ops *ops = codec_find("gzip");
	struct buf out = BUF_INIT, back = BUF_INIT;
	struct error err = ERROR_INIT;
	void *coder = ops->state_new(6, &err);

	for (unsigned i = 0; i < count; i++) {
		const size_t at = i / turn % 2 ? MOST / 2 : 0;
		const struct span in = { bytes->in + at, MOST / 2 };

		out.len = back.len = 0;
		test_ok(ops->encode(coder, in, &out, &err), &err);
		test_ok(ops->decode(coder, buf_span(&out), in.len, &back, &err),
		    &err);
		assert_true(span_equal(buf_span(&back), in));
		sizes[i] = out.len;
	}
	ops->state_free(coder);
	buf_release(&out);
	buf_release(&back);
}

/* What won is trusted for some frames: what has changed is found out then. */
static void test_words_are_tried_again_when_data_changes(void **state)
{
	enum { FRAMES = 48 };
	struct bytes *bytes = malloc(sizeof(*bytes));
	size_t sizes[FRAMES], best[2];

	UNUSED(state);
	fill_numbers(bytes->in, MOST / 2, 0);
	fill_noise(bytes->in + MOST / 2, MOST / 2);
	for (size_t i = MOST / 2; i < MOST; i++)
		bytes->in[i] %= 16;
	for (unsigned i = 0; i < 2; i++)
		best[i] = packed_len(
		    6, (struct span){ bytes->in + i * MOST / 2, MOST / 2 });
	pack_in_turns(bytes, sizes, FRAMES, FRAMES / 4);
	for (unsigned i = 0; i < FRAMES; i++) {
		const unsigned turn = FRAMES / 4, which = i / turn % 2;

		assert_true((double)sizes[i] < 1.25 * (double)best[which]);
		if (i % turn == turn - 1)
			assert_int_equal(sizes[i], best[which]);
	}
	/* What changes all the time is not trusted. */
	pack_in_turns(bytes, sizes, FRAMES, 1);
	for (unsigned i = 0; i < FRAMES; i++)
		assert_int_equal(sizes[i], best[i % 2]);
	free(bytes);
}

static void check_code(const uint32_t *often, unsigned count, unsigned most)
{
	uint8_t lengths[LENGTHS_SYMBOLS];
	unsigned sum = 0;

	deflate_lengths(lengths, often, count, most);
	for (unsigned i = 0; i < count; i++) {
		assert_true(lengths[i] <= most);
		assert_true(lengths[i] > 0 || often[i] == 0);
		if (lengths[i])
			sum += 1u << (most - lengths[i]);
		for (unsigned j = 0; j < i; j++)
			if (often[i] > often[j])
				assert_true(
				    lengths[i] <= lengths[j] || !lengths[j]);
	}
	assert_int_equal(sum, 1u << most);
}

static void test_codes_are_whole_and_no_longer_than_the_limit(void **state)
{
	struct random random = random_stream(9, 0, 0, 0);
	uint32_t often[LENGTHS_SYMBOLS] = { 0 };
	uint32_t a = 1, b = 1;

	UNUSED(state);
	check_code(often, 30, 15); /* none is used */
	often[29] = 5;
	check_code(often, 30, 15);
	for (unsigned i = 0; i < 40; i++) { /* as deep as can be */
		often[i] = a;
		a += b;
		b = a - b;
	}
	check_code(often, 40, 15);
	check_code(often, 19, 7);
	for (unsigned round = 0; round < 300; round++) {
		const unsigned count = 2 + random_below(&random, 285);

		for (unsigned i = 0; i < count; i++)
			often[i] =
			    random_below(&random, 3)
			        ? 1u << random_below(&random, 1 + round % 25)
			        : 0;
		check_code(often, count, 15);
		check_code(often, count > 100 ? 100 : count, 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_inflate_to_what_they_were),
		cmocka_unit_test(test_words_say_that_there_is_no_room),
		cmocka_unit_test(test_words_count_what_is_new),
		cmocka_unit_test(test_words_are_what_level_6_takes_for_arrays),
		cmocka_unit_test(test_words_are_tried_again_when_data_changes),
		cmocka_unit_test(
		    test_codes_are_whole_and_no_longer_than_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
