/* test_signal_steps.c - window, aggregate and rms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/signal/sums.h"
#include "lib/signal/sums_kernels.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

static struct type type_of(enum dtype dtype, int64_t rows, int64_t n)
{
	return (struct type){
		.dtype = dtype,
		.shape = { .count = 2, .dims = { rows, n } },
	};
}

static void make(
    struct tensor *tensor, enum dtype dtype, int64_t rows, int64_t n)
{
	const struct shape shape = { .count = 2, .dims = { rows, n } };
	struct random random = random_stream(7, 0, 0, 0);
	struct error err = ERROR_INIT;

	test_ok(tensor_reshape(tensor, dtype, &shape, &err), &err);
	for (int64_t i = 0; i < rows * n; i++) {
		const double x = 100 * random_normal(&random);

		if (dtype == DTYPE_F32)
			((float *)tensor->data)[i] = (float)x;
		else if (dtype == DTYPE_F64)
			((double *)tensor->data)[i] = x;
		else if (dtype == DTYPE_U8)
			((uint8_t *)tensor->data)[i] =
			    (uint8_t)random_below(&random, 256);
		else
			((int16_t *)tensor->data)[i] = (int16_t)x;
	}
}

static double at(const struct tensor *tensor, size_t i)
{
	switch (tensor->dtype) {
	case DTYPE_U8:
		return ((uint8_t *)tensor->data)[i];
	case DTYPE_I16:
		return ((int16_t *)tensor->data)[i];
	case DTYPE_F32:
		return ((float *)tensor->data)[i];
	default:
		return ((double *)tensor->data)[i];
	}
}

/* `part` of the size of the numbers that it was made of. */
static void near(double got, double want, double size, double part)
{
	const double allowed = part * (fabs(want) + size);

	if (!(fabs(got - want) <= allowed))
		fail_msg("%.17g, not %.17g", got, want);
}

/* ---- aggregate ---- */

struct wanted {
	double active, reactive, apparent, rms;
};

/* In long double, one after another. */
static struct wanted reference(
    const struct tensor *in, size_t n, size_t period, size_t k)
{
	long double vi = 0, ii = 0, vv = 0, s;

	for (size_t j = k * period; j < (k + 1) * period; j++) {
		const long double v = at(in, j), i = at(in, n + j);

		vi += v * i;
		ii += i * i;
		vv += v * v;
	}
	vi /= (long double)period;
	s = vv / (long double)period * ii / (long double)period;
	return (struct wanted){
		.active = (double)vi,
		.reactive = s > vi * vi ? (double)sqrtl(s - vi * vi) : 0,
		.apparent = (double)sqrtl(s),
		.rms = (double)sqrtl(ii / (long double)period),
	};
}

static void check_aggregate(
    enum dtype dtype, size_t n, size_t period, double part)
{
	const size_t count = n / period;
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct type type = type_of(dtype, 2, -1);
	double mean = 0, sum = 0;
	char words[128];

	snprintf(words, sizeof(words),
	    "aggregate period=%zu outputs=reactive,active,rms,cumsum", period);
	make(&in, dtype, 2, (int64_t)n);
	stepper_once(words, &type, &in, &out);
	assert_int_equal(out.dtype, dtype);
	assert_int_equal(out.shape.count, 2);
	assert_int_equal(out.shape.dims[0], 4);
	assert_int_equal(out.shape.dims[1], count);
	for (size_t k = 0; k < count; k++)
		mean += reference(&in, n, period, k).rms / (double)count;
	for (size_t k = 0; k < count; k++) {
		const struct wanted want = reference(&in, n, period, k);

		/* The root of a difference: as good as its square is. */
		near(at(&out, k) * at(&out, k), want.reactive * want.reactive,
		    want.apparent * want.apparent, part);
		near(at(&out, count + k), want.active, want.apparent, part);
		near(at(&out, 2 * count + k), want.rms, 0, part);
		sum += want.rms - mean;
		near(at(&out, 3 * count + k), sum, mean * (double)count, part);
	}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_aggregate_is_what_the_definition_says(void **state)
{
	static const struct {
		size_t n, period;
	} cases[] = { { 64000, 128 }, { 1000, 7 }, { 1001, 500 }, { 130, 1 },
		{ 5, 128 }, { 0, 4 }, { 8191, 13 } };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		check_aggregate(DTYPE_F64, cases[i].n, cases[i].period, 1e-12);
		check_aggregate(DTYPE_F32, cases[i].n, cases[i].period, 1e-6);
	}
}

