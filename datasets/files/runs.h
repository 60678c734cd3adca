/*
 * runs.h - runs: neighbouring samples in a file of a listing. A source divides
 * them into streams, keeps some of them when fewer samples are wanted, and
 * finds a sample's run by its number.
 */
#ifndef DATASETS_FILES_RUNS_H
#define DATASETS_FILES_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/files/cuts.h"
#include "datasets/files/listing.h"
#include "lib/sample/reader.h"

struct error;

struct run {
	size_t file;           /* number in the listing */
	uint64_t start, bytes; /* where it is in the file */
	uint64_t first;        /* number of its first sample in the file */
	uint64_t samples;
	uint64_t before; /* samples of all earlier runs */
};

struct runs {           /* begins as all 0 */
	struct run *at; /* [count]; owned; sorted by file */
	size_t count, capacity;
	uint64_t samples;    /* sum over the runs */
	struct cuts streams; /* cuts the runs into streams */
};

/* Adds a run and sets its `before`. */
int runs_add(struct runs *runs, const struct run *run, struct error *err);
/*
 * Keeps evenly spaced runs for `limit` samples, the last one shortened; 0:
 * keeps all. Sets samples and bytes of the reader, before and after that.
 */
void runs_select(struct runs *runs, const struct listing *listing,
    uint64_t limit, struct reader *reader);
/* Returns the run of sample `number`. */
size_t runs_find(const struct runs *runs, uint64_t number);
uint64_t runs_in_stream(const struct runs *runs, size_t stream);
/* Visits the files of all runs, or all files of the listing. */
int runs_each_file(const struct runs *runs, const struct listing *listing,
    bool all, reader_visit *visit, void *arg, struct error *err);
void runs_release(struct runs *runs);

/* A stream that is being read, to be freed with free(). */
struct run_stream {
	const struct reader *reader;
	size_t number;
	size_t at, end; /* runs that are left */
};

struct run_stream *run_stream_new(const struct reader *reader,
    const struct runs *runs, size_t number, struct error *err);

#endif
