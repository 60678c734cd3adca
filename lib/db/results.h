/*
 * results.h - the result database: measured rows in SQLite, one row a run and
 * epoch; derived rows beside them (derived.h); and views that join both.
 *
 * A session is one `presto profile`; it has strategies, each with its
 * preparation, and trials of them.  A trial is stored when it ends, with all
 * its runs, in one transaction: a killed program loses at most the trial that
 * was running.
 *
 * One connection is used by one thread.  Texts are borrowed for the call.
 */
#ifndef LIB_DB_RESULTS_H
#define LIB_DB_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/db/cache_mode.h"
#include "lib/measure/cores.h"
#include "lib/measure/phase.h"
#include "lib/measure/rates.h"
#include "lib/measure/storage/ceiling.h"
#include "lib/measure/system.h"
#include "lib/measure/trace_event.h"
#include "lib/media/medium.h"

struct error;
struct grid;
struct ini;
struct results;

enum { RESULTS_LABEL = 128, RESULTS_WORD = 64 };

/*
 * Opens a database.  With `create` it is made if it is not there, and brought
 * up to date in the file.  Without, the caller only reads: the file stays as it
 * is, and an older one is brought up to date in memory.  NULL is an error with
 * the path; a database of a newer presto or of another program is left alone.
 */
struct results *results_open(const char *path, bool create, struct error *err);
void results_close(struct results *results); /* NULL is fine */
/* As it was opened; the new place if it was removed from there. */
const char *results_path(const struct results *results);
/*
 * The path that the database was removed from last; NULL: it never was.  A
 * removed or replaced file is noticed before anything is stored, and the whole
 * database is written anew: to the same path if that is free, else to
 * "NAME-2.db" or the next free number.
 */
const char *results_moved_from(const struct results *results);

/*
 * Hides private facts in everything that is read from now on: paths, names of
 * the user and the host, the kernel and devices (lib/db/private.h).  Names of
 * pipelines and strategies, the CPU, cores and memory, kinds of file systems
 * and versions stay.
 */
int results_hide(struct results *results, struct error *err);
bool results_hides(const struct results *results);

/* ---- writing, for profile ---- */

struct session_info {
	const char *pipeline;    /* name: the file's without .conf, or --name */
	const char *path;        /* the pipeline file */
	const char *text;        /* its text, with --set applied */
	const char *fingerprint; /* --resume needs the same one */
	const char *code;        /* as code_print has it; "": not known */
	const char *dataset;     /* resolved path; as given, when read */
	const char *work_dir;    /* where this session materialises; likewise */
	const char *dataset_given, *work_dir_given; /* written only */
	uint64_t samples;                           /* taken from the source */
	uint64_t total_samples;                     /* all of the source */
	uint64_t full_samples;                      /* to extrapolate to */
	uint64_t source_bytes; /* files of `samples`; 0: not known */
	uint64_t total_bytes;  /* and of `total_samples` */
	uint64_t seed;
	unsigned batch;
	struct storage_limits limits; /* emulated; 0: not */
	uint64_t budget_ns;           /* --budget; 0: none */
	uint64_t cache_budget; /* of the application cache; 0: not known */
	struct machine machine;
	char source_fs[128], work_fs[128];
	/* The files profiled, as inventory_print has them; or empty. */
	struct span inventory;
	/* Text of the costs by which orders were chosen; or NULL. */
	const char *order_costs;
	/* The pipeline file as it was read, to be kept; NULL: it is not. */
	const struct ini *ini;
};

struct strategy_row {
	const char *label; /* "resized/tar/gzip:6", "unprocessed", "yours" */
	const char *order; /* "" when the steps run as given */
	const char *split; /* "unprocessed" for unprocessed and yours */
	const char *store; /* "" for unprocessed */
	const char *codec; /* "" for unprocessed */
	unsigned shards;   /* 0 for unprocessed */
	/*
	 * The label, these and `samples` tell strategies apart; 0: chosen by
	 * the size of the data.
	 */
	unsigned shards_asked;
	bool portable;           /* a stock reader takes it */
	bool readable;           /* by the reader that the session is for */
	double predicted_prep_s; /* < 0: not predicted */
	double predicted_storage_bytes;
	/* Intervals of the two; high <= 0: not known. */
	double predicted_prep_low_s, predicted_prep_high_s;
	double predicted_storage_low_bytes, predicted_storage_high_bytes;
	uint64_t samples; /* taken from the source; 0: as the session */
};

enum equivalence {
	EQUIVALENT_YES,
	EQUIVALENT_NO,
	EQUIVALENT_LOSSY,
	EQUIVALENT_UNKNOWN /* only in rows that were read */
};

