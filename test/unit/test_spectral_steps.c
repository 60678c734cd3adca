/* test_spectral_steps.c - from recordings to masked log-mel spectra. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/fft.h"
#include "lib/audio/rate.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/half.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

enum { LONGEST = 20000 };

/* A recording of `count` samples: field 0, and its rate, 0: without. */
struct recorded {
	struct schema schema;
	struct sample sample;
	int32_t rate;
	int16_t words[LONGEST];
};

static void record(struct recorded *r, size_t count, int32_t rate)
{
	const struct type data = { .dtype = DTYPE_I16, .shape = { 1, { -1 } } };
	const struct type text = { .dtype = DTYPE_U8, .shape = { 1, { -1 } } };
	const struct shape shape = { 1, { (int64_t)count } };
	struct error err = ERROR_INIT;
	unsigned field;

	memset(r, 0, sizeof(*r));
	r->rate = rate;
	for (size_t i = 0; i < count; i++)
		r->words[i] =
		    (int16_t)lround(9000 * sin(0.3 * (double)i + 0.1));
	test_ok(schema_add(&r->schema, "data", &data, &err), &err);
	if (rate)
		test_ok(audio_rate_add(&r->schema, &field, &err), &err);
	test_ok(schema_add(&r->schema, "text", &text, &err), &err);
	r->sample = (struct sample){ .label = 7, .count = r->schema.count };
	tensor_view(&r->sample.fields[0], DTYPE_I16, &shape, r->words);
	tensor_view(
	    &r->sample.fields[1], DTYPE_I32, &(struct shape){ 0 }, &r->rate);
	tensor_view(&r->sample.fields[rate ? 2 : 1], DTYPE_U8,
	    &(struct shape){ 1, { 3 } }, "abc");
}

/* Begins and makes. */
static int run_sample(struct stepper *stepper, const struct sample *in,
    struct sample *out, struct error *err)
{
	uint64_t count = 0;

	if (stepper_begin(stepper, 1, in, &count, err))
		return -1;
	assert_int_equal(count, 1);
	return stepper_make(stepper, 1, in, 0, out, err);
}

static void check_shape(
    const struct tensor *tensor, int64_t rows, int64_t columns)
{
	assert_int_equal(tensor->dtype, DTYPE_F32);
	assert_int_equal(tensor->shape.count, 2);
	assert_int_equal(tensor->shape.dims[0], rows);
	assert_int_equal(tensor->shape.dims[1], columns);
}

static void test_spectrogram_has_the_frames_that_fit(void **state)
{
	static const struct {
		const char *words;
		size_t samples;
		int32_t rate;
		int64_t frames, bins;
	} cases[] = {
		{ "spectrogram", 16000, 16000, 99, 257 },
		{ "spectrogram window=20ms hop=10ms", 320, 16000, 1, 257 },
		{ "spectrogram window=20ms hop=10ms", 319, 16000, 0, 257 },
		{ "spectrogram window=20ms hop=10ms", 0, 16000, 0, 257 },
		{ "spectrogram window=20ms hop=10ms pad=yes", 0, 16000, 0,
		    257 },
		{ "spectrogram window=20ms hop=10ms pad=yes", 1, 16000, 1,
		    257 },
		{ "spectrogram pad=yes", 16001, 16000, 101, 257 },
		{ "spectrogram", 9600, 48000, 19, 513 },
		{ "spectrogram n_fft=1024", 16000, 16000, 99, 513 },
		{ "spectrogram window=400 hop=160", 16000, 8000, 98, 257 },
		{ "spectrogram window=400 hop=160", 16000, 0, 98, 257 },
		{ "spectrogram rate=16000", 16000, 0, 99, 257 },
		{ "spectrogram", 441, 11025, 3, 129 }, /* 221 and 110 */
		{ "spectrogram window=1 hop=1", 5, 0, 5, 9 },
	};
	struct recorded *r = malloc(sizeof(*r));

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct sample out = SAMPLE_INIT;
		struct error err = ERROR_INIT;
		struct stepper s;

		record(r, cases[i].samples, cases[i].rate);
		test_ok(stepper_open_sample(
		            &s, cases[i].words, &r->schema, 1, &err),
		    &err);
		test_ok(run_sample(&s, &r->sample, &out, &err), &err);
		check_shape(&out.fields[0], cases[i].frames, cases[i].bins);
		assert_int_equal(out.count, r->schema.count);
		assert_memory_equal(out.fields[out.count - 1].data, "abc", 3);
		sample_release(&out);
		stepper_close(&s);
	}
	free(r);
}

