/*
 * bench_trace.c - what it costs to measure each step.
 *
 * trace/on-KIND: epochs of the traced pass, against epochs without, of the same
 * loader, in turn.  trace/off-KIND: epochs without, of a loader that has traced
 * one, against those of a loader that never did: nothing of it stays.
 * trace/hooks-KIND: the latter against those of a loader that is built without
 * tracing (WITHOUT_TRACE): what it costs to ask.
 *
 * KIND is floats: small tensors and a step of less than a microsecond; nothing:
 * samples of 64 bytes in the application cache, and no step; tensors: larger
 * ones, as they are; jpeg: photographs.
 *
 * All threads are on one core, and it is CPU time that counts: where a sample
 * takes less than it does to wake a thread on another core, a row would tell
 * where the kernel has put them.
 */
#include <stdio.h>

#include "lib/base/array.h"
#include "test/bench/data.h"
#include "test/bench/load.h"

enum { BATCH = 64, TEXT = 512 };

struct kind {
	const char *name, *dataset;
	const char *pipeline; /* of photographs, where there is no dataset */
	const char *stored;   /* NULL: in the application cache */
};

static const struct kind kinds[] = {
	{ .name = "floats",
	    .dataset = "shape = 1024\ndtype = float32\ncount = 40000\n",
	    .pipeline = "same = normalize mean=0.5 std=0.5 scale=no\n",
	    .stored = "raw/npy/none" },
	{ .name = "nothing",
	    .dataset = "shape = 64\ncount = 100000\n",
	    .pipeline = "same = identity\n" },
	{ .name = "tensors",
	    .dataset = "shape = 150528\ncount = 1000\n",
	    .pipeline = "same = identity\n",
	    .stored = "raw/npy/none" },
	{ .name = "jpeg",
	    .pipeline = "decoded = jpeg_decode\n"
	                "resized = resize shorter=256\n"
	                "centered = center\n"
	                "cropped = random_crop size=224\n" },
};

static void open_kind(
    struct data *data, const struct kind *kind, const struct bench_args *args)
{
	char text[TEXT];

	if (!kind->dataset) {
		data_open_photos(data, args->photos, kind->pipeline);
		return;
	}
	snprintf(text, sizeof(text),
	    "[dataset]\nsource = synthetic\n%s[pipeline]\n%s", kind->dataset,
	    kind->pipeline);
	data_open(data, text);
	if (kind->stored)
		data_store(data, kind->stored, args->work);
	else
		data_keep(data);
}

static void compare(const char *row, const struct kind *kind, unsigned rounds,
    const struct bench_side *side, const struct bench_side *limit)
{
	char name[BENCH_NAME];

	snprintf(name, sizeof(name), "trace/%s-%s", row, kind->name);
	bench_run(name, &bench_samples_per_cpu_s, rounds, side, limit);
}

static void bench_kind(const struct kind *kind, const struct bench_args *args)
{
	struct data data;
	struct load load, never, traced, without;
	const struct bench_side bare = { .run = untraced_load_samples,
		.arg = &without };
	const struct bench_side fresh = { .run = load_samples, .arg = &never };
	const struct bench_side after = { .run = load_samples, .arg = &load };
	const struct bench_side during = { .run = load_samples,
		.arg = &traced };

	open_kind(&data, kind, args);
	load_init(&load, &data, 1, BATCH);
	load_init(&never, &data, 1, BATCH);
	untraced_load_init(&without, &data, 1, BATCH);
	traced = load;
	traced.trace = true;
	load_samples(&traced, 1);
	compare("hooks", kind, args->rounds, &fresh, &bare);
	compare("off", kind, args->rounds, &after, &fresh);
	compare("on", kind, args->rounds, &during, &after);
	untraced_load_release(&without);
	load_release(&never);
	load_release(&load);
	data_close(&data);
}

int main(int argc, char **argv)
{
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	bench_pin(true);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		bench_kind(&kinds[i], &args);
	return 0;
}
