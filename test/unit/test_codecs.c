/* test_codecs.c - rules of codec.h for every codec of the table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/codecs/codec.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "test/unit/test.h"

enum { LARGE = 3 << 20, FRAMES = 5 };

struct fixture {
	struct buf noise, constant, text;
};

static void fill(struct buf *buf, size_t len)
{
	struct error err = ERROR_INIT;

	test_ok(buf_reserve(buf, len, &err), &err);
	buf->len = len;
}

static int setup(void **state)
{
	static struct fixture fixture;
	struct random random = random_stream(1, 2, 3, 4);

	fixture = (struct fixture){ .noise = BUF_INIT };
	fill(&fixture.noise, LARGE);
	random_fill(&random, fixture.noise.data, LARGE);
	fill(&fixture.constant, LARGE);
	memset(fixture.constant.data, 'x', LARGE);
	fill(&fixture.text, LARGE);
	for (size_t i = 0; i < LARGE; i++)
		fixture.text.data[i] =
		    (unsigned char)('a' + (fixture.noise.data[i] & 7));
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	buf_release(&fixture->noise);
	buf_release(&fixture->constant);
	buf_release(&fixture->text);
	return 0;
}

/* Calls for each codec that compresses. */
static void each(void (*check)(const struct codec *, struct fixture *),
    struct fixture *fixture)
{
	for (size_t i = 0; codec_at(i); i++) {
		const struct codec codec = {
			.ops = codec_at(i),
			.level = codec_at(i)->level_default,
		};

		if (codec.ops->encode)
			check(&codec, fixture);
	}
}

static void *new_state(const struct codec *codec)
{
	struct error err = ERROR_INIT;
	void *state;

	if (!codec->ops->state_new)
		return NULL;
	state = codec->ops->state_new(codec->level, &err);
	test_ok(state ? 0 : -1, &err);
	return state;
}

static void free_state(const struct codec *codec, void *state)
{
	if (codec->ops->state_free)
		codec->ops->state_free(state);
}

static void check_round_trip(
    const struct codec *codec, void *state, struct span in)
{
	struct buf packed = BUF_INIT, back = BUF_INIT;
	struct error err = ERROR_INIT;

	test_ok(codec->ops->encode(state, in, &packed, &err), &err);
	assert_true(packed.len > 0);
	assert_true(packed.len <= codec->ops->bound(in.len));
	test_ok(buf_append(&back, "before", 6, &err), &err);
	test_ok(
	    codec->ops->decode(state, buf_span(&packed), in.len, &back, &err),
	    &err);
	assert_int_equal(back.len, 6 + in.len);
	assert_memory_equal(back.data, "before", 6);
	if (in.len)
		assert_memory_equal(back.data + 6, in.data, in.len);
	buf_release(&packed);
	buf_release(&back);
}

static void check_sizes(const struct codec *codec, struct fixture *fixture)
{
	static const size_t sizes[] = { 0, 1, 65536, LARGE };
	const struct buf *contents[] = { &fixture->noise, &fixture->constant,
		&fixture->text };
	void *state = new_state(codec);

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		for (size_t k = 0; k < ARRAY_LEN(contents); k++)
			check_round_trip(codec, state,
			    (struct span){ contents[k]->data, sizes[i] });
	check_round_trip(codec, state, (struct span){ NULL, 0 });
	free_state(codec, state);
	free_state(codec, NULL);
}

static void test_codec_gives_back_what_it_took(void **state)
{
	each(check_sizes, *state);
}

static void check_levels(const struct codec *codec, struct fixture *fixture)
{
	const int levels[] = { codec->ops->level_min, codec->ops->level_max };

	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		const struct codec at = { .ops = codec->ops,
			.level = levels[i] };
		void *state = new_state(&at);

		check_round_trip(
		    &at, state, (struct span){ fixture->text.data, 65536 });
		free_state(codec, state);
	}
}

static void test_codec_works_at_its_lowest_and_highest_level(void **state)
{
	each(check_levels, *state);
}

/* Two runs, two states: the same bytes. */
static void check_repeats(const struct codec *codec, struct fixture *fixture)
{
	const struct span in = { fixture->text.data, 200000 };
	struct buf packed[2] = { BUF_INIT, BUF_INIT };
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < 2; i++) {
		void *state = new_state(codec);

		if (i > 0) { /* what came before leaves no trace */
			test_ok(
			    codec->ops->encode(state, buf_span(&fixture->noise),
			        &packed[i], &err),
			    &err);
			packed[i].len = 0;
		}
		test_ok(codec->ops->encode(state, in, &packed[i], &err), &err);
		free_state(codec, state);
	}
	assert_true(span_equal(buf_span(&packed[0]), buf_span(&packed[1])));
	buf_release(&packed[0]);
	buf_release(&packed[1]);
}