static void test_spectrogram_finds_the_tone(void **state)
{
	struct recorded *r = malloc(sizeof(*r));
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	const float *row;
	struct stepper s;

	UNUSED(state);
	record(r, 4096, 16000);
	test_ok(stepper_open_sample(&s,
	            "spectrogram window=512 hop=512 function=rectangular "
	            "power=2",
	            &r->schema, 1, &err),
	    &err);
	for (size_t i = 0; i < 4096; i++)
		r->words[i] = (int16_t)lround(
		    16384 * cos(2 * 3.14159265358979 * 32 * (double)i / 512));
	test_ok(run_sample(&s, &r->sample, &out, &err), &err);
	row = (const float *)out.fields[0].data + 3 * 257;
	assert_float_equal(row[32], 128.0 * 128.0, 1); /* 512 / 4 of half */
	assert_true(row[31] < 1e-3f && row[33] < 1e-3f);
	sample_release(&out);
	stepper_close(&s);
	free(r);
}

/* One step for recordings of several rates, more than it keeps. */
static void test_spectrogram_takes_each_rate(void **state)
{
	struct recorded *r = malloc(sizeof(*r));
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper s;

	UNUSED(state);
	record(r, 16000, 16000);
	test_ok(
	    stepper_open_sample(&s, "spectrogram", &r->schema, 1, &err), &err);
	assert_int_equal(s.schema.fields[0].type.shape.dims[1], -1);
	for (int32_t i = 0; i < 60; i++) {
		r->rate = 8000 + 500 * (i % 20);
		test_ok(run_sample(&s, &r->sample, &out, &err), &err);
		check_shape(&out.fields[0],
		    (16000 - r->rate / 50) / (r->rate / 100) + 1,
		    r->rate <= 12800 ? 129 + (r->rate > 12800) * 128 : 257);
	}
	sample_release(&out);
	stepper_close(&s);
	free(r);
}

static void test_spectrogram_says_what_is_wrong(void **state)
{
	static const struct {
		const char *words, *text;
		int32_t rate;
	} cases[] = {
		{ "spectrogram window=",
		    "window must be a time, as in 20ms, "
		    "or a number of samples, not ''",
		    16000 },
		{ "spectrogram window=long",
		    "window must be a time, as in 20ms, or a number of "
		    "samples, not 'long'",
		    16000 },
		{ "spectrogram hop=0",
		    "hop must be a time above 0, or 1 to 65536 samples, got 0",
		    16000 },
		{ "spectrogram hop=0ms",
		    "hop must be a time above 0, or 1 to 65536 samples, got "
		    "0ms",
		    16000 },
		{ "spectrogram n_fft=256 window=300",
		    "window must be 256 samples (n_fft) at most, got 300",
		    16000 },
		{ "spectrogram n_fft=8", "n_fft must be 16 to 65536, got 8",
		    16000 },
		{ "spectrogram power=3", "power must be 1 to 2, got 3", 16000 },
		{ "spectrogram",
		    "the recordings have no field 'rate': give rate=HZ, or "
		    "window and hop in samples",
		    0 },
		{ "spectrogram rate=8000",
		    "the field 'rate' has the sample rate: leave rate=8000 out",
		    16000 },
		{ "spectrogram rate=16000 n_fft=256",
		    "window=20ms is 320 samples at 16000 Hz; n_fft=256 is less",
		    0 },
	};
	struct recorded *r = malloc(sizeof(*r));

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct stepper s;

		record(r, 100, cases[i].rate);
		test_error_is(stepper_open_sample(
		                  &s, cases[i].words, &r->schema, 1, &err),
		    &err, cases[i].text);
		assert_int_equal(err.code, ERROR_USAGE);
		stepper_close(&s);
	}
	free(r);
}

