/*
 * test_spectra.c - transforms, mel bands and logarithms, compared with their
 * definitions in double precision.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/fft.h"
#include "lib/audio/fft_tables.h"
#include "lib/audio/kernels.h"
#include "lib/audio/mel.h"
#include "lib/audio/mel_tables.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "test/unit/test.h"

enum { FRAMES = 19, SAMPLES = 120000 };

static const double pi = 3.14159265358979323846;

/* Tones, and noise that is 40 dB below. */
static void make_samples(int16_t *words, float *floats)
{
	struct random random = random_stream(5, 0, 0, 0);

	for (size_t i = 0; i < SAMPLES; i++) {
		const double x = 0.3 * sin(0.031 * (double)i) +
		                 0.2 * sin(0.4 * (double)i) +
		                 0.005 * random_normal(&random);

		words[i] = (int16_t)lround(x * 32767);
		floats[i] = (float)x;
	}
}

static void *samples_of(enum dtype dtype)
{
	static int16_t words[SAMPLES];
	static float floats[SAMPLES];

	if (words[1] == 0)
		make_samples(words, floats);
	return dtype == DTYPE_I16 ? (void *)words : (void *)floats;
}

static double sample_at(enum dtype dtype, size_t i)
{
	return dtype == DTYPE_I16 ? ((int16_t *)samples_of(dtype))[i] / 32768.0
	                          : ((float *)samples_of(dtype))[i];
}

static double weight_at(enum fft_window window, size_t i, size_t count)
{
	const double cosine = cos(2 * pi * (double)i / (double)count);

	return window == FFT_HANN      ? 0.5 - 0.5 * cosine
	       : window == FFT_HAMMING ? 0.54 - 0.46 * cosine
	                               : 1;
}

/* One frame by the sum that defines it; `there` samples are not 0. */
static void transform_by_definition(const struct fft_plan *plan, size_t from,
    size_t there, const double *turns, double *out)
{
	const size_t left = from < there ? there - from : 0;
	const size_t count = left < plan->frame ? left : plan->frame;
	double *frame = calloc(plan->frame, sizeof(*frame));

	assert_non_null(frame);
	for (size_t i = 0; i < count; i++)
		frame[i] = sample_at(plan->dtype, from + i) *
		           weight_at(plan->window, i, plan->frame);
	for (size_t k = 0; k <= plan->size / 2; k++) {
		double re = 0, im = 0;

		for (size_t i = 0, at = 0; i < count; i++) { /* at: i * k */
			re += frame[i] * turns[2 * at];
			im -= frame[i] * turns[2 * at + 1];
			at += k;
			at -= at < plan->size ? 0 : plan->size;
		}
		out[k] = re * re + im * im;
		if (plan->power == 1)
			out[k] = sqrt(out[k]);
	}
	free(frame);
}

static double *spectra_by_definition(
    const struct fft_plan *plan, size_t there, size_t count)
{
	const size_t bins = plan->size / 2 + 1;
	double *out = calloc(count * bins, sizeof(*out));
	double *turns = calloc(plan->size, 2 * sizeof(*turns));

	assert_non_null(out);
	assert_non_null(turns);
	for (size_t i = 0; i < plan->size; i++) {
		const double angle = 2 * pi * (double)i / (double)plan->size;

		turns[2 * i] = cos(angle);
		turns[2 * i + 1] = sin(angle);
	}
	for (size_t i = 0; i < count; i++)
		transform_by_definition(
		    plan, i * plan->hop, there, turns, out + i * bins);
	free(turns);
	return out;
}

static float *spectra(const struct fft_plan *plan, size_t there, size_t count)
{
	float *out = calloc(count * fft_bins(plan), sizeof(*out));
	struct error err = ERROR_INIT;
	struct fft *fft = fft_new(plan, &err);

	test_ok(!fft, &err);
	assert_non_null(out);
	fft_run(fft, samples_of(plan->dtype), there, count, out);
	fft_free(fft);
	return out;
}