struct preparation_row {
	uint64_t wall_ns; /* from the source to stored and synced; 0: none */
	uint64_t cpu_ns;
	uint64_t bytes_read;    /* from the source */
	uint64_t storage_bytes; /* all that the strategy needs on disk */
	uint64_t samples;       /* stored */
	uint64_t skipped;       /* failed, with on_error = skip */
	enum equivalence equivalent;
	/* Wall time, summed over the threads; all 0: not known. */
	uint64_t read_ns, compute_ns, compress_ns, write_ns, sync_ns;
	/*
	 * Strategies whose samples or frames were taken over.  The time that
	 * these took is added to wall_ns. 0: none.
	 */
	int64_t samples_from, frames_from;
	const char *verified; /* "all", "part", "stored"; NULL: not known */
	uint64_t filtered;    /* samples that filters of offline steps drop */
	/*
	 * A lossy output beside that of unprocessed: the largest and the mean
	 * absolute difference of its elements, and 20 log10 of the range over
	 * the root of the mean square.  has_difference false: not known.
	 */
	bool has_difference;
	double difference_largest, difference_mean, psnr_db;
};

struct run_row {        /* one epoch of one run */
	unsigned run;   /* from 1 */
	unsigned epoch; /* from 1 in its run */
	bool warmup;    /* kept, but not part of the figures */
	uint64_t wall_ns;
	uint64_t first_batch_ns;
	uint64_t samples; /* delivered */
	uint64_t skipped;
	uint64_t
	    filtered; /* dropped by filters: neither failed nor delivered */
	uint64_t user_ns, system_ns; /* CPU time of the process */
	uint64_t bytes_fetched;      /* asked of the medium */
	int64_t bytes_from_storage;  /* read from disk; -1: not known */
	double resident_percent;     /* just before; < 0: not looked at */
	uint64_t peak_rss_bytes;     /* the whole process */
	uint64_t started_ns;         /* since the session began */
	struct cores cores;          /* used by other programs meanwhile */
	uint64_t reference_ns;       /* reference workload before it; 0: none */
	/* A quarter to a half of its bytes, and when they were read; 0: none.
	 */
	uint64_t early_bytes, early_ns;
};

struct step_row {         /* from the traced pass, apart from the timed ones */
	const char *name; /* representation; "unpack" and "parse" too */
	const char *step; /* "resize"; the codec's name for "unpack" */
	uint64_t cpu_ns;
	uint64_t samples;
	uint64_t calls, bytes_in, bytes_out; /* calls 0: not known */
};

/* Numbers of a load that `auto` found: bits of trial_row.chosen. */
enum load_key {
	LOAD_THREADS = 1,
	LOAD_FETCHERS = 2,
	LOAD_READ_AHEAD = 4,
	LOAD_BATCH = 8
};

enum trial_state { TRIAL_DONE, TRIAL_FAILED, TRIAL_SKIPPED };
/* `ended` of a trial with fewer runs than were asked for: it is left to do. */
#define TRIAL_INTERRUPTED "interrupted"

/*
 * One host in an epoch that `hosts` processes ran at the same moment.  `host`
 * is a name; borrowed.
 */
struct host_row {
	unsigned hosts, run, epoch, rank;
	const char *host;
	uint64_t samples, wall_ns;
	uint64_t bytes; /* read by presto, from memory or storage */
};

struct trial_row {
	unsigned threads;
	enum cache_mode cache;
	/*
	 * The representation in the application cache; "": the last one that
	 * may be there.  It is part of what tells trials of a strategy apart,
	 * as are the numbers below.
	 */
	const char *place;
	/*
	 * fetchers 0: one for each thread; read_ahead 0: 4 chunks for each;
	 * batch 0: the session's, and what of the others is 0 is not known.
	 */
	unsigned fetchers, read_ahead, shuffle, batch;
	unsigned chosen; /* numbers that `auto` found: bits of enum load_key */
	enum trial_state state;
	const char *message;    /* why it failed or was skipped; or "" */
	const char *bottleneck; /* "cpu:resize"; "" when not known */
	const char *evidence;   /* "71 %"; NULL when not known */
	const char *ended;      /* "precise", "budget", "runs" or so; or NULL */
	double predicted_samples_per_s;       /* <= 0: not predicted */
	double predicted_low, predicted_high; /* interval; high <= 0: unknown */
	/*
	 * A trial that a search left out is TRIAL_SKIPPED, with this true, the
	 * upper bound of its throughput, and in `message` why it cannot win.
	 */
	bool predicted;
	double bound_samples_per_s;
	uint64_t cache_bytes;    /* kept by the application cache; 0: none */
	uint64_t peak_rss_bytes; /* with this trial alone; 0: not known */
	/*
	 * Unix time when its rounds began.  Two trials with the same time had
	 * their n-th runs in the same round. 0: not known.
	 */
	uint64_t rounds_ns;
	const char *cold; /* "yes", "pages", "no", "unknown"; or NULL */
	const struct run_row *runs; /* in any order */
	size_t run_count;
	const struct step_row *steps; /* in the order they run */
	size_t step_count;
	struct phase_row phases[PHASE_COUNT];
	struct partial_row levels[EXTENT_COUNT];
	struct trace_events events;   /* of the traced epoch; borrowed */
	const struct host_row *hosts; /* of runs together; borrowed */
	size_t host_count;
};

/* The machine at one moment.  Between trials `label` is "" and threads is 0. */
struct system_row {
	const char *activity; /* "prepare", "check", "run" */
	const char *label;    /* strategy */
	unsigned threads;
	enum cache_mode cache;
	unsigned run;
	uint64_t at_ns; /* since the session began */
	struct system_rates rates;
};

#endif