static void test_spectrogram_refuses_what_is_no_recording(void **state)
{
	static const struct {
		struct type type;
		const char *text;
	} cases[] = {
		{ { .dtype = DTYPE_I16, .shape = { 2, { -1, 2 } } },
		    "takes one channel, not 2: mix them with channels=1 of "
		    "audio_decode" },
		{ { .dtype = DTYPE_F64, .shape = { 1, { -1 } } },
		    "takes samples, int16 or float32, not float64 ?; "
		    "audio_decode makes them of a file" },
		{ { .dtype = DTYPE_U8,
		      .layout = LAYOUT_ENCODED,
		      .shape = { 1, { -1 } } },
		    "takes samples, int16 or float32, not bytes; "
		    "audio_decode makes them of a file" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct schema schema = { .count = 0 };
		struct error err = ERROR_INIT;
		struct stepper s;
		unsigned field;

		test_ok(
		    schema_add(&schema, "data", &cases[i].type, &err), &err);
		test_ok(audio_rate_add(&schema, &field, &err), &err);
		test_error_is(
		    stepper_open_sample(&s, "spectrogram", &schema, 1, &err),
		    &err, cases[i].text);
		stepper_close(&s);
	}
}

static void test_spectrogram_says_what_is_wrong_with_a_sample(void **state)
{
	struct recorded *r = malloc(sizeof(*r));
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper s;

	UNUSED(state);
	record(r, 1000, 16000);
	r->schema.fields[0].type.shape = (struct shape){ 2, { -1, -1 } };
	test_ok(stepper_open_sample(
	            &s, "spectrogram n_fft=512", &r->schema, 1, &err),
	    &err);
	r->sample.fields[0].shape = (struct shape){ 2, { 1000, 1 } };
	test_ok(run_sample(&s, &r->sample, &out, &err), &err);
	r->sample.fields[0].shape = (struct shape){ 2, { 500, 2 } };
	test_error_is(run_sample(&s, &r->sample, &out, &err), &err,
	    "takes one channel, not 2: mix them with channels=1 of "
	    "audio_decode");
	assert_int_equal(err.code, ERROR_DATA);
	r->sample.fields[0].shape = (struct shape){ 1, { 1000 } };
	r->rate = 48000;
	test_error_is(run_sample(&s, &r->sample, &out, &err), &err,
	    "window=20ms is 960 samples at 48000 Hz; n_fft=512 is less");
	assert_int_equal(err.code, ERROR_DATA);
	r->rate = 20;
	test_error_is(run_sample(&s, &r->sample, &out, &err), &err,
	    "window=20ms is 0.4 samples at 20 Hz; it must be 1 to 65536");
	r->rate = -1;
	assert_int_equal(run_sample(&s, &r->sample, &out, &err), -1);
	sample_release(&out);
	stepper_close(&s);
	free(r);
}

static void test_spectrogram_says_what_comes_where_it_is_known(void **state)
{
	struct schema schema = { .count = 0 };
	const struct type data = { .dtype = DTYPE_F32,
		.shape = { 1, { 16000 } } };
	struct error err = ERROR_INIT;
	struct stepper s;

	UNUSED(state);
	test_ok(schema_add(&schema, "data", &data, &err), &err);
	test_ok(
	    stepper_open_sample(&s, "spectrogram rate=16000", &schema, 1, &err),
	    &err);
	assert_int_equal(s.schema.fields[0].type.shape.dims[0], 99);
	assert_int_equal(s.schema.fields[0].type.shape.dims[1], 257);
	stepper_close(&s);
}

/* ---- mel ---- */

static void test_mel_drops_the_rate(void **state)
{
	struct recorded *r = malloc(sizeof(*r));
	struct sample spectra = SAMPLE_INIT, out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper first, second;

	UNUSED(state);
	record(r, 16000, 16000);
	test_ok(stepper_open_sample(
	            &first, "spectrogram n_fft=1024", &r->schema, 1, &err),
	    &err);
	test_ok(stepper_open_sample(&second, "mel bins=64 fmin=125 fmax=3800",
	            &first.schema, 1, &err),
	    &err);
	assert_int_equal(second.schema.count, 2);
	assert_string_equal(second.schema.fields[0].name, "data");
	assert_string_equal(second.schema.fields[1].name, "text");
	assert_int_equal(second.schema.fields[0].type.shape.dims[1], 64);
	test_ok(run_sample(&first, &r->sample, &spectra, &err), &err);
	test_ok(run_sample(&second, &spectra, &out, &err), &err);
	assert_int_equal(out.count, 2);
	check_shape(&out.fields[0], 99, 64);
	assert_memory_equal(out.fields[1].data, "abc", 3);
	stepper_close(&first);
	stepper_close(&second);
	sample_release(&spectra);
	sample_release(&out);
	free(r);
}

/* Spectra of ones: a band is the sum of its weights. */
static void test_mel_takes_unaligned_spectra_of_any_rate(void **state)
{
	enum { ROWS = 21, BINS = 33 };
	unsigned char bytes[ROWS * BINS * 4 + 1];
	struct sample in = SAMPLE_INIT, out = SAMPLE_INIT;
	const struct type type = { .dtype = DTYPE_F32,
		.shape = { 2, { -1, -1 } } };
	const float one = 1;
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	struct stepper s;
	int32_t rate = 8000;
	unsigned field;

	UNUSED(state);
	for (size_t i = 0; i < ROWS * BINS; i++)
		memcpy(bytes + 1 + 4 * i, &one, 4);
	test_ok(schema_add(&schema, "data", &type, &err), &err);
	test_ok(audio_rate_add(&schema, &field, &err), &err);
	in.count = 2;
	tensor_view(&in.fields[0], DTYPE_F32,
	    &(struct shape){ 2, { ROWS, BINS } }, bytes + 1);
	tensor_view(&in.fields[1], DTYPE_I32, &(struct shape){ 0 }, &rate);
	test_ok(stepper_open_sample(
	            &s, "mel bins=1 scale=slaney", &schema, 1, &err),
	    &err);
	for (size_t i = 0; i < 2; i++) {
		const float *sum;

		test_ok(run_sample(&s, &in, &out, &err), &err);
		check_shape(&out.fields[0], ROWS, 1);
		sum = out.fields[0].data;
		/* A triangle over all bins but the first and the last. */
		assert_float_equal(sum[0], 16, 0.2);
		assert_true(sum[ROWS - 1] == sum[0]);
		rate = 44100;
	}
	in.fields[0].shape.dims[1] = 1;
	test_error_is(run_sample(&s, &in, &out, &err), &err,
	    "takes spectra of 2 bins or more");
	stepper_close(&s);
	sample_release(&out);
}

static void test_mel_says_what_is_wrong(void **state)
{
	static const struct {
		const char *words, *text;
		int32_t rate;
	} cases[] = {
		{ "mel fmin=4000 fmax=3800",
		    "fmin must be less than fmax, got 4000 and 3800", 16000 },
		{ "mel bins=0", "bins must be 1 to 4096, got 0", 16000 },
		{ "mel",
		    "the spectra have no field 'rate' with the sample rate: "
		    "give rate=HZ",
		    0 },
		{ "mel rate=8000 fmax=5000",
		    "fmax=5000 is above half the sample rate, 4000 Hz", 0 },
		{ "mel rate=8000 fmin=4000",
		    "fmin=4000 is not below half the sample rate, 4000 Hz", 0 },
		{ "mel rate=8000",
		    "the field 'rate' has the sample rate: leave rate=8000 out",
		    8000 },
	};
	struct recorded *r = malloc(sizeof(*r));

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct stepper s;

		record(r, 100, cases[i].rate);
		r->schema.fields[0].type.dtype = DTYPE_F32;
		r->schema.fields[0].type.shape =
		    (struct shape){ 2, { -1, -1 } };
		test_error_is(stepper_open_sample(
		                  &s, cases[i].words, &r->schema, 1, &err),
		    &err, cases[i].text);
		assert_int_equal(err.code, ERROR_USAGE);
		stepper_close(&s);
	}
	free(r);
}