/* The largest difference, over the largest value of the row. */
static double worst_of(
    const float *got, const double *wanted, size_t rows, size_t columns)
{
	double worst = 0;

	for (size_t i = 0; i < rows; i++) {
		double most = 0, off = 0;

		for (size_t k = i * columns; k < (i + 1) * columns; k++) {
			most = fmax(most, fabs(wanted[k]));
			off = fmax(off, fabs(got[k] - wanted[k]));
			assert_true(isfinite(got[k]));
		}
		worst = fmax(worst, most > 0 ? off / most : off);
	}
	return worst;
}

static void check_plan(const struct fft_plan *plan, size_t there)
{
	float *got = spectra(plan, there, FRAMES);
	double *wanted = spectra_by_definition(plan, there, FRAMES);
	const double worst = worst_of(got, wanted, FRAMES, plan->size / 2 + 1);

	if (worst > 1e-6)
		fail_msg("frame %zu, size %zu: off by %g", plan->frame,
		    plan->size, worst);
	free(got);
	free(wanted);
}

static bool has_kissfft(void)
{
#ifdef WITH_KISSFFT
	return true;
#else
	return false;
#endif
}

static bool can_do(const struct fft_plan *plan)
{
	return has_kissfft() || (plan->size & (plan->size - 1)) == 0;
}

static const struct fft_plan plans[] = {
	{ 16, 16, 8, FFT_HANN, DTYPE_I16, 1 },
	{ 1, 16, 1, FFT_RECTANGULAR, DTYPE_F32, 2 },
	{ 25, 32, 10, FFT_HAMMING, DTYPE_F32, 1 },
	{ 37, 64, 40, FFT_HANN, DTYPE_I16, 2 },
	{ 100, 128, 333, FFT_HANN, DTYPE_F32, 2 },
	{ 256, 256, 64, FFT_HANN, DTYPE_I16, 1 },
	{ 320, 512, 160, FFT_HANN, DTYPE_I16, 1 },
	{ 320, 1024, 160, FFT_HANN, DTYPE_I16, 2 },
	{ 400, 400, 160, FFT_HANN, DTYPE_F32, 2 },
	{ 512, 512, 128, FFT_HAMMING, DTYPE_F32, 1 },
	{ 441, 512, 220, FFT_HANN, DTYPE_I16, 1 },
	{ 960, 1024, 480, FFT_HANN, DTYPE_I16, 1 },
	{ 1024, 1024, 256, FFT_RECTANGULAR, DTYPE_I16, 1 },
	{ 1200, 1200, 600, FFT_HANN, DTYPE_F32, 1 },
	{ 255, 255, 100, FFT_HANN, DTYPE_I16, 2 },
	{ 2048, 2048, 512, FFT_HANN, DTYPE_F32, 2 },
	{ 4096, 4096, 512, FFT_HANN, DTYPE_I16, 1 },
};

static void test_fft_agrees_with_the_definition(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(plans); i++)
		if (can_do(&plans[i]))
			check_plan(&plans[i], SAMPLES);
}

static void test_fft_takes_what_is_missing_as_zeros(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(plans); i++) {
		const struct fft_plan *plan = &plans[i];

		if (!can_do(plan))
			continue;
		check_plan(plan, 17 * plan->hop + plan->frame / 2);
		check_plan(plan, 3);
		check_plan(plan, 0);
	}
}

static void test_fft_gives_the_same_for_any_number_of_frames(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(plans); i++) {
		const struct fft_plan *plan = &plans[i];
		const size_t bytes = fft_bins(plan) * sizeof(float);
		float *all, *some;

		if (!can_do(plan))
			continue;
		all = spectra(plan, SAMPLES, FRAMES);
		for (size_t count = 1; count < FRAMES; count++) {
			some = spectra(plan, SAMPLES, count);
			assert_memory_equal(all, some, count * bytes);
			free(some);
		}
		free(all);
	}
}

/* ---- kernels ---- */

static size_t all_kernels(const struct audio_kernels *kernels[3])
{
	size_t count = 0;

	kernels[count++] = audio_kernels_plain();
	if (audio_kernels_avx2())
		kernels[count++] = audio_kernels_avx2();
	if (audio_kernels_avx512())
		kernels[count++] = audio_kernels_avx512();
	return count;
}

