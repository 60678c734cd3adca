/*
 * benchmarks.h - trials in the JSON forms that CI services read: Bencher Metric
 * Format, and that of github-action-benchmark for "customBiggerIsBetter".
 */
#ifndef CMD_REPORT_BENCHMARKS_H
#define CMD_REPORT_BENCHMARKS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmd/writers/json.h"

struct error;
struct grid;
struct results;

/* In this order after --form. */
#define BENCHMARKS_FORMS "none|bmf|github-action-benchmark"
enum benchmarks_form { BENCHMARKS_NONE, BENCHMARKS_BMF, BENCHMARKS_GITHUB };

/* A trial.  What is NAN is left out; of `extra`, NULL. */
struct benchmark {
	const char *pipeline, *strategy, *cache;
	const char *emulated; /* storage, "50 MB/s"; NULL or "": none */
	double threads, runs;
	double figures; /* runs that the throughput is the median of */
	double throughput, low, high;        /* samples/s */
	double ratio, ratio_low, ratio_high; /* over another session */
	double storage_bytes, prep_s;
	const char *extra; /* what else there is to say of it */
};

/*
 * "photos/resized/tar/none threads=2 cache=system": it is stable.  An emulated
 * storage is a part of it, since other figures belong to it.
 */
struct buf;
int benchmark_name(
    const struct benchmark *benchmark, struct buf *name, struct error *err);

/* Of a row of RESULTS_TRIALS. */
struct benchmark benchmark_read(const struct grid *trials, size_t row);

/* A document of the form, and a trial more in it if it has a throughput. */
struct json_doc benchmarks_doc(enum benchmarks_form form);
int benchmarks_add(struct json_doc *doc, enum benchmarks_form form,
    const struct benchmark *benchmark, struct error *err);

/* The trials of a session. */
int benchmarks_print(struct results *results, int64_t session,
    enum benchmarks_form form, FILE *out, struct error *err);

#endif
