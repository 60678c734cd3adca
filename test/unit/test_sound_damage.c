/* test_sound_damage.c - damaged recordings, and whole ones with tags. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/sound_file.h"
#include "lib/audio/sound_length.h"
#include "lib/audio/sound_writer.h"
#include "lib/base/array.h"
#include "lib/base/random.h"
#include "test/unit/damage.h"
#include "test/unit/test.h"

enum { FRAMES = 90000, RATE = 16000 };

struct fixture {
	struct damage damage;
	struct tensor whole;
};

static int decode(struct damage *damage)
{
	unsigned rate;

	return sound_decode(damage->decoder, buf_span(&damage->odd),
	    &damage->out, &rate, &damage->err);
}

/* Returns false if this libsndfile cannot write the format. */
static bool make(struct fixture *fixture, enum sound_format kind)
{
	struct damage *damage = &fixture->damage;
	struct random random = random_stream(3, 0, 0, 0);
	int16_t *samples = malloc(FRAMES * sizeof(*samples));
	struct sound sound = { samples, FRAMES, 1, RATE };
	unsigned rate;
	int rc;

	assert_non_null(samples);
	for (size_t i = 0; i < FRAMES; i++)
		samples[i] = (int16_t)(9000 * sin(0.07 * (double)i) +
		                       500 * random_normal(&random));
	damage->file.len = 0;
	rc = sound_write(&sound, kind, &damage->file, &damage->err);
	free(samples);
	if (rc)
		return false;
	test_ok(sound_decode(damage->decoder, buf_span(&damage->file),
	            &fixture->whole, &rate, &damage->err),
	    &damage->err);
	return true;
}

static int setup(void **state)
{
	static const struct pcm_wish wish = { DTYPE_I16, 1, PCM_MOST };
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct damage *damage = &fixture->damage;

	assert_non_null(fixture);
	damage->decode = decode;
	damage->decoder = sound_decoder_new(&wish, &damage->err);
	assert_non_null(damage->decoder);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	sound_decoder_free(fixture->damage.decoder);
	tensor_release(&fixture->whole);
	damage_release(&fixture->damage);
	free(fixture);
	return 0;
}

static void expect_whole(struct fixture *fixture)
{
	struct damage *damage = &fixture->damage;

	damage_is_accepted(damage);
	assert_int_equal(damage->out.bytes, fixture->whole.bytes);
	assert_memory_equal(
	    damage->out.data, fixture->whole.data, fixture->whole.bytes);
}

/* Puts bytes before and behind the file. */
static void wrap(struct fixture *fixture, struct span front, struct span behind)
{
	struct damage *damage = &fixture->damage;

	damage_insert(damage, 0, front);
	test_ok(buf_append(&damage->odd, behind.data, behind.len, &damage->err),
	    &damage->err);
}

/* Removes `len` bytes from `at` on: the file must be refused. */
static void cut(struct damage *damage, size_t at, size_t len, const char *what)
{
	struct buf *odd = &damage->odd;

	damage_copy(damage);
	memmove(odd->data + at, odd->data + at + len, odd->len - at - len);
	odd->len -= len;
	damage_is_refused(damage, what, at);
}

static void check_damage(struct damage *damage, size_t head)
{
	const size_t len = damage->file.len, part = (len - head) / 3;

	damage_fill(damage, head, head + part);
	damage_fill(damage, head + part, head + 2 * part);
	damage_fill(damage, len - part, len);
	damage_fill(damage, len / 2, len);
	cut(damage, head + part, part, "a middle that is missing");
	cut(damage, len / 2, len - len / 2, "a file cut in half");
}

static void test_flac_that_lost_sound_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;

	assert_true(make(fixture, SOUND_WRITE_FLAC));
	check_damage(damage, 4096);
	cut(damage, damage->file.len - 1, 1, "a file without its last byte");
}

/* Without the number of frames, only the MD5 shows what is missing. */
static void test_flac_of_unknown_length_that_is_cut_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;
	unsigned char *info;

	assert_true(make(fixture, SOUND_WRITE_FLAC));
	info = damage->file.data + 8;
	info[13] &= 0xf0;
	memset(info + 14, 0, 4);
	damage_copy(damage);
	expect_whole(fixture);
	for (size_t at = 5000; at + 4 < damage->file.len; at++)
		if (memcmp(damage->file.data + at, "\xff\xf8\xc9", 3) == 0 ||
		    memcmp(damage->file.data + at, "\xff\xf8\xc5", 3) == 0) {
			cut(damage, at, damage->file.len - at,
			    "a file cut behind a frame");
			return;
		}
	skip(); /* this encoder uses another frame size */
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
	struct damage *damage = &fixture->damage;

	if (!make(fixture, SOUND_WRITE_MP3))
		skip();
	if (mpeg_frames_told(buf_span(&damage->file)) == 0)
		skip(); /* this encoder writes no length */
	check_damage(damage, 1024);
	wrap(fixture, span_text(""), (struct span){ behind, sizeof(behind) });
	expect_whole(fixture);
}

static void test_wav_that_is_cut_is_refused(void **state)
{
	static const uint32_t unknown[] = { 0xffffffff, 0x7ffff000,
		0x7fffffff };
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;

	assert_true(make(fixture, SOUND_WRITE_WAV));
	cut(damage, damage->file.len / 2,
	    damage->file.len - damage->file.len / 2, "half of a file");
	assert_string_equal(damage->err.text,
	    "is cut short: has 89978 of 180000 bytes of sound");
	cut(damage, damage->file.len - 2, 2, "a file without its last frame");
	wrap(fixture, span_text(""), span_text("LIST and other chunks"));
	expect_whole(fixture);
	for (size_t i = 0; i < ARRAY_LEN(unknown);
	     i++) { /* as written to pipes */
		damage_copy(damage);
		for (unsigned k = 0; k < 4; k++)
			damage->odd.data[40 + k] =
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