static void test_mel_names_an_end_above_half_the_rate(void **state)
{
	enum { ROWS = 3, BINS = 33 };
	float spectra[ROWS * BINS] = { 0 };
	struct recorded *r = malloc(sizeof(*r));
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper s;

	UNUSED(state);
	record(r, 1, 6000);
	r->schema.fields[0].type.dtype = DTYPE_F32;
	r->schema.fields[0].type.shape = (struct shape){ 2, { -1, -1 } };
	tensor_view(&r->sample.fields[0], DTYPE_F32,
	    &(struct shape){ 2, { ROWS, BINS } }, spectra);
	test_ok(stepper_open_sample(
	            &s, "mel fmax=3800 fmin=125", &r->schema, 1, &err),
	    &err);
	test_error_is(run_sample(&s, &r->sample, &out, &err), &err,
	    "fmax=3800 is above half the sample rate, 3000 Hz");
	assert_int_equal(err.code, ERROR_DATA);
	sample_release(&out);
	stepper_close(&s);
	free(r);
}

/* ---- logarithms ---- */

static void test_log_takes_floats_of_each_size(void **state)
{
	enum { COUNT = 1000 };
	static const enum dtype dtypes[] = { DTYPE_F16, DTYPE_F32, DTYPE_F64 };
	static const double bounds[] = { 1e-2, 1e-6, 1e-14 };

	UNUSED(state);
	for (size_t d = 0; d < ARRAY_LEN(dtypes); d++) {
		const struct shape shape = { 1, { COUNT } };
		const struct type type = { .dtype = dtypes[d], .shape = shape };
		struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
		struct error err = ERROR_INIT;

		test_ok(tensor_reshape(&in, dtypes[d], &shape, &err), &err);
		for (size_t i = 0; i < COUNT; i++) {
			const double x = (double)i * 0.25;

			if (d == 0)
				((uint16_t *)in.data)[i] =
				    half_from_float((float)x);
			else if (d == 1)
				((float *)in.data)[i] = (float)x;
			else
				((double *)in.data)[i] = x;
		}
		stepper_once("log floor=0.5", &type, &in, &out);
		for (size_t i = 0; i < COUNT; i++) {
			const double got =
			    d == 0   ? half_to_float(((uint16_t *)out.data)[i])
			    : d == 1 ? ((float *)out.data)[i]
			             : ((double *)out.data)[i];

			assert_true(fabs(got - log((double)i * 0.25 + 0.5)) <=
			            bounds[d] * (1 + fabs(got)) / 2);
		}
		tensor_release(&in);
		tensor_release(&out);
	}
}

