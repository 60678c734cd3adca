/*
 * bench_signal.c - the steps on signals against what limits them.
 *
 * signal/aggregate: windows of 2 x 64000 doubles, 64 MB of them, so that they
 * come from memory, against a sum of the same doubles.
 * signal/hdf5: a file of ten minutes, two channels of 16-bit counts, shuffled
 * and deflated, into doubles, against H5Dread of the same file's bytes.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/signal/hdf5_writer.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"
#include "test/bench/bench.h"

enum {
	WINDOWS = 64,
	LENGTH = 64000,
	COUNTS = 10 * 60 * 6400,
	CHUNK = 1 << 14,
	PAIRS = 8,
};

/* ---- a step ---- */

struct runner {
	const struct step_ops *ops;
	void *options, *priv;
	struct tensor out;
};

static void runner_open(struct runner *runner, const struct step_ops *ops,
    const char *option, const char *value, const struct type *in)
{
	struct error err = ERROR_INIT;
	struct type out;

	*runner = (struct runner){ .ops = ops };
	runner->options = bench_alloc(ops->options_size);
	runner->priv = calloc(1, ops->priv_size);
	memcpy(runner->options, ops->defaults, ops->options_size);
	if (!runner->priv ||
	    option_set(ops->options, runner->options, option, value, &err) ||
	    ops->bind(runner->priv, runner->options, in, &out, &err))
		bench_die(&err);
}

static void runner_run(struct runner *runner, const struct tensor *in)
{
	struct error err = ERROR_INIT;

	if (runner->ops->run(runner->priv, NULL, in, &runner->out, &err))
		bench_die(&err);
}

static void runner_close(struct runner *runner)
{
	if (runner->ops->release)
		runner->ops->release(runner->priv);
	tensor_release(&runner->out);
	free(runner->priv);
	free(runner->options);
}

/* ---- aggregate ---- */

struct windows {
	struct runner runner;
	double *data;
	volatile double sum;
};

static double aggregate(void *arg, unsigned times)
{
	static const struct shape shape = { 2, { 2, LENGTH } };
	struct windows *windows = arg;
	struct tensor in = TENSOR_INIT;

	for (size_t i = 0; i < (size_t)times * WINDOWS; i++) {
		tensor_view(&in, DTYPE_F64, &shape,
		    windows->data + i % WINDOWS * 2 * LENGTH);
		runner_run(&windows->runner, &in);
	}
	return (double)times * WINDOWS * 2 * LENGTH * sizeof(double);
}

/* In so many registers that the memory is the limit. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

static double sum_up(const double *data, size_t count)
{
	pair sums[PAIRS] = { { 0 } }, some;
	double total = 0;

	for (size_t i = 0; i < count; i += 2 * PAIRS)
#pragma GCC unroll 8
		for (size_t k = 0; k < PAIRS; k++) {
			memcpy(&some, data + i + 2 * k, sizeof(some));
			sums[k] += some;
		}
#pragma GCC unroll 8
	for (size_t k = 0; k < PAIRS; k++)
		total += sums[k][0] + sums[k][1];
	return total;
}

static double sum(void *arg, unsigned times)
{
	struct windows *windows = arg;

	for (unsigned i = 0; i < times; i++)
		for (size_t w = 0; w < WINDOWS; w++)
			windows->sum +=
			    sum_up(windows->data + w * 2 * LENGTH, 2 * LENGTH);
	return (double)times * WINDOWS * 2 * LENGTH * sizeof(double);
}

static void bench_aggregate(const struct bench_args *args)
{
	static const struct type type = { .dtype = DTYPE_F64,
		.shape = { 2, { 2, LENGTH } } };
	struct random random = random_stream(1, 0, 0, 0);
	struct windows windows = { .sum = 0 };
	const size_t count = (size_t)WINDOWS * 2 * LENGTH;

	windows.data = bench_alloc(count * sizeof(*windows.data));
	for (size_t i = 0; i < count; i++)
		windows.data[i] = random_unit(&random);
	runner_open(&windows.runner, &step_aggregate, "period", "128", &type);
	bench_run("signal/aggregate", &bench_mb_per_s, args->rounds,
	    &(struct bench_side){ .run = aggregate, .arg = &windows },
	    &(struct bench_side){ .run = sum, .arg = &windows });
	runner_close(&windows.runner);
	free(windows.data);
}

/* ---- hdf5 ---- */

