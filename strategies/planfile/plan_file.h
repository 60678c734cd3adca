/*
 * plan_file.h - a plan: the strategy that was recommended, in a file that
 * profile, materialize, verify and programs take in place of a pipeline file.
 *
 * It is a pipeline file whose [strategies] and [load] name one strategy and one
 * way to load it.  Sections of its own say what was expected of it and of the
 * next best, and for which data, code and machine:
 *
 *	[plan]          what wrote it, when, and the strategy's label
 *	[expected]      figures of the strategy when it was measured
 *	[runner-up N]   another strategy, with its figures; 1 is the next best
 *	[fingerprint]   the files that were profiled
 *	[code]          a line for each step of the user's own
 *	[machine]       where it was measured
 *	[folders]       folders in which paths of single keys begin
 *
 * plan_file_take separates the two: the pipeline part keeps its line numbers,
 * and everything that reads pipeline files reads it.
 *
 * A seal in [plan] is a hash of everything that the figures depend on.  Where
 * the dataset lies, what is measured ([measure]) and what is wanted
 * ([decision]) may be edited without breaking it.
 */
#ifndef STRATEGIES_PLANFILE_PLAN_FILE_H
#define STRATEGIES_PLANFILE_PLAN_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/db/results.h"
#include "lib/syntax/ini.h"

struct buf;
struct error;
struct inventory;
struct reader;

enum { PLAN_FILE_RIVALS = 4, PLAN_FILE_VERSION = 1 };

/* NAN: not known.  The intervals are those of the medians. */
struct plan_expected {
	double throughput, throughput_low, throughput_high; /* samples/s */
	double first_epoch, first_epoch_low, first_epoch_high;
	double prep_s, storage_bytes;           /* the profiled samples */
	double full_prep_s, full_storage_bytes; /* the full dataset */
};

/* Another strategy that was measured; texts are borrowed. */
struct plan_rival {
	const char *strategy; /* label */
	const char *cache;    /* "none", "application:resized"; or NULL */
	/* 0: the default. */
	uint64_t threads, fetchers, read_ahead, shuffle, batch, shards;
	struct plan_expected expected;
};

/* The data that was profiled. */
struct plan_fingerprint {
	uint64_t samples; /* profiled: the first of the source */
	uint64_t total_samples, total_bytes;
	uint64_t files; /* read for the profiled samples */
	/* Hashes as hexadecimal texts; NULL: not known. */
	const char *names;    /* names and sizes */
	const char *times;    /* times of the last change */
	const char *contents; /* bytes, where dataset.fingerprint = contents */
};

/* Texts are borrowed: from `whole` where the plan was read. */
struct plan_file {
	struct ini whole; /* owned; the file as it was read */
	char *code;       /* owned; as code_print has it; NULL: none */
	uint64_t version, session;
	const char *presto;   /* version that wrote it */
	const char *written;  /* time, "2026-11-23T18:00:00Z" */
	const char *pipeline; /* name */
	const char *strategy; /* label */
	/*
	 * Where paths of the pipeline part begin; relative to the folder of the
	 * plan; NULL: there.
	 */
	const char *folder;
	/* The materialised folder, which programs then read; NULL: none. */
	const char *data;
	const char *seal;
	bool is_edited; /* the seal is not that of the content */
	struct plan_expected expected;
	struct plan_rival rivals[PLAN_FILE_RIVALS];
	unsigned rival_count;
	struct plan_fingerprint fingerprint;
	const char *cpu, *kernel, *source_fs, *work_fs;
	uint64_t cores, memory_bytes;
	/* [load] of the plan; 0: the default, or more than one number. */
	uint64_t threads, fetchers;
};

/* A plan in which nothing is known. */
struct plan_file plan_file_none(void);
void plan_file_release(struct plan_file *plan);

/* Is the file that was read a plan? */
bool plan_file_is(const struct ini *ini);

/*
 * Takes the plan out of a file that was read: *ini becomes the pipeline part,
 * with the path, the lines and the folders that it had.  ERROR_USAGE names file
 * and line.  Release the plan in any case.
 */
int plan_file_take(struct plan_file *plan, struct ini *ini, struct error *err);

/*
 * Appends a plan with its seal.  `pipeline` has the strategy in [strategies]
 * and its loading in [load].  ERROR_USAGE: a value cannot be written as a line.
 */
int plan_file_print(const struct plan_file *plan, const struct ini *pipeline,
    struct buf *out, struct error *err);

/* The parts of a label; all "" but the split for "unprocessed". */
struct plan_label {
	char order[RESULTS_LABEL], split[RESULTS_LABEL], store[RESULTS_LABEL],
	    codec[RESULTS_LABEL];
};

/* "o3:resized/tar/zstd:1"; false: it has another form. */
bool plan_label_read(struct plan_label *parts, const char *label);

/* ---- data ---- */

enum { PLAN_HASH = 17 }; /* bytes of a hash as text, with its NUL */

struct plan_hashes {
	uint64_t files;
	char names[PLAN_HASH], times[PLAN_HASH];
	char contents[PLAN_HASH]; /* "": they were not hashed */
};

int plan_hashes_of(struct plan_hashes *hashes,
    const struct inventory *inventory, struct error *err);

/*
 * Are number and bytes of all samples those of the plan?  ERROR_USAGE says what
 * differs.
 */
int plan_file_check_totals(const struct plan_file *plan,
    const struct reader *source, struct error *err);
/* The same for the files of the profiled samples, which are listed `now`. */
int plan_file_check_files(const struct plan_file *plan,
    const struct inventory *now, struct error *err);
/* The same for the code of the user's own steps, as code_print has it. */
int plan_file_check_code(
    const struct plan_file *plan, const char *now, struct error *err);

#endif