static void test_codec_gives_the_same_bytes_for_the_same_input(void **state)
{
	each(check_repeats, *state);
}

/* A frame of `in` in a buffer of just its size, for the sanitizer. */
static unsigned char *exact_copy(struct span frame)
{
	unsigned char *copy = malloc(frame.len ? frame.len : 1);

	assert_non_null(copy);
	memcpy(copy, frame.data, frame.len);
	return copy;
}

/*
 * What is damaged is ERROR_DATA.  What is flipped may be taken for something
 * else of the same length: the checksum of the shard's block finds that.
 */
static void decode_damaged(const struct codec *codec, void *state,
    struct span frame, struct span wanted, bool finds_all)
{
	struct buf back = BUF_INIT;
	struct error err = ERROR_INIT;

	if (codec->ops->decode(state, frame, wanted.len, &back, &err)) {
		assert_int_equal(err.code, ERROR_DATA);
		assert_int_equal(back.len, 0);
	} else {
		assert_int_equal(back.len, wanted.len);
		if (finds_all)
			assert_true(span_equal(buf_span(&back), wanted));
	}
	buf_release(&back);
}

static void check_damage_of(
    const struct codec *codec, void *state, struct span in)
{
	struct buf packed = BUF_INIT, back = BUF_INIT;
	struct error err = ERROR_INIT;
	size_t step;

	test_ok(codec->ops->encode(state, in, &packed, &err), &err);
	step = packed.len / 150 + 1;
	for (size_t len = 0; len < packed.len; len += step) {
		const struct span cut = { packed.data, len };
		unsigned char *copy = exact_copy(cut);

		decode_damaged(
		    codec, state, (struct span){ copy, len }, in, true);
		free(copy);
	}
	for (size_t at = 0; at < packed.len; at += step) {
		unsigned char *copy = exact_copy(buf_span(&packed));

		copy[at] ^= (unsigned char)(1 << at % 8);
		decode_damaged(
		    codec, state, (struct span){ copy, packed.len }, in, false);
		free(copy);
	}
	/* Of another length than was told. */
	assert_int_equal(codec->ops->decode(
	                     state, buf_span(&packed), in.len + 1, &back, &err),
	    -1);
	buf_release(&back);
	buf_release(&packed);
}

static void check_damage(const struct codec *codec, struct fixture *fixture)
{
	const struct span inputs[] = {
		{ fixture->text.data, 0 },
		{ fixture->text.data, 1 },
		{ fixture->text.data, 5000 },
		{ fixture->noise.data, 5000 },
		{ fixture->constant.data, 300000 },
		{ fixture->text.data, 400000 },
	};
	void *state = new_state(codec);

	for (size_t i = 0; i < ARRAY_LEN(inputs); i++)
		check_damage_of(codec, state, inputs[i]);
	/* It is as good as before. */
	check_round_trip(codec, state, inputs[2]);
	free_state(codec, state);
}

static void test_codec_refuses_what_is_cut_or_flipped(void **state)
{
	each(check_damage, *state);
}

/* A head, some frames and a tail, as a shard has them. */
static void make_stream(const struct codec *codec, struct fixture *fixture,
    struct buf *whole, struct buf *stream)
{
	struct error err = ERROR_INIT;
	void *state = new_state(codec);
	uint32_t sum = codec->ops->sum_start;

	if (codec->ops->head)
		test_ok(codec->ops->head(codec->level, stream, &err), &err);
	for (size_t i = 0; i < FRAMES; i++) {
		const struct buf *from =
		    i % 2 ? &fixture->noise : &fixture->text;
		const struct span in = { from->data + i, i * 70000 };

		test_ok(codec->ops->encode(state, in, stream, &err), &err);
		test_ok(buf_append(whole, in.data, in.len, &err), &err);
		if (codec->ops->sum)
			sum = codec->ops->sum(sum, in);
	}
	if (codec->ops->tail)
		test_ok(codec->ops->tail(sum, whole->len, stream, &err), &err);
	free_state(codec, state);
}

