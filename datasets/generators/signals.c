/*
 * signals.c - HDF5 files of mains voltage and current with the statistics of
 * CREAM: two channels of 6400 counts a second, 16 bits, shuffled and deflated;
 * and signals.conf, which reads them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "datasets/generator.h"
#include "datasets/generators/crew.h"
#include "datasets/generators/mains.h"
#include "lib/base/error.h"
#include "lib/base/option.h"
#include "lib/base/random.h"
#include "lib/signal/hdf5_writer.h"

enum {
	STEP_SIGNALS = 0x73696773, /* its own random stream */
	FILE_NAME = 32,
	CHUNK = 1 << 14, /* counts */
};

struct signals_options {
	uint64_t minutes;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "minutes", struct signals_options, minutes, 1, 600,
	    "minutes that a file is long"),
	OPTION_TABLE_END,
};

static const struct signals_options defaults = { .minutes = 2 };

static const char pipeline_text[] =
    "# signals.conf - the NILM pipeline of the PRESTO paper, over signals\n"
    "# made by: presto generate signals --count %" PRIu64 " --seed %" PRIu64
    " --set minutes=%" PRIu64 "\n"
    "[dataset]\n"
    "source = folder\n"
    "path   = .\n"
    "match  = *.hdf5\n"
    "\n"
    "[pipeline]              ; name of the representation = step\n"
    "decoded    = hdf5 datasets=/voltage,/current1\n"
    "windowed   = window length=64000   ; 10 s: one file gives many samples\n"
    "aggregated = aggregate period=128\n"
    "\n"
    "[strategies]\n"
    "split = all\n"
    "store = tar, tfrecord\n"
    "codec = none, gzip, zstd:1\n"
    "\n"
    "[load]\n"
    "threads = 2\n"
    "cache   = none, system\n"
    "batch   = 64\n"
    "\n"
    "[measure]\n"
    "samples = %" PRIu64 "\n"
    "epochs  = 2\n"
    "runs    = 5\n";

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

static int write_pipeline(const struct generate_plan *plan, struct error *err)
{
	const struct signals_options *wanted = plan->options;
	struct buf text = BUF_INIT;
	int rc = -1;

	if (buf_printf(&text, err, pipeline_text, plan->count, plan->seed,
	        wanted->minutes, crew_samples(plan)) == 0)
		rc =
		    crew_write(plan->dir, "signals.conf", buf_span(&text), err);
	buf_release(&text);
	return rc;
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
	return write_pipeline(plan, err);
}

const struct generator_ops generator_signals = {
	.name = "signals",
	.summary = "HDF5 files of mains voltage and current, as CREAM's",
	.default_count = 12,
	.options = options,
	.options_size = sizeof(struct signals_options),
	.defaults = &defaults,
	.run = signals_run,
};