struct file {
	struct runner runner;
	struct buf bytes;
	double *doubles;
};

static const char *const names[] = { "/voltage", "/current1" };

static double read_file(void *arg, unsigned times)
{
	struct file *file = arg;
	struct tensor in = TENSOR_INIT;

	tensor_view_encoded(&in, file->bytes.data, file->bytes.len, "hdf5");
	for (unsigned i = 0; i < times; i++)
		runner_run(&file->runner, &in);
	return (double)times * COUNTS * sizeof(double) * ARRAY_LEN(names);
}

static void require(bool is_good)
{
	if (is_good)
		return;
	fprintf(stderr, "bench: libhdf5 did not do its work\n");
	exit(1);
}

/* The same, calibrated: the library's image, and its conversion to double. */
static double read_barely(void *arg, unsigned times)
{
	struct file *file = arg;

	for (unsigned i = 0; i < times; i++) {
		const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
		hid_t id;

		H5Pset_fapl_core(fapl, 1 << 20, false);
		H5Pset_file_image(fapl, file->bytes.data, file->bytes.len);
		id = H5Fopen("bare", H5F_ACC_RDONLY, fapl);
		require(id >= 0);
		for (size_t k = 0; k < ARRAY_LEN(names); k++) {
			const hid_t dataset =
			    H5Dopen2(id, names[k], H5P_DEFAULT);
			double *out = file->doubles + k * COUNTS;

			require(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL,
			            H5S_ALL, H5P_DEFAULT, out) >= 0);
			for (size_t j = 0; j < COUNTS; j++)
				out[j] = (out[j] - 12) * 0.03;
			H5Dclose(dataset);
		}
		H5Fclose(id);
		H5Pclose(fapl);
	}
	return (double)times * COUNTS * sizeof(double) * ARRAY_LEN(names);
}

/* Counts as a converter gives them: a wave, and some noise. */
static void make_file(struct file *file)
{
	struct random random = random_stream(2, 0, 0, 0);
	int16_t *counts = bench_alloc(COUNTS * sizeof(*counts));
	struct error err = ERROR_INIT;
	const struct hdf5_signal signals[] = {
		{ names[0], counts, 0.03, 12 },
		{ names[1], counts, 0.03, 12 },
	};

	for (size_t i = 0; i < COUNTS; i++) {
		const int32_t x = (int32_t)(i % 128) - 64;

		counts[i] = (int16_t)(x * (64 - (x < 0 ? -x : x)) * 9 +
		                      (int)random_below(&random, 40));
	}
	if (hdf5_encode(signals, 2, COUNTS, CHUNK, &file->bytes, &err))
		bench_die(&err);
	free(counts);
}

static void bench_hdf5(const struct bench_args *args)
{
	static const struct type type = { DTYPE_U8, LAYOUT_ENCODED,
		{ 1, { -1 } }, "hdf5" };
	struct file file = { .bytes = BUF_INIT };

	make_file(&file);
	file.doubles =
	    bench_alloc(COUNTS * ARRAY_LEN(names) * sizeof(*file.doubles));
	runner_open(
	    &file.runner, &step_hdf5, "datasets", "/voltage,/current1", &type);
	bench_run("signal/hdf5", &bench_mb_per_s, args->rounds,
	    &(struct bench_side){ .run = read_file, .arg = &file },
	    &(struct bench_side){
	        .run = read_barely, .arg = &file, .is_library = true });
	runner_close(&file.runner);
	free(file.doubles);
	buf_release(&file.bytes);
}

int main(int argc, char **argv)
{
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	bench_aggregate(&args);
	bench_hdf5(&args);
	return 0;
}
