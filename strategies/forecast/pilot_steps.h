/*
 * pilot_steps.h - the state of a pilot, and one sample that goes through all
 * steps; for pilot.c and pilot_steps.c only.
 */
#ifndef STRATEGIES_FORECAST_PILOT_STEPS_H
#define STRATEGIES_FORECAST_PILOT_STEPS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "lib/pipeline/pipeline.h"
#include "lib/sample/reader.h"
#include "strategies/forecast/models/sizes.h"
#include "strategies/forecast/shapes.h"

struct chain;
struct error;
struct held;
struct model;
struct packer;

/* Figures of one sample of the source: time of steps, and results. */
struct tally {
	double step_s[PIPELINE_STEPS];
	double online_s[PIPELINE_STEPS + 1];
	/* The steps in front of a representation, run as one. */
	double offline_s[PIPELINE_STEPS + 1];
	double field_bytes[PIPELINE_STEPS + 1];
	double many[PIPELINE_STEPS + 1];
	struct shapes shapes[PIPELINE_STEPS + 1];
};

/* The steps in front of each split, run as one. */
struct pilot_heads {
	/* From the source to a split; NULL: the split has one step or none. */
	struct chain *chains[PIPELINE_STEPS + 1];
	/*
	 * All steps in front of each representation, one by one and as one:
	 * the time that the samples took whose heads were timed.
	 */
	double apart_s[PIPELINE_STEPS + 1], fused_s[PIPELINE_STEPS + 1];
};

/* The sample that goes through the steps. */
struct pilot_current {
	double source_bytes; /* bytes of its files; 0: unknown */
	bool times_tails;    /* heads and tails are timed */
	bool warming;        /* this pass is not counted */
};

struct pilot {
	struct model *model;
	const struct reader *source;
	struct chain *decoding; /* undoes the source's codec; NULL: none */
	struct sample decoded;
	double unpack_s; /* per sample of the current chunk */
	struct chain *chains[PIPELINE_STEPS]; /* one a step */
	struct chain *tails[PIPELINE_STEPS];  /* from a split to the end */
	struct pilot_heads heads;
	struct sample out; /* output of tails and heads */
	struct sample reps[PIPELINE_STEPS + 1];
	struct tally tally;
	struct sizes sizes;
	struct held *held;
	struct pilot_current current;
	uint64_t began_ns;
	unsigned tails_timed; /* samples */
	struct packer *packer;
	struct chunk chunk;
	void *unpacker;
	bool timed, skip_errors;
	const atomic_bool *stop;
};

/* Opens its chains, and closes them. */
int pilot_steps_open(struct pilot *pilot, struct error *err);
void pilot_steps_close(struct pilot *pilot);

/*
 * Runs a pilot sample, and adds it to the model.  The very first one goes
 * twice, to warm up buffers.
 */
int pilot_sample(
    struct pilot *pilot, const struct sample *in, struct error *err);

#endif
