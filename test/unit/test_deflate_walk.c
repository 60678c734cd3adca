/*
 * test_deflate_walk.c - finding the last block of deflate streams, compared
 * with zlib: all kinds of blocks, and invalid streams.
 */
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

#include "lib/base/array.h"
#include "lib/base/random.h"
#include "lib/codecs/deflate/deflate_walk.h"
#include "test/unit/test.h"

enum {
	RAW_WINDOW = -15,
	MEMORY_LEVEL = 8,
	RAW_MOST = 400000,
	ROOM = 500000,
	UNUSED_BITS = 7,
	IN_LAST_BLOCK = 64,
	AT_BLOCK_END = 128,
};

struct setup {
	unsigned char *raw, *stream, *back;
	struct deflate_walk *walk;
};

static int set_up(void **state)
{
	struct setup *s = calloc(1, sizeof(*s));

	s->raw = malloc(RAW_MOST);
	s->stream = malloc(ROOM);
	s->back = malloc(RAW_MOST + 1);
	s->walk = malloc(sizeof(*s->walk));
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct setup *s = *state;

	free(s->raw);
	free(s->stream);
	free(s->back);
	free(s->walk);
	free(s);
	return 0;
}

/* Some bytes of each kind: as in text, in images, in arrays, of no pattern. */
static void fill_text(unsigned char *raw, size_t len)
{
	static const char *const words[] = { "the ", "cat ", "which ", "sat ",
		"on ", "a ", "mat, ", "purred.\n" };
	struct random random = random_stream(1, 0, 0, 0);

	for (size_t at = 0; at < len;) {
		const char *word = words[random_below(&random, 8)];

		for (; *word && at < len; word++)
			raw[at++] = (unsigned char)*word;
	}
}

static void fill_steps(unsigned char *raw, size_t len)
{
	struct random random = random_stream(2, 0, 0, 0);
	unsigned char at = 0;

	for (size_t i = 0; i < len; i++) {
		at = (unsigned char)(at + random_below(&random, 9) - 4);
		raw[i] = at;
	}
}

static void fill_floats(unsigned char *raw, size_t len)
{
	struct random random = random_stream(3, 0, 0, 0);

	for (size_t i = 0; i + sizeof(float) <= len; i += sizeof(float)) {
		const float value = (float)random_below(&random, 256) / 127.5F;

		memcpy(raw + i, &value, sizeof(value));
	}
}

static void fill_noise(unsigned char *raw, size_t len)
{
	struct random random = random_stream(4, 0, 0, 0);

	for (size_t i = 0; i < len; i++)
		raw[i] = (unsigned char)random_below(&random, 256);
}

static void (*const fills[])(unsigned char *raw, size_t len) = { fill_text,
	fill_steps, fill_floats, fill_noise };

static const size_t lengths[] = { 0, 1, 63, 64, 700, 65535, 65536, 200000,
	RAW_MOST };

/* zlib's compressor, in a way; the stream. */
static struct span compress_raw(
    struct setup *s, size_t len, int level, int strategy)
{
	z_stream z = { .next_in = s->raw,
		.avail_in = (uInt)len,
		.next_out = s->stream,
		.avail_out = ROOM };

	assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, RAW_WINDOW,
	                     MEMORY_LEVEL, strategy),
	    Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return (struct span){ s->stream, z.total_out };
}

/* Where zlib finds the last block. */
static struct walked walk_by_zlib(struct setup *s, struct span stream)
{
	z_stream z = { .next_in = stream.data,
		.avail_in = (uInt)stream.len,
		.next_out = s->back,
		.avail_out = RAW_MOST + 1 };
	struct walked walked = { .last = 0 };
	int got;

	assert_int_equal(inflateInit2(&z, RAW_WINDOW), Z_OK);
	while ((got = inflate(&z, Z_BLOCK)) == Z_OK &&
	       z.data_type & AT_BLOCK_END) {
		const uint64_t at = 8 * (uint64_t)z.total_in -
		                    (uint64_t)(z.data_type & UNUSED_BITS);

		if (z.data_type & IN_LAST_BLOCK) {
			walked.end = at;
			break;
		}
		walked.last = at;
	}
	walked.raw = z.total_out;
	inflateEnd(&z);
	return walked;
}