static void test_aggregate_makes_the_sizes_of_the_paper(void **state)
{
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct type type = type_of(DTYPE_F64, 2, 64000);

	UNUSED(state);
	make(&in, DTYPE_F64, 2, 64000);
	stepper_once("aggregate", &type, &in, &out);
	assert_int_equal(in.bytes, 1024000);
	assert_int_equal(out.bytes, 12000);
	tensor_release(&in);
	tensor_release(&out);
}

static void check_refused(
    const char *words, const struct type *type, const char *text)
{
	struct error err = ERROR_INIT;
	struct stepper stepper;

	assert_int_equal(stepper_open(&stepper, words, type, &err), -1);
	assert_int_equal(err.code, ERROR_USAGE);
	test_contains(err.text, text);
	stepper_close(&stepper);
}

static void test_aggregate_refuses_in_words(void **state)
{
	const struct type good = type_of(DTYPE_F64, -1, -1);
	const struct type ints = type_of(DTYPE_I16, 2, -1);
	const struct type three = type_of(DTYPE_F64, 3, -1);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct stepper stepper;

	UNUSED(state);
	check_refused("aggregate", &ints, "not int16 2x?");
	check_refused("aggregate", &three, "not float64 3x?");
	check_refused("aggregate outputs=rms,power", &good, "got 'power'");
	check_refused("aggregate outputs=rms,", &good, "got ''");
	make(&in, DTYPE_F64, 3, 300);
	test_ok(stepper_open(&stepper, "aggregate", &good, &err), &err);
	test_error_is(stepper_run(&stepper, 0, &in, &out, &err), &err,
	    "takes 2 signals, voltage and current, not 3");
	stepper_close(&stepper);
	tensor_release(&in);
	tensor_release(&out);
}

/* ---- rms ---- */