static void test_log_refuses_other_elements(void **state)
{
	const struct type type = { .dtype = DTYPE_I16,
		.shape = { 2, { -1, 80 } } };
	struct error err = ERROR_INIT;
	struct stepper s;

	UNUSED(state);
	test_error_is(stepper_open(&s, "log", &type, &err), &err,
	    "takes floats, not int16 ?x80");
	stepper_close(&s);
	test_error_is(stepper_open(&s, "log floor=-1", &type, &err), &err,
	    "floor must be 0 to 1e+30, got -1");
	stepper_close(&s);
}

/* ---- masks ---- */

enum { ROWS = 50, COLUMNS = 20, DRAWS = 4000 };

/* How many rows (axis 0) or columns are masked; all must be so wholly. */
static unsigned count_masked(
    const float *out, size_t axis, unsigned *first, unsigned *last)
{
	const size_t lines = axis == 0 ? ROWS : COLUMNS;
	const size_t across = axis == 0 ? COLUMNS : ROWS;
	unsigned count = 0;

	for (size_t line = 0; line < lines; line++) {
		size_t masked = 0;

		for (size_t k = 0; k < across; k++)
			masked += out[axis == 0 ? line * COLUMNS + k
			                        : k * COLUMNS + line] == -4;
		assert_true(masked == 0 || masked == across);
		if (!masked)
			continue;
		if (count++ == 0)
			*first = (unsigned)line;
		*last = (unsigned)line;
	}
	return count;
}

