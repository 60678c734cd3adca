/*
 * signals.c - HDF5 files of mains voltage and current with the statistics of
 * CREAM: two channels of 6400 counts per second, 16 bits, shuffled and
 * deflated; and signals.conf, which reads them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "datasets/generator.h"
#include "datasets/generators/crew.h"
#include "datasets/generators/mains.h"
#include "datasets/generators/pipeline_file.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/signal/hdf5_writer.h"
#include "lib/syntax/option.h"

enum {
	STEP_SIGNALS = 0x73696773, /* own random stream */
	FILE_NAME = 32,
	CHUNK = 1 << 14, /* counts in a chunk */
};

struct signals_options {
	uint64_t minutes;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "minutes", struct signals_options, minutes, 1, 600,
	    "length of a file in minutes"),
	OPTION_TABLE_END,
};

static const struct signals_options defaults = { .minutes = 2 };

static const struct pipeline_file pipeline = {
	.about = "the NILM pipeline of the PRESTO paper, over signals",
	.dataset = "source = folder\npath   = .\nmatch  = *.hdf5\n",
	.steps = "decoded    = hdf5 datasets=/voltage,/current1\n"
	         "windowed   = window length=64000   ; 10 s: one file gives "
	         "many samples\n"
	         "aggregated = aggregate period=128\n",
};

struct recorder {
	struct buf counts, file;
};

static int make_file(void *state, const struct generate_plan *plan,
    uint64_t number, struct error *err)
{
	const struct signals_options *wanted = plan->options;
	const size_t length = (size_t)wanted->minutes * 60 * MAINS_RATE;
	struct random random =
	    random_stream(plan->seed, 0, number, STEP_SIGNALS);
	struct recorder *recorder = state;
	struct hdf5_signal signals[] = {
		{ "/voltage", NULL, mains_volts, mains_volts_offset },
		{ "/current1", NULL, mains_amperes, mains_amperes_offset },
	};
	char name[FILE_NAME];
	int16_t *counts;

	if (buf_reserve(&recorder->counts, 2 * length * sizeof(*counts), err))
		return -1;
	counts = (int16_t *)(void *)recorder->counts.data;
	mains_fill(&random, counts, counts + length, length);
	signals[0].counts = counts;
	signals[1].counts = counts + length;
	recorder->file.len = 0;
	if (hdf5_encode(signals, 2, length, CHUNK, &recorder->file, err))
		return -1;
	snprintf(name, sizeof(name), "mains_%06" PRIu64 ".hdf5", number);
	return crew_write(plan->dir, name, buf_span(&recorder->file), err);
}

static void release(void *state)
{
	struct recorder *recorder = state;

	buf_release(&recorder->counts);
	buf_release(&recorder->file);
}

static int signals_run(const struct generate_plan *plan, struct error *err)
{
	static const struct crew_job job = {
		.state_size = sizeof(struct recorder),
		.make = make_file,
		.release = release,
	};

	if (crew_run(plan, &job, err))
		return -1;
	return pipeline_file_write(&generator_signals, plan, &pipeline, err);
}

const struct generator_ops generator_signals = {
	.name = "signals",
	.makes = "recordings",
	.summary = "HDF5 files of mains voltage and current, as CREAM's",
	.default_count = 12,
	.options = options,
	.options_size = sizeof(struct signals_options),
	.defaults = &defaults,
	.run = signals_run,
};
