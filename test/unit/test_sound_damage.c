/* test_sound_damage.c - recordings that lost sound, and such as have tags. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/sound_file.h"
#include "lib/audio/sound_length.h"
#include "lib/audio/sound_writer.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "test/unit/test.h"

enum { FRAMES = 90000, RATE = 16000 };

struct fixture {
	struct sound_decoder *decoder;
	struct tensor whole, out;
	struct buf file, odd;
	struct error err;
};

/* false: this libsndfile cannot write it. */
static bool make(struct fixture *fixture, enum sound_format kind)
{
	struct random random = random_stream(3, 0, 0, 0);
	int16_t *samples = malloc(FRAMES * sizeof(*samples));
	struct sound sound = { samples, FRAMES, 1, RATE };
	unsigned rate;
	int rc;

	assert_non_null(samples);
	for (size_t i = 0; i < FRAMES; i++)
		samples[i] = (int16_t)(9000 * sin(0.07 * (double)i) +
		                       500 * random_normal(&random));
	fixture->file.len = 0;
	rc = sound_write(&sound, kind, &fixture->file, &fixture->err);
	free(samples);
	if (rc)
		return false;
	test_ok(sound_decode(fixture->decoder, buf_span(&fixture->file),
	            &fixture->whole, &rate, &fixture->err),
	    &fixture->err);
	return true;
}

static int setup(void **state)
{
	static const struct pcm_wish wish = { DTYPE_I16, 1, PCM_MOST };
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	fixture->decoder = sound_decoder_new(&wish, &fixture->err);
	assert_non_null(fixture->decoder);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	sound_decoder_free(fixture->decoder);
	tensor_release(&fixture->whole);
	tensor_release(&fixture->out);
	buf_release(&fixture->file);
	buf_release(&fixture->odd);
	free(fixture);
	return 0;
}

static int decode(struct fixture *fixture, const struct buf *file)
{
	unsigned rate;

	return sound_decode(fixture->decoder, buf_span(file), &fixture->out,
	    &rate, &fixture->err);
}

static void expect_damage(struct fixture *fixture, const char *what)
{
	if (decode(fixture, &fixture->odd) == 0)
		fail_msg("%s is accepted", what);
	assert_int_equal(fixture->err.code, ERROR_DATA);
}

static void expect_whole(struct fixture *fixture)
{
	test_ok(decode(fixture, &fixture->odd), &fixture->err);
	assert_int_equal(fixture->out.bytes, fixture->whole.bytes);
	assert_memory_equal(
	    fixture->out.data, fixture->whole.data, fixture->whole.bytes);
}

/* The file between what is put in front and behind. */
static void wrap(struct fixture *fixture, struct span front, struct span behind)
{
	struct buf *odd = &fixture->odd;
	struct error *err = &fixture->err;

	odd->len = 0;
	test_ok(buf_append(odd, front.data, front.len, err), err);
	test_ok(
	    buf_append(odd, fixture->file.data, fixture->file.len, err), err);
	test_ok(buf_append(odd, behind.data, behind.len, err), err);
}

/* `len` bytes from `at` on become zeros, or are left out. */
static void spoil(struct fixture *fixture, size_t at, size_t len, bool is_cut)
{
	struct buf *odd = &fixture->odd;

	wrap(fixture, span_text(""), span_text(""));
	if (!is_cut) {
		memset(odd->data + at, 0, len);
		return;
	}
	memmove(odd->data + at, odd->data + at + len, odd->len - at - len);
	odd->len -= len;
}

static void check_damage(struct fixture *fixture, size_t head)
{
	const size_t len = fixture->file.len, part = (len - head) / 3;

	spoil(fixture, head, part, false);
	expect_damage(fixture, "a start of zeros");
	spoil(fixture, head + part, part, false);
	expect_damage(fixture, "a middle of zeros");
	spoil(fixture, len - part, part, false);
	expect_damage(fixture, "an end of zeros");
	spoil(fixture, len / 2, len - len / 2, false);
	expect_damage(fixture, "a second half of zeros");
	spoil(fixture, head + part, part, true);
	expect_damage(fixture, "a middle that is missing");
	spoil(fixture, len / 2, len - len / 2, true);
	expect_damage(fixture, "a file cut in half");
}

