/*
 * demand_report.h - the report of a loader to `presto demand`: how long the
 * program that takes its batches waited for each batch, and how long it was
 * busy with it.
 *
 * `presto demand` sets $PRESTO_DEMAND to a folder of its own.  Each loader of
 * the job writes one file there, which grows by whole lines, so that it can be
 * read after the job was killed:
 *
 *	presto-demand 1 PID BATCH_SIZE RANK WORLD_SIZE BEGIN_NS DATASET
 *	b END_NS BATCHES SAMPLES WAIT_NS BUSY_NS
 *	e END_NS PAUSE_NS
 *
 * A line b adds up batches: the first DEMAND_SINGLE batches have a line each,
 * and later ones a line a second.  A line e is the end of an epoch, with the
 * time until the next epoch was begun.  END_NS is a time of CLOCK_MONOTONIC.
 */
#ifndef LIB_LOADER_DEMAND_REPORT_H
#define LIB_LOADER_DEMAND_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

#define DEMAND_FOLDER "PRESTO_DEMAND" /* the environment variable */

enum { DEMAND_SINGLE = 512, DEMAND_DATASET = 256 };

struct demand_loader {
	uint64_t pid;
	uint64_t batch_size, rank, world_size;
	uint64_t begin_ns;            /* CLOCK_MONOTONIC */
	char dataset[DEMAND_DATASET]; /* its path; a longer one is cut */
};

/* ---- writing, in the job ---- */

struct demand_report;

/*
 * Begins the file of a loader.  NULL: nobody asks for it, or it cannot be
 * written; a job never fails for that.
 */
struct demand_report *demand_report_new(const struct demand_loader *loader);
void demand_report_free(struct demand_report *report); /* NULL is fine */

/* One call of the program for a batch. */
struct demand_call {
	uint64_t now_ns;  /* when the call returns */
	uint64_t busy_ns; /* between the call before and this one */
	uint64_t wait_ns; /* in this call */
	uint64_t samples; /* of the batch; 0 at the end of an epoch */
};

/* `report` NULL is fine.  What cannot be written is left out. */
void demand_report_call(
    struct demand_report *report, const struct demand_call *call);

/* ---- reading, by presto demand ---- */

struct demand_record {
	uint64_t end_ns;
	uint64_t batches, samples; /* 0: the pause after an epoch */
	uint64_t wait_ns;
	uint64_t busy_ns; /* or the pause */
};

struct demand_stream {
	struct demand_loader loader;
	struct demand_record *records; /* owned */
	size_t count, capacity;
};

#define DEMAND_STREAM_INIT      \
	{                       \
		.records = NULL \
	}

/* Parses a file.  A last line without an end is left out; else ERROR_DATA. */
int demand_stream_parse(struct demand_stream *stream, const char *path,
    struct span text, struct error *err);
void demand_stream_release(struct demand_stream *stream);

#endif
