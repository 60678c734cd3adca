/*
 * data.h - datasets for the benchmarks: a source and a pipeline, from the text
 * of a pipeline file; the same stored at a split; and loaders over either.
 *
 * What fails ends the program.
 */
#ifndef TEST_BENCH_DATA_H
#define TEST_BENCH_DATA_H

#include "datasets/source.h"
#include "lib/base/ini.h"
#include "lib/pipeline.h"
#include "test/bench/bench.h"

struct cache;
struct loader;
struct medium;
struct reader;

struct data {
	struct ini ini;
	struct dataset dataset;
	struct pipeline pipeline;
	struct medium *medium;
	struct reader *source;
	struct reader *stored;       /* NULL: nothing is */
	char *dir;                   /* where */
	struct cache *cache;         /* NULL: nothing is kept */
	const struct reader *reader; /* what is loaded: one of these */
	unsigned from;               /* the representation that it gives */
};

/* The source; [dataset] and [pipeline] are given. */
void data_open(struct data *data, const char *text);
/* The JPEG files of a folder, with these lines of [pipeline]. */
void data_open_photos(
    struct data *data, const char *photos, const char *pipeline);
/*
 * Stores it in WORK as the strategy "raw/tar/none" says; that is what is loaded
 * from now on.
 */
void data_store(struct data *data, const char *strategy, const char *work);
/* The same of the application cache, behind the last step that is not random.
 */
void data_keep(struct data *data);
/* Also removes what was stored. */
void data_close(struct data *data);

/* presto's side of a benchmark: epochs over the data. */
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

#endif