/* Runs the tool that snippets name for this codec (codec_ops.unpack). */
static void check_tool(const struct codec *codec, struct fixture *fixture)
{
	struct buf whole = BUF_INIT, stream = BUF_INIT, got = BUF_INIT;
	struct error err = ERROR_INIT;
	const char *tool = codec->ops->unpack;
	char *dir = test_scratch();
	char *in = test_path(dir, "in"), *out = test_path(dir, "out");
	char command[4096];

	assert_non_null(tool);
	make_stream(codec, fixture, &whole, &stream);
	test_ok(path_write(in, buf_span(&stream), &err), &err);
	snprintf(command, sizeof(command),
	    "command -v %.*s >/dev/null || exit 77; %s <%s >%s",
	    (int)strcspn(tool, " "), tool, tool, in, out);
	switch (system(command)) {
	case 0:
		test_ok(path_read(out, LARGE, &got, &err), &err);
		assert_true(span_equal(buf_span(&got), buf_span(&whole)));
		break;
	case 77 << 8:
		print_message("skipped: no %s\n", tool);
		break;
	default:
		fail_msg("'%s' does not read %s", tool, codec->ops->name);
	}
	free(in);
	free(out);
	test_scratch_remove(dir);
	buf_release(&whole);
	buf_release(&stream);
	buf_release(&got);
}

static void test_codec_makes_one_stream_for_other_tools(void **state)
{
	each(check_tool, *state);
}

static void test_codec_zlib_is_one_stream_for_zlib(void **state)
{
	const struct codec codec = { .ops = codec_find("zlib"), .level = 6 };
	struct buf whole = BUF_INIT, stream = BUF_INIT, got = BUF_INIT;
	uLongf len;

	make_stream(&codec, *state, &whole, &stream);
	assert_int_equal(stream.data[0], 0x78);
	assert_int_equal(stream.data[1], 0x9c);
	fill(&got, whole.len);
	len = whole.len;
	assert_int_equal(
	    uncompress(got.data, &len, stream.data, stream.len), Z_OK);
	assert_int_equal(len, whole.len);
	assert_memory_equal(got.data, whole.data, whole.len);
	buf_release(&whole);
	buf_release(&stream);
	buf_release(&got);
}

/* Inside, deflate takes no more than 64 MiB at once. */
static void test_codec_deflate_takes_more_than_one_piece(void **state)
{
	const struct codec codec = { .ops = codec_find("zlib"), .level = 1 };
	void *coder = new_state(&codec);
	struct buf in = BUF_INIT;

	UNUSED(state);
	fill(&in, (64 << 20) + 1000);
	memset(in.data, 'p', in.len);
	check_round_trip(&codec, coder, buf_span(&in));
	codec.ops->state_free(coder);
	buf_release(&in);
}

static size_t encoded_len(const char *name, int level, struct span in)
{
	const struct codec codec = { .ops = codec_find(name), .level = level };
	void *coder = new_state(&codec);
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	size_t len;

	test_ok(codec.ops->encode(coder, in, &out, &err), &err);
	len = out.len;
	check_round_trip(&codec, coder, in);
	codec.ops->state_free(coder);
	buf_release(&out);
	return len;
}

/* Lazy matches of libdeflate's levels 5 and 6 make floats larger, not smaller.
 */
static void test_codec_deflate_levels_5_and_6_suit_the_data(void **state)
{
	static unsigned char floats[1 << 20], words[1 << 20];

	UNUSED(state);
	for (size_t i = 0; i < sizeof(floats) / 4; i++) {
		const double wave = sin((double)i / 50) + sin((double)i / 7);
		const float x =
		    (float)(int)(60 * wave + (double)(i * i % 7)) / 127.5f;

		memcpy(floats + 4 * i, &x, 4);
	}
	for (size_t i = 0; i < sizeof(words); i++)
		words[i] =
		    (unsigned char)"the quick brown fox"[i * i / 11 % 19];
	for (int level = 5; level <= 6; level++) {
		const struct span in[] = { { floats, sizeof(floats) },
			{ words, sizeof(words) } };

		for (size_t i = 0; i < ARRAY_LEN(in); i++) {
			const size_t len = encoded_len("gzip", level, in[i]);

			assert_true(len <= encoded_len("gzip", 4, in[i]));
			assert_int_equal(
			    len, encoded_len("zlib", level, in[i]));
		}
	}
}

/* Half of it are words when `half`; the rest has 1 byte in 140 to spare. */
static void fill_dense(unsigned char *bytes, size_t len, bool half)
{
	struct random random = random_stream(7, half, 0, 0);

	for (size_t i = 0; i < len; i++)
		bytes[i] = half && i > len / 2
		               ? (unsigned char)"the quick brown fox"[i % 19]
		               : (unsigned char)random_below(&random, 246);
}