static void check_rms(enum dtype dtype, size_t n, size_t period)
{
	const bool is_double = dtype == DTYPE_F64;
	struct type type = type_of(dtype, 2, (int64_t)n / 2);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	char words[64];

	snprintf(words, sizeof(words), "rms period=%zu", period);
	make(&in, dtype, 2, (int64_t)n / 2);
	stepper_once(words, &type, &in, &out);
	assert_int_equal(out.dtype, is_double ? DTYPE_F64 : DTYPE_F32);
	assert_int_equal(out.shape.count, 1);
	assert_int_equal(out.shape.dims[0], n / period);
	for (size_t k = 0; k < n / period; k++) {
		long double sum = 0;

		for (size_t j = k * period; j < (k + 1) * period; j++)
			sum += (long double)at(&in, j) * at(&in, j);
		near(at(&out, k), (double)sqrtl(sum / (long double)period), 0,
		    is_double ? 1e-13 : 1e-7);
	}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_rms_is_what_the_definition_says(void **state)
{
	static const enum dtype types[] = { DTYPE_U8, DTYPE_I16, DTYPE_F32,
		DTYPE_F64 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		check_rms(types[i], 100000, 500);
		check_rms(types[i], 1000, 3);
		check_rms(types[i], 998, 499);
		check_rms(types[i], 10, 500);
		check_rms(types[i], 1000000, 1000000);
	}
}

/* 255 everywhere, as many as there can be: nothing overflows. */
static void test_rms_of_bytes_is_exact(void **state)
{
	enum { COUNT = 20000003 };
	unsigned char *bytes = malloc(COUNT);
	double rms = 0;

	UNUSED(state);
	assert_non_null(bytes);
	memset(bytes, 255, COUNT);
	sums_rms(DTYPE_U8, bytes, COUNT, 1, &rms);
	assert_true(rms == 255);
	free(bytes);
}

/* Eight lanes, whose halves are added up. */
static double sum_of_lanes(const double *products, size_t count)
{
	double s[8] = { 0 };

	for (size_t i = 0; i < count; i++)
		s[i % 8] += products[i];
	return ((s[0] + s[4]) + (s[2] + s[6])) +
	       ((s[1] + s[5]) + (s[3] + s[7]));
}

static void check_sums(const struct sums_kernels *kernels, enum dtype dtype,
    const unsigned char *data, size_t period)
{
	enum { MOST = 1000 };
	struct tensor reals = TENSOR_INIT;
	double v[MOST], i[MOST], vi[MOST], ii[MOST], vv[MOST], rms;
	struct power_sums power;

	tensor_view(
	    &reals, dtype, &(struct shape){ 1, { 2 * (int64_t)period } }, data);
	for (size_t k = 0; k < period; k++) {
		v[k] = at(&reals, k);
		i[k] = at(&reals, period + k);
		vi[k] = v[k] * i[k];
		ii[k] = i[k] * i[k];
		vv[k] = v[k] * v[k];
	}
	kernels->rms(dtype, data, period, 1, &rms);
	assert_true(rms == sqrt(sum_of_lanes(vv, period) / (double)period));
	if (dtype != DTYPE_F32 && dtype != DTYPE_F64)
		return;
	kernels->power(
	    dtype, data, data + period * dtype_bytes(dtype), period, 1, &power);
	assert_true(power.vi == sum_of_lanes(vi, period));
	assert_true(power.ii == sum_of_lanes(ii, period));
	assert_true(power.vv == sum_of_lanes(vv, period));
}

static void test_sums_are_the_same_bits_on_every_processor(void **state)
{
	static const enum dtype types[] = { DTYPE_U8, DTYPE_I16, DTYPE_F32,
		DTYPE_F64 };
	static const size_t periods[] = { 1, 7, 8, 31, 128, 256, 257, 999 };
	const struct sums_kernels *avx2 = sums_kernels_avx2();

	UNUSED(state);
	for (size_t t = 0; t < ARRAY_LEN(types); t++) {
		struct tensor signal = TENSOR_INIT;

		make(&signal, types[t], 2, 1000);
		for (size_t p = 0; p < ARRAY_LEN(periods); p++) {
			check_sums(&sums_kernels_plain, types[t], signal.data,
			    periods[p]);
			if (avx2)
				check_sums(
				    avx2, types[t], signal.data, periods[p]);
		}
		tensor_release(&signal);
	}
}

/* What there is no reference for above; and at odd addresses. */
static void test_rms_takes_any_type_at_any_address(void **state)
{
	unsigned char bytes[1 + 40 * 8];

	UNUSED(state);
	for (enum dtype dtype = 0; dtype < DTYPE_COUNT; dtype++) {
		const size_t size = dtype_bytes(dtype);
		double rms = 0;

		if (!sums_know(dtype))
			continue;
		memset(bytes, 0, sizeof(bytes));
		for (size_t i = 0; i < 40; i++) {
			const float f = 3;
			const double d = 3;

			if (dtype == DTYPE_F32)
				memcpy(bytes + 1 + i * size, &f, size);
			else if (dtype == DTYPE_F64)
				memcpy(bytes + 1 + i * size, &d, size);
			else /* the lowest byte comes first */
				bytes[1 + i * size] = 3;
		}
		sums_rms(dtype, bytes + 1, 39, 1, &rms);
		assert_true(rms == 3);
	}
}

static void test_rms_takes_no_files(void **state)
{
	const struct type file = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
		"npy" };
	const struct type half = type_of(DTYPE_F16, 2, -1);

	UNUSED(state);
	check_refused("rms", &file, "not npy bytes");
	check_refused("rms", &half, "not float16");
	check_refused("rms period=0", &half, "period must be 1 to");
}

/* ---- window ---- */

static struct schema two_fields(void)
{
	struct schema schema = { .count = 0 };
	const struct type signal = type_of(DTYPE_I16, 3, -1);
	const struct type other = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
		"txt" };
	struct error err = ERROR_INIT;

	test_ok(schema_add(&schema, "data", &signal, &err), &err);
	test_ok(schema_add(&schema, "note", &other, &err), &err);
	return schema;
}

