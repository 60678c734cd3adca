/*
 * rates.h - how fast one machine prepares a strategy of a pipeline: as a
 * session has measured it, else as the pilot forecasts it.
 */
#ifndef CMD_SCALE_RATES_H
#define CMD_SCALE_RATES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/db/results.h"
#include "strategies/whatif/scale.h"

struct error;
struct option_texts;

struct scale_question {
	const char *path;     /* the pipeline file */
	const char *strategy; /* NULL: the recommended, or the fastest */
	const char *db;       /* NULL: the usual one */
	int64_t session;      /* 0: the newest of this pipeline */
	unsigned threads;     /* 0: the cores */
	const struct option_texts *sets;
	const atomic_bool *stop;
};

struct scale_evidence {
	char strategy[RESULTS_LABEL];
	struct scale_rates rates;
	double full_samples; /* as the pipeline file says */
	unsigned threads;
	int64_t session; /* it measured the rates; 0: they are a forecast */
	double measured; /* samples that the session prepared */
};

int scale_find_rates(struct scale_evidence *evidence,
    const struct scale_question *question, struct error *err);

#endif