/* When the frame before did not become smaller either. */
static void test_codec_deflate_stores_what_stays_as_long(void **state)
{
	enum { LEN = 1 << 20 };
	static unsigned char dense[LEN], mixed[LEN];
	const struct {
		struct span in;
		bool stored;
	} frames[] = {
		{ { dense, LEN }, false },
		{ { dense, LEN }, true },
		{ { mixed, LEN }, false },
		{ { dense, LEN }, false },
		{ { dense, LEN / 32 }, false },
		{ { dense, LEN }, true },
	};
	const struct codec codec = { .ops = codec_find("gzip"), .level = 6 };
	void *coder = new_state(&codec);

	UNUSED(state);
	fill_dense(dense, LEN, false);
	fill_dense(mixed, LEN, true);
	for (size_t i = 0; i < ARRAY_LEN(frames); i++) {
		const struct span in = frames[i].in;
		struct buf out = BUF_INIT, back = BUF_INIT;
		struct error err = ERROR_INIT;

		test_ok(codec.ops->encode(coder, in, &out, &err), &err);
		assert_int_equal(out.len > in.len, frames[i].stored);
		assert_true(out.len < in.len + in.len / 1000);
		assert_true(i != 2 || out.len < in.len / 10 * 6);
		test_ok(codec.ops->decode(
		            coder, buf_span(&out), in.len, &back, &err),
		    &err);
		assert_true(span_equal(buf_span(&back), in));
		buf_release(&out);
		buf_release(&back);
	}
	codec.ops->state_free(coder);
}

/* Every level: the two bytes are a multiple of 31, as RFC 1950 wants. */
static void test_codec_zlib_has_a_valid_head_at_each_level(void **state)
{
	const struct codec_ops *ops = codec_find("zlib");
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (int level = ops->level_min; level <= ops->level_max; level++) {
		struct buf head = BUF_INIT;

		test_ok(ops->head(level, &head, &err), &err);
		assert_int_equal(head.len, 2);
		assert_int_equal(head.data[0], 0x78);
		assert_int_equal((head.data[0] * 256 + head.data[1]) % 31, 0);
		buf_release(&head);
	}
}

static void test_codec_sums_are_those_of_zlib(void **state)
{
	const struct fixture *fixture = *state;
	const struct span bytes = { fixture->noise.data, 100001 };
	const struct codec_ops *zlib = codec_find("zlib");
	const struct codec_ops *gzip = codec_find("gzip");

	assert_int_equal(zlib->sum(zlib->sum_start, bytes),
	    adler32(adler32(0, NULL, 0), bytes.data, (uInt)bytes.len));
	assert_int_equal(gzip->sum(gzip->sum_start, bytes),
	    crc32(crc32(0, NULL, 0), bytes.data, (uInt)bytes.len));
	assert_int_equal(zlib->sum(77, (struct span){ NULL, 0 }), 77);
	assert_int_equal(gzip->sum(77, (struct span){ NULL, 0 }), 77);
}

/* Readers that stop behind the first member get everything. */
static void test_codec_gzip_is_one_member(void **state)
{
	const struct codec codec = { .ops = codec_find("gzip"), .level = 6 };
	struct buf whole = BUF_INIT, stream = BUF_INIT, got = BUF_INIT;
	z_stream inflater = { .next_in = NULL };

	make_stream(&codec, *state, &whole, &stream);
	fill(&got, whole.len + 1);
	assert_int_equal(inflateInit2(&inflater, 15 + 16), Z_OK);
	inflater.next_in = stream.data;
	inflater.avail_in = (uInt)stream.len;
	inflater.next_out = got.data;
	inflater.avail_out = (uInt)got.len;
	assert_int_equal(inflate(&inflater, Z_FINISH), Z_STREAM_END);
	assert_int_equal(inflater.avail_in, 0);
	assert_int_equal(inflater.total_out, whole.len);
	assert_memory_equal(got.data, whole.data, whole.len);
	inflateEnd(&inflater);
	buf_release(&whole);
	buf_release(&stream);
	buf_release(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_codec_gives_back_what_it_took),
		cmocka_unit_test(
		    test_codec_works_at_its_lowest_and_highest_level),
		cmocka_unit_test(
		    test_codec_gives_the_same_bytes_for_the_same_input),
		cmocka_unit_test(test_codec_refuses_what_is_cut_or_flipped),
		cmocka_unit_test(test_codec_makes_one_stream_for_other_tools),
		cmocka_unit_test(test_codec_zlib_is_one_stream_for_zlib),
		cmocka_unit_test(test_codec_deflate_takes_more_than_one_piece),
		cmocka_unit_test(
		    test_codec_deflate_levels_5_and_6_suit_the_data),
		cmocka_unit_test(test_codec_deflate_stores_what_stays_as_long),
		cmocka_unit_test(
		    test_codec_zlib_has_a_valid_head_at_each_level),
		cmocka_unit_test(test_codec_sums_are_those_of_zlib),
		cmocka_unit_test(test_codec_gzip_is_one_member),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
