/* test_resample.c - changing sample rates: length, tones, and errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/rate.h"
#include "lib/audio/resampler.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

static const double turn = 6.283185307179586;

struct fixture {
	struct stepper stepper;
	struct sample in, out;
	struct error err;
};

static struct schema sounds(enum dtype dtype, int64_t channels, bool has_rate)
{
	struct type type = { .dtype = dtype, .shape = { 1, { -1 } } };
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	unsigned field;

	if (channels) {
		type.shape.count = 2;
		type.shape.dims[1] = channels;
	}
	test_ok(schema_add(&schema, "data", &type, &err), &err);
	if (has_rate)
		test_ok(audio_rate_add(&schema, &field, &err), &err);
	return schema;
}

static void fixture_open(
    struct fixture *fixture, const char *words, const struct schema *schema)
{
	*fixture = (struct fixture){ .in = { .count = schema->count } };
	test_ok(stepper_open_sample(
	            &fixture->stepper, words, schema, 1, &fixture->err),
	    &fixture->err);
}

/* A tone of `hertz` in each channel, channel c of c + 1 times that. */
static void set_tone(struct fixture *fixture, enum dtype dtype, size_t frames,
    unsigned channels, unsigned rate)
{
	struct shape shape = { 1, { (int64_t)frames } };
	struct tensor *tensor = &fixture->in.fields[0];
	const bool is_plain =
	    fixture->stepper.schema.fields[0].type.shape.count == 1;

	if (!is_plain)
		shape = (struct shape){ 2, { (int64_t)frames, channels } };
	test_ok(tensor_reshape(tensor, dtype, &shape, &fixture->err),
	    &fixture->err);
	for (size_t i = 0; i < frames * channels; i++) {
		const double t = (double)(i / channels) / rate;
		const double x =
		    0.5 * sin(turn * 440 * (double)(1 + i % channels) * t);

		if (dtype == DTYPE_I16)
			((int16_t *)tensor->data)[i] =
			    (int16_t)lrint(x * 32768);
		else
			((float *)tensor->data)[i] = (float)x;
	}
	if (fixture->in.count > 1)
		test_ok(
		    audio_rate_set(&fixture->in.fields[1], rate, &fixture->err),
		    &fixture->err);
}

static void make(struct fixture *fixture)
{
	test_ok(stepper_make(&fixture->stepper, 1, &fixture->in, 0,
	            &fixture->out, &fixture->err),
	    &fixture->err);
}

static void fixture_close(struct fixture *fixture)
{
	stepper_close(&fixture->stepper);
	sample_release(&fixture->in);
	sample_release(&fixture->out);
}

static double value_at(const struct tensor *tensor, size_t i)
{
	return tensor->dtype == DTYPE_I16
	           ? ((const int16_t *)tensor->data)[i] / 32768.0
	           : (double)((const float *)tensor->data)[i];
}

/* dB of the tone over what differs from it, away from the ends. */
static double clearness(
    const struct tensor *tensor, unsigned channels, unsigned rate)
{
	const size_t frames = (size_t)tensor->shape.dims[0];
	double signal = 0, noise = 0;

	for (size_t i = frames / 8 * channels; i < frames * 7 / 8 * channels;
	     i++) {
		const double t = (double)(i / channels) / rate;
		const double x =
		    0.5 * sin(turn * 440 * (double)(1 + i % channels) * t);
		const double d = value_at(tensor, i) - x;

		signal += x * x;
		noise += d * d;
	}
	return 10 * log10(signal / noise);
}