static void check_mask(const char *words, size_t axis)
{
	enum { MOST = 5 };
	const struct shape shape = { 2, { ROWS, COLUMNS } };
	const struct type type = { .dtype = DTYPE_F32, .shape = shape };
	const size_t lines = axis == 0 ? ROWS : COLUMNS;
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	unsigned widths[MOST + 1] = { 0 }, at_start = 0, at_end = 0;
	struct stepper s;

	test_ok(tensor_reshape(&in, DTYPE_F32, &shape, &err), &err);
	for (size_t i = 0; i < ROWS * COLUMNS; i++)
		((float *)in.data)[i] = (float)i;
	test_ok(stepper_open(&s, words, &type, &err), &err);
	for (uint64_t seed = 0; seed < DRAWS; seed++) {
		unsigned first = 1, last = 0, width;

		test_ok(stepper_run(&s, seed, &in, &out, &err), &err);
		width = count_masked(out.data, axis, &first, &last);
		assert_true(width <= MOST);
		assert_true(width == 0 || last - first + 1 == width);
		widths[width]++;
		at_start += width == MOST && first == 0;
		at_end += width == MOST && last == lines - 1;
	}
	for (size_t i = 0; i <= MOST; i++) /* 666 each, deviation 24 */
		assert_in_range(widths[i], 550, 790);
	assert_in_range(at_start, 1, 100);
	assert_in_range(at_end, 1, 100);
	stepper_close(&s);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_masks_are_as_wide_and_where_chance_has_it(void **state)
{
	UNUSED(state);
	check_mask("time_mask max=5 value=-4", 0);
	check_mask("freq_mask max=5 value=-4", 1);
}

static void test_masks_may_be_wider_than_the_spectra(void **state)
{
	struct type type = { .dtype = DTYPE_F64, .shape = { 2, { -1, -1 } } };
	double data[6] = { 1, 2, 3, 4, 5, 6 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct stepper s;

	UNUSED(state);
	test_ok(
	    stepper_open(&s, "time_mask max=100 count=20", &type, &err), &err);
	tensor_view(&in, DTYPE_F64, &(struct shape){ 2, { 3, 2 } }, data);
	test_ok(stepper_run(&s, 1, &in, &out, &err), &err);
	for (size_t i = 0; i < 6; i++)
		assert_true(((double *)out.data)[i] == 0);
	in.shape.dims[0] = 0;
	in.bytes = 0;
	test_ok(stepper_run(&s, 1, &in, &out, &err), &err);
	stepper_close(&s);
	test_error_is(stepper_open(&s, "freq_mask", &type, &err), &err,
	    "max must be given: a number");
	stepper_close(&s);
	type.shape.count = 1;
	test_error_is(stepper_open(&s, "freq_mask max=3", &type, &err), &err,
	    "takes spectra, floats of frames x bins, not float64 ?");
	stepper_close(&s);
	tensor_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spectrogram_has_the_frames_that_fit),
		cmocka_unit_test(test_spectrogram_finds_the_tone),
		cmocka_unit_test(test_spectrogram_takes_each_rate),
		cmocka_unit_test(test_spectrogram_says_what_is_wrong),
		cmocka_unit_test(test_spectrogram_refuses_what_is_no_recording),
		cmocka_unit_test(
		    test_spectrogram_says_what_is_wrong_with_a_sample),
		cmocka_unit_test(
		    test_spectrogram_says_what_comes_where_it_is_known),
		cmocka_unit_test(test_mel_drops_the_rate),
		cmocka_unit_test(test_mel_takes_unaligned_spectra_of_any_rate),
		cmocka_unit_test(test_mel_says_what_is_wrong),
		cmocka_unit_test(test_mel_names_an_end_above_half_the_rate),
		cmocka_unit_test(test_log_takes_floats_of_each_size),
		cmocka_unit_test(test_log_refuses_other_elements),
		cmocka_unit_test(
		    test_masks_are_as_wide_and_where_chance_has_it),
		cmocka_unit_test(test_masks_may_be_wider_than_the_spectra),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