static void check_same(
    const char *what, const struct walked *is, const struct walked *wanted)
{
	if (is->last != wanted->last || is->end != wanted->end ||
	    is->raw != wanted->raw)
		fail_msg("%s: last %zu, end %zu, raw %zu; zlib: %zu, %zu, %zu",
		    what, (size_t)is->last, (size_t)is->end, (size_t)is->raw,
		    (size_t)wanted->last, (size_t)wanted->end,
		    (size_t)wanted->raw);
}

static void check(struct setup *s, size_t len, int level, int strategy)
{
	const struct span stream = compress_raw(s, len, level, strategy);
	const struct span raw = { s->raw, len };
	const struct walked wanted = walk_by_zlib(s, stream);
	struct walked walked;

	assert_int_equal(deflate_walk(s->walk, stream, &walked), 0);
	check_same("walked", &walked, &wanted);
	assert_int_equal(deflate_find_last(s->walk, stream, raw, &walked), 0);
	check_same("found", &walked, &wanted);
	if (len == 0)
		return;
	assert_int_equal(
	    deflate_walk(
	        s->walk, (struct span){ stream.data, stream.len - 1 }, &walked),
	    -1);
	assert_int_equal(deflate_find_last(s->walk, stream,
	                     (struct span){ raw.data, raw.len - 1 }, &walked),
	    -1);
}

static void test_walk_finds_the_last_block_that_zlib_finds(void **state)
{
	static const struct {
		int level, strategy;
	} ways[] = { { 0, Z_DEFAULT_STRATEGY }, { 1, Z_DEFAULT_STRATEGY },
		{ 6, Z_DEFAULT_STRATEGY }, { 9, Z_DEFAULT_STRATEGY },
		{ 6, Z_FIXED }, { 6, Z_HUFFMAN_ONLY }, { 6, Z_RLE } };
	struct setup *s = *state;

	for (size_t f = 0; f < ARRAY_LEN(fills); f++)
		for (size_t l = 0; l < ARRAY_LEN(lengths); l++) {
			fills[f](s->raw, lengths[l]);
			for (size_t w = 0; w < ARRAY_LEN(ways); w++)
				check(s, lengths[l], ways[w].level,
				    ways[w].strategy);
		}
}

/* Whatever the bytes are, the walk ends and stays within them. */
static void test_walk_refuses_what_is_no_stream(void **state)
{
	struct setup *s = *state;
	struct random random = random_stream(5, 0, 0, 0);
	struct walked walked;
	struct span stream;

	assert_int_equal(
	    deflate_walk(s->walk, (struct span){ NULL, 0 }, &walked), -1);
	for (int i = 0; i < 20000; i++) {
		const size_t len = random_below(&random, 200);
		unsigned char *bytes = malloc(len + 1);

		for (size_t b = 0; b < len; b++)
			bytes[b] = (unsigned char)random_below(&random, 256);
		if (deflate_walk(
		        s->walk, (struct span){ bytes, len }, &walked) == 0)
			assert_true(walked.end <= 8 * len);
		free(bytes);
	}
	fill_text(s->raw, 50000);
	stream = compress_raw(s, 50000, 6, Z_DEFAULT_STRATEGY);
	for (int i = 0; i < 2000; i++) {
		unsigned char *at =
		    s->stream + random_below(&random, (uint32_t)stream.len);
		const unsigned char kept = *at;

		*at ^= (unsigned char)(1 + random_below(&random, 255));
		if (deflate_walk(s->walk, stream, &walked) == 0)
			assert_true(walked.end <= 8 * stream.len);
		*at = kept;
	}
	for (size_t len = 0; len < stream.len; len++)
		assert_int_equal(
		    deflate_walk(
		        s->walk, (struct span){ stream.data, len }, &walked),
		    -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_walk_finds_the_last_block_that_zlib_finds, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_walk_refuses_what_is_no_stream, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