static void test_flac_that_lost_sound_is_refused(void **state)
{
	struct fixture *fixture = *state;

	assert_true(make(fixture, SOUND_WRITE_FLAC));
	check_damage(fixture, 4096);
	spoil(fixture, fixture->file.len - 1, 1, true);
	expect_damage(fixture, "a file without its last byte");
}

/* The number of frames is not told: what is missing shows in the MD5. */
static void test_flac_of_unknown_length_that_is_cut_is_refused(void **state)
{
	struct fixture *fixture = *state;
	unsigned char *info;

	assert_true(make(fixture, SOUND_WRITE_FLAC));
	info = fixture->file.data + 8;
	info[13] &= 0xf0;
	memset(info + 14, 0, 4);
	wrap(fixture, span_text(""), span_text(""));
	expect_whole(fixture);
	for (size_t at = 5000; at + 4 < fixture->file.len; at++)
		if (memcmp(fixture->file.data + at, "\xff\xf8\xc9", 3) == 0 ||
		    memcmp(fixture->file.data + at, "\xff\xf8\xc5", 3) == 0) {
			spoil(fixture, at, fixture->file.len - at, true);
			expect_damage(fixture, "a file cut behind a frame");
			return;
		}
	skip(); /* frames of another size than is looked for */
}

static void test_flac_with_tags_of_mp3_is_whole(void **state)
{
	static const unsigned char front[] = { 'I', 'D', '3', 3, 0, 0, 0, 0, 0,
		8, 'T', 'A', 'G', 0, 0, 0, 0, 0 };
	static const unsigned char behind[128] = { 'T', 'A', 'G', 'a' };
	const struct span id3v2 = { front, sizeof(front) };
	const struct span id3v1 = { behind, sizeof(behind) };
	const struct span none = { NULL, 0 };
	struct fixture *fixture = *state;

	assert_true(make(fixture, SOUND_WRITE_FLAC));
	wrap(fixture, none, id3v1);
	expect_whole(fixture);
	wrap(fixture, id3v2, none);
	expect_whole(fixture);
	wrap(fixture, id3v2, id3v1);
	expect_whole(fixture);
	wrap(fixture, none, span_text("APETAGEX and whatever else there is"));
	expect_whole(fixture);
}

static void test_mp3_that_lost_frames_is_refused(void **state)
{
	static const unsigned char behind[128] = { 'T', 'A', 'G', 'a' };
	struct fixture *fixture = *state;

	if (!make(fixture, SOUND_WRITE_MP3))
		skip();
	if (mpeg_frames_told(buf_span(&fixture->file)) == 0)
		skip(); /* it was written without */
	check_damage(fixture, 1024);
	wrap(fixture, span_text(""), (struct span){ behind, sizeof(behind) });
	expect_whole(fixture);
}

static void test_wav_that_is_cut_is_refused(void **state)
{
	static const uint32_t unknown[] = { 0xffffffff, 0x7ffff000,
		0x7fffffff };
	struct fixture *fixture = *state;

	assert_true(make(fixture, SOUND_WRITE_WAV));
	spoil(fixture, fixture->file.len / 2,
	    fixture->file.len - fixture->file.len / 2, true);
	expect_damage(fixture, "half of a file");
	assert_string_equal(fixture->err.text,
	    "is cut short: has 89978 of 180000 bytes of sound");
	spoil(fixture, fixture->file.len - 2, 2, true);
	expect_damage(fixture, "a file without its last frame");
	wrap(fixture, span_text(""), span_text("LIST and other chunks"));
	expect_whole(fixture);
	for (size_t i = 0; i < ARRAY_LEN(unknown); i++) { /* as pipes have it */
		wrap(fixture, span_text(""), span_text(""));
		for (unsigned k = 0; k < 4; k++)
			fixture->odd.data[40 + k] =
			    (unsigned char)(unknown[i] >> 8 * k);
		expect_whole(fixture);
	}
}

int main(void)
{
#define WITH_DECODER(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_DECODER(test_flac_that_lost_sound_is_refused),
		WITH_DECODER(
		    test_flac_of_unknown_length_that_is_cut_is_refused),
		WITH_DECODER(test_flac_with_tags_of_mp3_is_whole),
		WITH_DECODER(test_mp3_that_lost_frames_is_refused),
		WITH_DECODER(test_wav_that_is_cut_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