static void test_a_tone_stays_one(void **state)
{
	static const struct {
		const char *words;
		enum dtype dtype;
		unsigned channels, from, to;
		double clear; /* dB */
	} cases[] = {
		{ "resample rate=16000", DTYPE_F32, 1, 44100, 16000, 100 },
		{ "resample rate=16000", DTYPE_F32, 2, 48000, 16000, 100 },
		{ "resample rate=48000", DTYPE_F32, 3, 8000, 48000, 100 },
		{ "resample rate=16000", DTYPE_I16, 1, 44100, 16000, 80 },
		{ "resample rate=11025", DTYPE_I16, 2, 16000, 11025, 80 },
		{ "resample rate=16000 quality=very_high", DTYPE_F32, 1, 22050,
		    16000, 120 },
		{ "resample rate=16000 quality=medium", DTYPE_F32, 1, 22050,
		    16000, 85 },
		{ "resample rate=16000 quality=low", DTYPE_F32, 1, 22050, 16000,
		    60 },
		{ "resample rate=22050 quality=quick", DTYPE_F32, 1, 16000,
		    22050, 30 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const unsigned channels = cases[i].channels;
		const struct schema schema =
		    sounds(cases[i].dtype, channels > 1 ? channels : 0, true);
		struct fixture f;
		unsigned hertz;
		double clear;

		fixture_open(&f, cases[i].words, &schema);
		set_tone(
		    &f, cases[i].dtype, cases[i].from, channels, cases[i].from);
		make(&f);
		assert_int_equal(f.out.fields[0].shape.dims[0], cases[i].to);
		test_ok(
		    audio_rate_get(&f.out.fields[1], &hertz, &f.err), &f.err);
		assert_int_equal(hertz, cases[i].to);
		clear = clearness(&f.out.fields[0], channels, cases[i].to);
		if (clear < cases[i].clear)
			fail_msg("%s of %u: %.1f dB", cases[i].words,
			    cases[i].from, clear);
		fixture_close(&f);
	}
}

static void test_length_is_rounded_to_the_nearest(void **state)
{
	static const struct {
		uint64_t frames;
		unsigned from, to;
		int64_t want;
	} cases[] = {
		{ 0, 44100, 16000, 0 },
		{ 1, 44100, 16000, 0 },
		{ 2, 44100, 16000, 1 },
		{ 441, 44100, 16000, 160 },
		{ 1, 2, 1, 1 }, /* halves up */
		{ 3, 8000, 48000, 18 },
		{ (uint64_t)1 << 62, 1, 100, -1 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(sound_resampler_frames(cases[i].frames,
		                     cases[i].from, cases[i].to),
		    cases[i].want);
}

static void test_short_sounds_are_resampled_too(void **state)
{
	const struct schema schema = sounds(DTYPE_F32, 0, true);
	struct fixture f;

	UNUSED(state);
	fixture_open(&f, "resample rate=16000", &schema);
	for (size_t frames = 0; frames < 40; frames++) {
		set_tone(&f, DTYPE_F32, frames, 1, 22050);
		make(&f);
		assert_int_equal(f.out.fields[0].shape.dims[0],
		    sound_resampler_frames(frames, 22050, 16000));
	}
	fixture_close(&f);
}

static void test_an_equal_rate_changes_nothing(void **state)
{
	const struct schema schema = sounds(DTYPE_I16, 2, true);
	struct fixture f;

	UNUSED(state);
	fixture_open(&f, "resample rate=16000", &schema);
	set_tone(&f, DTYPE_I16, 1000, 2, 16000);
	make(&f);
	assert_int_equal(f.out.fields[0].bytes, 4000);
	assert_memory_equal(f.out.fields[0].data, f.in.fields[0].data, 4000);
	fixture_close(&f);
}

/* Also after recordings of other rates: nothing of them is left. */
static void test_the_same_in_gives_the_same_out(void **state)
{
	const struct schema schema = sounds(DTYPE_I16, 0, true);
	struct tensor first = TENSOR_INIT;
	struct fixture f;

	UNUSED(state);
	fixture_open(&f, "resample rate=16000", &schema);
	for (unsigned i = 0; i < 4; i++) {
		set_tone(&f, DTYPE_I16, 5000, 1, 44100);
		make(&f);
		if (i == 0)
			test_ok(tensor_copy(&first, &f.out.fields[0], &f.err),
			    &f.err);
		assert_int_equal(first.bytes, f.out.fields[0].bytes);
		assert_memory_equal(
		    first.data, f.out.fields[0].data, first.bytes);
		set_tone(&f, DTYPE_I16, 3000 + i, 1, 8000 + 1000 * i);
		make(&f);
	}
	tensor_release(&first);
	fixture_close(&f);
}

static void test_without_a_rate_from_tells_it(void **state)
{
	struct schema schema = sounds(DTYPE_F32, 0, false);
	struct fixture f;

	UNUSED(state);
	schema.fields[0].type.shape.dims[0] = 441;
	fixture_open(&f, "resample rate=16000 from=44100", &schema);
	assert_int_equal(f.stepper.schema.count, 2);
	assert_int_equal(f.stepper.schema.fields[0].type.shape.dims[0], 160);
	set_tone(&f, DTYPE_F32, 441, 1, 44100);
	make(&f);
	fixture_close(&f);
}

static void test_resample_refuses_in_words(void **state)
{
	const struct schema with = sounds(DTYPE_F32, 0, true);
	const struct schema without = sounds(DTYPE_F32, 0, false);
	const struct schema bytes = sounds(DTYPE_U8, 0, true);
	const struct {
		const char *words;
		const struct schema *schema;
		const char *text;
	} cases[] = {
		{ "resample", &with, "rate must be given, in Hz: rate=16000" },
		{ "resample rate=16000", &without,
		    "there is no field 'rate': give the sample rate with "
		    "from=HZ" },
		{ "resample rate=16000", &bytes,
		    "takes sound, int16 or float32, n or n x channels, not "
		    "uint8 ?" },
		{ "resample rate=99999999", &with,
		    "rate must be 1 to 10000000, got 99999999" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct stepper stepper;

		test_error_is(stepper_open_sample(&stepper, cases[i].words,
		                  cases[i].schema, 1, &err),
		    &err, cases[i].text);
		assert_int_equal(err.code, ERROR_USAGE);
		stepper_close(&stepper);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_tone_stays_one),
		cmocka_unit_test(test_length_is_rounded_to_the_nearest),
		cmocka_unit_test(test_short_sounds_are_resampled_too),
		cmocka_unit_test(test_an_equal_rate_changes_nothing),
		cmocka_unit_test(test_the_same_in_gives_the_same_out),
		cmocka_unit_test(test_without_a_rate_from_tells_it),
		cmocka_unit_test(test_resample_refuses_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