static void test_kernels_give_the_same_logarithms(void **state)
{
	enum { COUNT = 100000 };
	const struct audio_kernels *kernels[3];
	const size_t count = all_kernels(kernels);
	struct random random = random_stream(1, 0, 0, 0);
	float *in = malloc(COUNT * sizeof(float));
	float *out[2] = { malloc(COUNT * sizeof(float)),
		malloc(COUNT * sizeof(float)) };

	UNUSED(state);
	random_fill(&random, in, COUNT * sizeof(float)); /* any bits at all */
	for (size_t i = 0; i < count; i++) {
		kernels[i]->ln(in, 0, out[i > 0], COUNT - 3);
		if (i > 0)
			for (size_t k = 0; k < COUNT - 3; k++)
				if (memcmp(&out[0][k], &out[1][k], 4) != 0 &&
				    !(isnan(out[0][k]) && isnan(out[1][k])))
					fail_msg("ln %a", (double)in[k]);
	}
	free(in);
	free(out[0]);
	free(out[1]);
}

/* Of spectra and bands: what is stored depends on the kernel alone. */
struct both {
	struct fft_plan fft;
	struct mel_plan mel;
};

static void run_with(const struct audio_kernels *kernels,
    const struct both *both, float *spectra_out, float *bands)
{
	struct error err = ERROR_INIT;
	struct fft *fft = fft_new(&both->fft, &err);
	struct mel *mel = mel_new(&both->mel, &err);

	assert_non_null(fft);
	assert_non_null(mel);
	fft_use(fft, kernels);
	mel_use(mel, kernels);
	fft_run(fft, samples_of(both->fft.dtype), SAMPLES, FRAMES, spectra_out);
	mel_run(mel, spectra_out, FRAMES, bands);
	fft_free(fft);
	mel_free(mel);
}

static void test_kernels_give_the_same_spectra_and_bands(void **state)
{
	enum { BANDS = 42 };
	const struct audio_kernels *kernels[3];
	const size_t count = all_kernels(kernels);

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(plans); i++) {
		const struct both both = {
			.fft = plans[i],
			.mel = { fft_bins(&plans[i]), BANDS, 16000, 0, 8000,
			    MEL_HTK, MEL_NONE },
		};
		const size_t bins = FRAMES * fft_bins(&plans[i]);
		float bands[2][FRAMES * BANDS];
		float *out[2] = { calloc(bins, 4), calloc(bins, 4) };

		if (can_do(&plans[i]))
			for (size_t k = 0; k < count; k++)
				run_with(kernels[k], &both, out[k > 0],
				    bands[k > 0]);
		if (can_do(&plans[i]) && count > 1) {
			assert_memory_equal(out[0], out[1], bins * 4);
			assert_memory_equal(
			    bands[0], bands[1], sizeof(bands[0]));
		}
		free(out[0]);
		free(out[1]);
	}
}

/* Of a part of the spectra, which may be none of a bin. */
static struct mel_plan some_bands(struct random *random, size_t bins)
{
	const double low = random_below(random, 7000);

	return (struct mel_plan){
		.bins = bins,
		.bands = 1 + random_below(random, 100),
		.rate = 16000,
		.low = random_below(random, 3) ? low : 0,
		.high = random_below(random, 3)
		            ? low + 1 + random_below(random, 1000)
		            : 8000,
		.scale = (enum mel_scale)random_below(random, 2),
	};
}

static void check_at_once(const struct audio_kernels *kernels,
    const struct both *both, size_t there, size_t frames)
{
	const size_t bands = frames * both->mel.bands;
	float *spectra_out = calloc(frames * both->mel.bins, 4);
	float *want = calloc(bands, 4), *got = calloc(bands, 4);
	const void *samples = samples_of(both->fft.dtype);
	struct error err = ERROR_INIT;
	struct fft *fft = fft_new(&both->fft, &err);
	struct mel *mel = mel_new(&both->mel, &err);

	assert_non_null(fft);
	assert_non_null(mel);
	fft_use(fft, kernels);
	mel_use(mel, kernels);
	fft_run(fft, samples, there, frames, spectra_out);
	mel_run(mel, spectra_out, frames, want);
	test_ok(fft_reserve_bands(fft, mel, &err), &err);
	fft_run_bands(fft, mel, samples, there, frames, got);
	assert_memory_equal(want, got, bands * 4);
	free(spectra_out);
	free(want);
	free(got);
	fft_free(fft);
	mel_free(mel);
}

