/*
 * load.h - presto's side of a benchmark: a loader over its data.
 *
 * What fails ends the program.
 */
#ifndef TEST_BENCH_LOAD_H
#define TEST_BENCH_LOAD_H

#include <stdbool.h>
#include <stdint.h>

struct data;
struct loader;

/* Epochs over the data. */
struct load {
	struct loader *loader;
	double bytes; /* of the reader's files */
	uint32_t epoch;
	bool trace;
};

void load_init(struct load *load, const struct data *data, unsigned threads,
    unsigned batch);
void load_release(struct load *load);

/* For bench_side: so many epochs, counted as samples or as bytes of files. */
double load_samples(void *load, unsigned epochs);
double load_bytes(void *load, unsigned epochs);

/*
 * The same, of a loader and a chain that are built without tracing; only
 * bench_trace has them.
 */
void untraced_load_init(struct load *load, const struct data *data,
    unsigned threads, unsigned batch);
void untraced_load_release(struct load *load);
double untraced_load_samples(void *load, unsigned epochs);

#endif
