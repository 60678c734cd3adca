/*
 * test_centred_frames.c - spectra of frames centred on their hops equal those
 * of the same sound with mirrored edges.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

enum { ROOM = 4096 };

/* Sound, and the same as numpy.pad(sound, n_fft // 2, mode="reflect"). */
struct sounds {
	float plain[ROOM], padded[ROOM];
	size_t count, padded_count;
};

/* Step by step: to and fro between the ends. */
static void pad(struct sounds *sounds, size_t by)
{
	const size_t last = sounds->count - 1;
	size_t place = 0;
	int step = 1;

	sounds->padded_count = sounds->count + 2 * by;
	for (size_t i = 0; i < by + sounds->count; i++) {
		sounds->padded[by + i] = sounds->plain[place];
		if (last && place == last)
			step = -1;
		else if (last && place == 0)
			step = 1;
		place = last ? (step > 0 ? place + 1 : place - 1) : 0;
	}
	place = 0;
	step = 1;
	for (size_t i = 0; i <= by; i++) {
		sounds->padded[by - i] = sounds->plain[place];
		if (last && place == last)
			step = -1;
		else if (last && place == 0)
			step = 1;
		place = last ? (step > 0 ? place + 1 : place - 1) : 0;
	}
}

static void transform(
    const char *words, const float *samples, size_t count, struct sample *out)
{
	const struct type type = { .dtype = DTYPE_F32, .shape = { 1, { -1 } } };
	const struct shape shape = { 1, { (int64_t)count } };
	struct schema schema = { .count = 0 };
	struct sample in = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper s;
	uint64_t made;

	test_ok(schema_add(&schema, "data", &type, &err), &err);
	in.count = 1;
	tensor_view(&in.fields[0], DTYPE_F32, &shape, samples);
	test_ok(stepper_open_sample(&s, words, &schema, 1, &err), &err);
	test_ok(stepper_begin(&s, 1, &in, &made, &err), &err);
	test_ok(stepper_make(&s, 1, &in, 0, out, &err), &err);
	stepper_close(&s);
}

/* Of a window that fills the transform, so that both place it alike. */
static void check(size_t count, unsigned size, unsigned hop)
{
	struct sounds *sounds = calloc(1, sizeof(*sounds));
	struct sample centred = SAMPLE_INIT, want = SAMPLE_INIT;
	struct random random = random_stream(4, 0, count, size);
	char words[128];

	assert_non_null(sounds);
	sounds->count = count;
	for (size_t i = 0; i < count; i++)
		sounds->plain[i] = (float)random_normal(&random);
	pad(sounds, size / 2);
	snprintf(words, sizeof(words),
	    "spectrogram window=%u n_fft=%u hop=%u center=yes", size, size,
	    hop);
	transform(words, sounds->plain, count, &centred);
	*strstr(words, " center") = '\0';
	transform(words, sounds->padded, sounds->padded_count, &want);
	assert_int_equal(centred.fields[0].shape.dims[0], 1 + count / hop);
	assert_true(
	    shape_equal(&centred.fields[0].shape, &want.fields[0].shape));
	assert_memory_equal(
	    centred.fields[0].data, want.fields[0].data, want.fields[0].bytes);
	sample_release(&centred);
	sample_release(&want);
	free(sounds);
}

static void test_centred_frames_are_those_of_mirrored_edges(void **state)
{
	static const size_t counts[] = { 400, 401, 64, 63, 33, 32, 31, 5, 2,
		1 };
	static const unsigned hops[] = { 16, 17, 64, 100 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(counts) * ARRAY_LEN(hops); i++)
		check(counts[i / ARRAY_LEN(hops)], 64, hops[i % 4]);
}

/* A shorter window stands in the middle of the transform. */
static void test_centred_frames_of_a_short_window(void **state)
{
	struct sounds *sounds = calloc(1, sizeof(*sounds));
	struct sample a = SAMPLE_INIT, b = SAMPLE_INIT;

	UNUSED(state);
	assert_non_null(sounds);
	sounds->count = 200;
	for (size_t i = 0; i < 200; i++)
		sounds->plain[i] = (float)(i * i % 31);
	pad(sounds, 64);
	transform("spectrogram window=40 n_fft=128 hop=16 center=yes",
	    sounds->plain, 200, &a);
	/* (128 - 40) / 2 samples of the padded ones are left out. */
	transform("spectrogram window=40 n_fft=128 hop=16", sounds->padded + 44,
	    12 * 16 + 40, &b);
	assert_int_equal(a.fields[0].shape.dims[0], 13);
	assert_true(shape_equal(&a.fields[0].shape, &b.fields[0].shape));
	assert_memory_equal(
	    a.fields[0].data, b.fields[0].data, a.fields[0].bytes);
	sample_release(&a);
	sample_release(&b);
	free(sounds);
}

static void test_centred_frames_of_no_sound(void **state)
{
	struct sample out = SAMPLE_INIT;

	UNUSED(state);
	transform("spectrogram window=64 hop=16 center=yes", (float[1]){ 0 }, 0,
	    &out);
	assert_int_equal(out.fields[0].shape.dims[0], 0);
	sample_release(&out);
}

static void test_centred_frames_are_not_padded_besides(void **state)
{
	const struct type type = { .dtype = DTYPE_F32,
		.shape = { 1, { 400 } } };
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	struct stepper s;

	UNUSED(state);
	test_ok(schema_add(&schema, "data", &type, &err), &err);
	assert_int_equal(
	    stepper_open_sample(
	        &s, "spectrogram center=yes pad=yes", &schema, 1, &err),
	    -1);
	test_contains(err.text, "center and pad exclude each other");
	stepper_close(&s);
	test_ok(
	    stepper_open_sample(&s, "spectrogram center=yes window=64 hop=16",
	        &schema, 1, &err),
	    &err);
	assert_int_equal(s.schema.fields[0].type.shape.dims[0], 26);
	stepper_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_centred_frames_are_those_of_mirrored_edges),
		cmocka_unit_test(test_centred_frames_of_a_short_window),
		cmocka_unit_test(test_centred_frames_of_no_sound),
		cmocka_unit_test(test_centred_frames_are_not_padded_besides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