static void test_bands_at_once_are_those_one_by_one(void **state)
{
	struct random random = random_stream(23, 0, 0, 0);
	const struct audio_kernels *kernels[3];
	const size_t count = all_kernels(kernels);

	UNUSED(state);
	for (size_t i = 0; i < 40 * ARRAY_LEN(plans); i++) {
		const struct fft_plan *plan = &plans[i % ARRAY_LEN(plans)];
		const struct both both = {
			.fft = *plan,
			.mel = some_bands(&random, fft_bins(plan)),
		};

		if (can_do(plan))
			check_at_once(kernels[i % count], &both,
			    random_below(&random, 2) ? SAMPLES : 1000,
			    1 + random_below(&random, 40));
	}
}

/* ---- logarithms ---- */

static void check_ln(float x)
{
	float out[3];
	const float in[3] = { x, x, x };
	const double wanted = log(x);

	audio_kernels()->ln(in, 0, out, 3);
	if (fabs(out[1] - wanted) > 1e-7 * fabs(wanted))
		fail_msg(
		    "ln %a is %a, not %a", (double)x, (double)out[1], wanted);
	assert_true(out[0] == out[1] && out[1] == out[2]);
}

static void test_ln_is_within_its_bound(void **state)
{
	const uint32_t step = 4999 * (8 / TEST_TIMES(8));
	struct random random = random_stream(3, 0, 0, 0);

	UNUSED(state);
	for (uint32_t bits = 1; bits < 0x7f800000; bits += step) {
		float x;

		memcpy(&x, &bits, sizeof(x));
		check_ln(x);
	}
	for (size_t i = 0; i < TEST_TIMES(200000); i++)
		check_ln((float)(0.5 + 1.5 * random_unit(&random)));
	check_ln(0x1p-149f);
	check_ln(0x1p-126f);
	check_ln(0x1.fffffep127f);
	check_ln(1);
}

static void test_ln_of_what_has_none(void **state)
{
	const float in[] = { 0, -0.0f, -1, INFINITY, -INFINITY, NAN, 1, -5 };
	float out[ARRAY_LEN(in)];

	UNUSED(state);
	audio_kernels()->ln(in, 0, out, ARRAY_LEN(in));
	assert_true(isinf(out[0]) && out[0] < 0);
	assert_true(isinf(out[1]) && out[1] < 0);
	assert_true(isnan(out[2]) && isnan(out[4]) && isnan(out[5]));
	assert_true(isinf(out[3]) && out[3] > 0);
	assert_true(out[6] == 0 && !signbit(out[6]));
	audio_kernels()->ln(in, 6, out, ARRAY_LEN(in));
	assert_true(out[7] == 0);
	assert_float_equal(out[0], 1.791759469, 1e-6);
	audio_kernels()->ln(in, 0, out, 0);
}

/* ---- mel ---- */

/* The matrix of linear_to_mel_weight_matrix, as its documentation tells it. */
static double htk_by_definition(const struct mel_plan *plan, size_t k, size_t b)
{
	const double low = 1127 * log(1 + plan->low / 700);
	const double high = 1127 * log(1 + plan->high / 700);
	const double step = (high - low) / (double)(plan->bands + 1);
	const double at = 1127 * log(1 + plan->rate / 2 * (double)k /
	                                     (double)(plan->bins - 1) / 700);
	const double left = low + step * (double)b;
	const double rises = (at - left) / step;
	const double falls = (left + 2 * step - at) / step;

	return fmax(0, fmin(rises, falls));
}

