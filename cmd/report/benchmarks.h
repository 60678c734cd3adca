/*
 * benchmarks.h - trials in JSON forms that CI services read: Bencher Metric
 * Format, and "customBiggerIsBetter" of github-action-benchmark.
 */
#ifndef CMD_REPORT_BENCHMARKS_H
#define CMD_REPORT_BENCHMARKS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmd/writers/json.h"

struct error;
struct figures;
struct results;

/* Values of --form, in the order of the enum. */
#define BENCHMARKS_FORMS "none|bmf|github-action-benchmark"
enum benchmarks_form { BENCHMARKS_NONE, BENCHMARKS_BMF, BENCHMARKS_GITHUB };

/* A trial.  Figures that are NAN are left out, and so is `extra` if NULL. */
struct benchmark {
	const char *pipeline;
	const struct figures *trial;
	double ratio, ratio_low, ratio_high; /* compared with another session */
	const char *extra;                   /* further text */
};

/*
 * benchmarks_doc makes a document of the form; benchmarks_add adds a trial, if
 * it is done and has a throughput.  Its name is stable:
 * "photos/resized/tar/none threads=2 cache=system".  An emulated storage is
 * part of the name, since its figures are others.
 */
struct json_doc benchmarks_doc(enum benchmarks_form form);
int benchmarks_add(struct json_doc *doc, enum benchmarks_form form,
    const struct benchmark *benchmark, struct error *err);

/* Prints the trials of a session. */
int benchmarks_print(struct results *results, int64_t session,
    enum benchmarks_form form, FILE *out, struct error *err);

#endif