static void check_windows(
    size_t n, size_t length, size_t hop, bool pads, uint64_t wanted)
{
	const struct schema schema = two_fields();
	struct sample in = SAMPLE_INIT, out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper stepper;
	uint64_t count = 99;
	char words[128];

	snprintf(words, sizeof(words), "window length=%zu hop=%zu rest=%s",
	    length, hop, pads ? "pad" : "drop");
	in.count = 2;
	in.label = 4;
	make(&in.fields[0], DTYPE_I16, 3, (int64_t)n);
	tensor_view_encoded(&in.fields[1], "note", 4, "txt");
	test_ok(stepper_open_sample(&stepper, words, &schema, 1, &err), &err);
	test_ok(stepper_begin(&stepper, 0, &in, &count, &err), &err);
	if (count != wanted)
		fail_msg("%s of %zu: %llu windows", words, n,
		    (unsigned long long)count);
	for (uint64_t i = count; i-- > 0;) {
		test_ok(stepper_make(&stepper, 0, &in, i, &out, &err), &err);
		assert_int_equal(out.fields[0].shape.dims[1], length);
		assert_ptr_equal(out.fields[1].data, in.fields[1].data);
		assert_string_equal(out.fields[1].suffix, "txt");
		for (size_t k = 0; k < 3 * length; k++) {
			const size_t row = k / length;
			const size_t from = i * hop + k % length;

			assert_true(
			    at(&out.fields[0], k) ==
			    (from < n ? at(&in.fields[0], row * n + from) : 0));
		}
	}
	stepper_close(&stepper);
	sample_release(&in);
	sample_release(&out);
}

static void test_window_cuts_at_every_hop(void **state)
{
	UNUSED(state);
	check_windows(1000, 100, 100, false, 10);
	check_windows(1099, 100, 100, false, 10);
	check_windows(1099, 100, 100, true, 11);
	check_windows(1000, 100, 100, true, 10);
	check_windows(1000, 100, 30, false, 31);
	check_windows(1000, 100, 30, true, 31);
	check_windows(1001, 100, 30, true, 32);
	check_windows(1000, 10, 300, false, 4);
	check_windows(1000, 10, 300, true, 5);
	check_windows(99, 100, 100, false, 0);
	check_windows(99, 100, 100, true, 1);
	check_windows(0, 100, 100, true, 0);
	check_windows(7, 1, 1, false, 7);
}

static void check_window_refused(
    const char *words, unsigned fields, const char *text)
{
	const struct schema schema = two_fields();
	struct error err = ERROR_INIT;
	struct stepper stepper;

	assert_int_equal(
	    stepper_open_sample(&stepper, words, &schema, fields, &err), -1);
	test_contains(err.text, text);
	stepper_close(&stepper);
}

static void test_window_refuses_in_words(void **state)
{
	UNUSED(state);
	check_window_refused("window", 1, "length must be given");
	check_window_refused("window length=0", 1, "length must be 1 to");
	check_window_refused("window length=5", 2, "not txt bytes");
}

static void test_window_wants_fields_of_one_length(void **state)
{
	struct schema schema = two_fields();
	struct sample in = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper stepper;
	uint64_t count;

	UNUSED(state);
	schema.fields[1].type = type_of(DTYPE_F32, 1, -1);
	make(&in.fields[0], DTYPE_I16, 3, 40);
	make(&in.fields[1], DTYPE_F32, 1, 30);
	in.count = 2;
	test_ok(
	    stepper_open_sample(&stepper, "window length=10", &schema, 3, &err),
	    &err);
	test_error_is(stepper_begin(&stepper, 0, &in, &count, &err), &err,
	    "fields have 4 and 3 windows");
	stepper_close(&stepper);
	sample_release(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aggregate_is_what_the_definition_says),
		cmocka_unit_test(test_aggregate_makes_the_sizes_of_the_paper),
		cmocka_unit_test(test_aggregate_refuses_in_words),
		cmocka_unit_test(test_rms_is_what_the_definition_says),
		cmocka_unit_test(test_rms_of_bytes_is_exact),
		cmocka_unit_test(
		    test_sums_are_the_same_bits_on_every_processor),
		cmocka_unit_test(test_rms_takes_any_type_at_any_address),
		cmocka_unit_test(test_rms_takes_no_files),
		cmocka_unit_test(test_window_cuts_at_every_hop),
		cmocka_unit_test(test_window_refuses_in_words),
		cmocka_unit_test(test_window_wants_fields_of_one_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