static void test_mel_weights_are_those_of_htk(void **state)
{
	const struct mel_plan cases[] = {
		{ 513, 80, 16000, 125, 3800, MEL_HTK, MEL_NONE },
		{ 257, 40, 16000, 0, 8000, MEL_HTK, MEL_NONE },
		{ 1025, 128, 44100, 20, 20000, MEL_HTK, MEL_NONE },
		{ 9, 1, 8000, 0, 4000, MEL_HTK, MEL_NONE },
	};

	UNUSED(state);
	for (size_t c = 0; c < ARRAY_LEN(cases); c++)
		for (size_t k = 0; k < cases[c].bins; k++)
			for (size_t b = 0; b < cases[c].bands; b++)
				if (fabs(mel_weight(&cases[c], k, b) -
				         htk_by_definition(&cases[c], k, b)) >
				    1e-9)
					fail_msg("case %zu, bin %zu, band %zu",
					    c, k, b);
}

/* What librosa 0.11 has in its matrix. */
static void test_mel_weights_are_those_of_slaney(void **state)
{
	const struct mel_plan area = { 257, 40, 16000, 0, 8000, MEL_SLANEY,
		MEL_AREA };
	const struct mel_plan peak = { 513, 80, 22050, 60, 7600, MEL_SLANEY,
		MEL_NONE };
	static const struct {
		bool is_area;
		size_t bin, band;
		double weight;
	} cases[] = {
		{ true, 1, 0, 0.005773601070147666 },
		{ true, 13, 5, 0.007094465099373953 },
		{ true, 60, 20, 0.0009490285461901685 },
		{ true, 240, 39, 0.0015189424030991815 },
		{ true, 120, 30, 0.0034691863512170277 },
		{ false, 12, 5, 0.52881763 },
		{ false, 13, 5, 0.87111135 },
		{ false, 14, 5, 0.27104033 },
		{ false, 54, 30, 0.26716715 },
		{ false, 55, 30, 0.76332149 },
		{ false, 57, 30, 0.27182217 },
		{ false, 58, 30, 0 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (fabs(mel_weight(cases[i].is_area ? &area : &peak,
		             cases[i].bin, cases[i].band) -
		         cases[i].weight) > 1e-8)
			fail_msg("case %zu", i);
}

static void check_bands(const struct mel_plan *plan)
{
	const size_t all = FRAMES * plan->bins, out = FRAMES * plan->bands;
	struct random random = random_stream(4, 0, 0, 0);
	float *in = malloc(all * sizeof(*in));
	float *got = malloc(out * sizeof(*got));
	double *wanted = calloc(out, sizeof(*wanted));
	struct error err = ERROR_INIT;
	struct mel *mel = mel_new(plan, &err);

	test_ok(!mel, &err);
	for (size_t i = 0; i < all; i++)
		in[i] = (float)random_unit(&random);
	for (size_t b = 0; b < plan->bands; b++)
		for (size_t k = 0; k < plan->bins; k++) {
			const double weight = mel_weight(plan, k, b);

			for (size_t i = 0; i < FRAMES; i++)
				wanted[i * plan->bands + b] +=
				    in[i * plan->bins + k] * weight;
		}
	mel_run(mel, in, FRAMES, got);
	assert_true(worst_of(got, wanted, FRAMES, plan->bands) < 2e-6);
	mel_free(mel);
	free(in);
	free(got);
	free(wanted);
}

static void test_mel_sums_what_its_weights_say(void **state)
{
	const struct mel_plan cases[] = {
		{ 513, 80, 16000, 125, 3800, MEL_HTK, MEL_NONE },
		{ 257, 80, 16000, 125, 3800, MEL_HTK, MEL_NONE }, /* empty ones
		                                                   */
		{ 257, 40, 16000, 0, 8000, MEL_SLANEY, MEL_AREA },
		{ 2, 3, 8000, 0, 4000, MEL_HTK, MEL_NONE },
		{ 9, 1, 8000, 0, 4000, MEL_SLANEY, MEL_NONE },
		{ 601, 128, 48000, 0, 24000, MEL_HTK, MEL_AREA },
		{ 17, 64, 44100, 1000, 1001, MEL_HTK, MEL_NONE },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_bands(&cases[i]);
}

/* ---- all of it ---- */

struct whole {
	struct fft_plan fft;
	double rate;
};

/*
 * A frame of them.  What is 60 dB below the loudest band drowns in the
 * rounding of floats: there the bound is that of the spectra.
 */
static void check_logs(const struct whole *whole, const float *got,
    const double *bands, size_t count)
{
	const double share = whole->fft.power == 1 ? 1e-3 : 1e-6;
	double most = 0;

	for (size_t b = 0; b < count; b++)
		most = fmax(most, bands[b]);
	for (size_t b = 0; b < count; b++) {
		const double wanted = log(bands[b] + 1e-8);

		if (bands[b] > share * most && fabs(got[b] - wanted) > 1e-4)
			fail_msg("size %zu, band %zu: %g for %g",
			    whole->fft.size, b, (double)got[b], wanted);
	}
}

/* Log-mel against double, of the original's parameters. */
static void check_log_mel(const struct whole *whole)
{
	enum { BANDS = 80 };
	const float plus = 1e-8f;
	const struct mel_plan plan = { fft_bins(&whole->fft), BANDS,
		whole->rate, 125, 3800, MEL_HTK, MEL_NONE };
	float *got = spectra(&whole->fft, SAMPLES, FRAMES);
	double *wanted = spectra_by_definition(&whole->fft, SAMPLES, FRAMES);
	float bands[FRAMES * BANDS], logs[FRAMES * BANDS];
	double exact[FRAMES * BANDS] = { 0 };
	struct error err = ERROR_INIT;
	struct mel *mel = mel_new(&plan, &err);

	test_ok(!mel, &err);
	mel_run(mel, got, FRAMES, bands);
	audio_kernels()->ln(bands, plus, logs, FRAMES * BANDS);
	for (size_t b = 0; b < BANDS; b++)
		for (size_t k = 0; k < plan.bins; k++) {
			const double weight = mel_weight(&plan, k, b);

			for (size_t i = 0; i < FRAMES; i++)
				exact[i * BANDS + b] +=
				    wanted[i * plan.bins + k] * weight;
		}
	assert_true(worst_of(bands, exact, FRAMES, BANDS) < 1e-6);
	for (size_t i = 0; i < FRAMES; i++)
		check_logs(whole, logs + i * BANDS, exact + i * BANDS, BANDS);
	mel_free(mel);
	free(got);
	free(wanted);
}

static void test_log_mel_is_within_1e_4(void **state)
{
	static const struct whole cases[] = {
		{ { 256, 256, 128, FFT_HANN, DTYPE_I16, 1 }, 8000 },
		{ { 320, 512, 160, FFT_HANN, DTYPE_I16, 1 }, 16000 },
		{ { 320, 1024, 160, FFT_HANN, DTYPE_I16, 1 }, 16000 },
		{ { 400, 400, 160, FFT_HANN, DTYPE_F32, 2 }, 16000 },
		{ { 512, 512, 128, FFT_HANN, DTYPE_F32, 2 }, 16000 },
		{ { 960, 1024, 480, FFT_HANN, DTYPE_I16, 1 }, 48000 },
		{ { 1024, 1024, 256, FFT_HANN, DTYPE_I16, 2 }, 22050 },
		{ { 1200, 1200, 600, FFT_HANN, DTYPE_I16, 1 }, 44100 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (can_do(&cases[i].fft))
			check_log_mel(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fft_agrees_with_the_definition),
		cmocka_unit_test(test_fft_takes_what_is_missing_as_zeros),
		cmocka_unit_test(
		    test_fft_gives_the_same_for_any_number_of_frames),
		cmocka_unit_test(test_kernels_give_the_same_logarithms),
		cmocka_unit_test(test_kernels_give_the_same_spectra_and_bands),
		cmocka_unit_test(test_bands_at_once_are_those_one_by_one),
		cmocka_unit_test(test_ln_is_within_its_bound),
		cmocka_unit_test(test_ln_of_what_has_none),
		cmocka_unit_test(test_mel_weights_are_those_of_htk),
		cmocka_unit_test(test_mel_weights_are_those_of_slaney),
		cmocka_unit_test(test_mel_sums_what_its_weights_say),
		cmocka_unit_test(test_log_mel_is_within_1e_4),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
