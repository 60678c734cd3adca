/*
 * data.h - datasets for the benchmarks: a source and a pipeline, from the text
 * of a pipeline file; and the same stored at a split, or kept in memory.
 *
 * What fails ends the program.
 */
#ifndef TEST_BENCH_DATA_H
#define TEST_BENCH_DATA_H

#include "datasets/source.h"
#include "lib/pipeline/pipeline.h"
#include "lib/syntax/ini.h"
#include "test/bench/bench.h"

struct cache;
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

#endif
