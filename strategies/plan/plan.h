/*
 * plan.h - the sections of the pipeline file that say what to measure, with the
 * changes of the command line: [strategies], [load], [measure], [storage] and
 * [decision].
 */
#ifndef STRATEGIES_PLAN_PLAN_H
#define STRATEGIES_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/codecs/codec.h"
#include "lib/db/results.h"
#include "lib/media/medium.h"
#include "strategies/plan/stored_order.h"
#include "strategies/plan/sweep.h"

struct error;
struct far_cache;
struct ini;
struct schema;
struct stock_reader;
struct store_ops;

enum {
	PLACE_NAME = 40,     /* bytes of the name of a representation */
	PLACE_RAW = 65535,   /* see struct trial_mode */
	PLAN_LIST = 32,      /* the most stores, codecs or numbers of threads */
	PLAN_THREADS = 1024, /* the most workers of a loader */
	PLAN_RUNS = 1000,    /* the most runs of a trial */
	PLAN_MODES = 256,    /* the most trials of a strategy */
};

/* [strategies]: the representations to store, and how. */
struct plan_strategies {
	const char *split; /* "all", or a list of names; checked later */
	const struct store_ops *stores[PLAN_LIST];
	unsigned store_count;
	struct codec codecs[PLAN_LIST];
	unsigned codec_count;
	/* The codec came from `auto`: tried only where it suits the data. */
	bool codec_auto[PLAN_LIST];
	/*
	 * Orders of the steps: "given", "all" and labels, checked later; NULL:
	 * given.
	 */
	const char *orders;
	struct sweep shards;       /* 0: chosen by the size of the data */
	struct stored_order order; /* order of the samples in the shards */
};

/* [load]: how each strategy is loaded. */
struct plan_load {
	unsigned threads[PLAN_LIST];
	unsigned thread_count;
	bool auto_threads; /* threads[0] is the most of them then */
	enum cache_mode caches[PLAN_LIST];
	/* Of application:NAME (cache_list.h); "" and 0: not said. */
	char place_names[PLAN_LIST][PLACE_NAME];
	unsigned places[PLAN_LIST];
	unsigned cache_count;
	struct sweep batch, shuffle, fetchers, read_ahead;
	uint64_t cache_budget; /* bytes; 0: see plan_cache_budget */
	bool fuse;             /* run neighbouring steps as one */
};

/* How a trial loads: a strategy has one trial for each. */
struct trial_mode {
	unsigned threads;
	enum cache_mode cache;
	/*
	 * The representation in the application cache, by its number in the
	 * pipeline as it is given; PLACE_RAW: number 0.  0: the last one in
	 * front of the first random step that has room.  What a strategy keeps
	 * then says strategies/forecast/cache_place.h.
	 */
	unsigned place;
	/*
	 * As in struct plan_load; of lists, the value of this trial.  Batch 0:
	 * all four are those of the plan, the first ones of lists.
	 */
	unsigned fetchers, read_ahead, shuffle, batch;
	/* Keys that `auto` is to find, or has found: bits of enum load_key. */
	unsigned chosen;
	unsigned number; /* as in plan_mode */
};

/* Trials whose events the database keeps (results_keep_traces). */
enum plan_trace { PLAN_TRACE_BEST, PLAN_TRACE_ALL, PLAN_TRACE_NO };
#define PLAN_TRACE_WORDS "best|all|no"

/* [measure]: how much is measured, and for how long. */
struct plan_measure {
	struct sweep samples; /* the session takes the most of them */
	uint64_t epochs, seed;
	/*
	 * Runs of a trial: the least, and the most.  The two differ only where
	 * runs are repeated until the interval is narrow.
	 */
	uint64_t runs, most_runs;
	/* largest half interval, as a fraction of the median */
	double precision;
	double budget_s;       /* limit of the whole session; 0: none */
	double trial_budget_s; /* limit of the runs of one trial; 0: none */
	double min_run_s;      /* a shorter run gets more epochs */
	bool probe;            /* measure what the storage can do */
	bool reuse;            /* see plan_reuses */
	bool verify_all;       /* compare all of the output in each trial */
	const char *search; /* a word of strategies/search; NULL: the default */
	unsigned trace;     /* enum plan_trace */
	/* FILE.py:FUNCTION of the user's own loader; the ini's; NULL: none */
	const char *loader;
	double loader_timeout_s; /* the longest without a batch from it */
};

/* [decision]: what makes a strategy the best one (strategies/decide). */
struct plan_decision {
	const char *objective; /* a word, unchecked; NULL: not given */
	const char *weights;   /* a list, unchecked; NULL: not given */
	uint64_t epochs;       /* of the full dataset; 0: not given */
	/* Constraints on the full dataset; NAN: none. */
	double min_throughput, max_prep_s;
	uint64_t max_storage; /* bytes, as well; UINT64_MAX: none */
	bool lossy;           /* take lossy strategies as well */
	double tolerance_db;  /* and those with this PSNR; 0: none */
};

struct plan {
	struct plan_strategies strategies;
	struct plan_load load;
	struct plan_measure measure;
	struct storage_limits limits; /* [storage] */
	/* Where far files are kept; borrowed; NULL or without a folder: not. */
	const struct far_cache *far_cache;
	/* The longest wait for other processes of profile --together. */
	double together_wait_s;
	const char
	    *together; /* the folder where they meet; the ini's; or NULL */
	struct plan_decision decision;
	/*
	 * [decision]: the reader of recommended data; NULL: any stock reader.
	 */
	const struct stock_reader *reader;
};

/* Reads the sections.  Errors begin with the file and the line. */
int plan_read(struct plan *plan, const struct ini *ini, struct error *err);
/* Reads [decision] alone, without its reader. Texts are the ini's. */
int plan_read_decision(
    struct plan_decision *decision, const struct ini *ini, struct error *err);

/* Reads the keys that are swept; at the end, are there too many modes? */
int plan_read_sweeps(
    struct plan *plan, const struct ini *ini, struct error *err);
int plan_check_modes(
    const struct plan *plan, const struct ini *ini, struct error *err);

/* The modes of all trials of a strategy: their number, and the i-th. */
unsigned plan_mode_count(const struct plan *plan);
struct trial_mode plan_mode(const struct plan *plan, unsigned i);

/* A mode with the numbers of the plan, where it has none of its own. */
struct trial_mode plan_complete_mode(
    const struct plan *plan, struct trial_mode mode);

/* Returns the I/O threads of a loader in this mode. */
unsigned trial_mode_fetchers(struct trial_mode mode);
/*
 * Writes "2 threads, cache none", and what else of the plan's lists the mode
 * has: ", fetchers 4".  Returns `words`.
 */
enum { PLAN_MODE_WORDS = 160 };
const char *plan_mode_words(const struct plan *plan, struct trial_mode mode,
    char words[PLAN_MODE_WORDS]);

/* Returns the most I/O threads of a loader with so many workers. */
unsigned plan_fetchers(const struct plan *plan, unsigned threads);
/* Returns the largest number of threads, which preparations use. */
unsigned plan_most_threads(const struct plan *plan);

/*
 * Returns the bytes that the application cache may hold: as given, else half of
 * the memory that this process could still take (lib/measure/memory.h).
 */
uint64_t plan_cache_budget(const struct plan *plan);
/* Is codec number `codec` to be tried on representations of this schema? */
bool plan_wants_codec(
    const struct plan *plan, unsigned codec, const struct schema *schema);

/* Is a slower storage emulated? */
bool plan_emulates(const struct plan *plan);
/*
 * May a preparation reuse the data that another strategy has stored (reuse.h)?
 * Not with an emulated storage: reading would have to be slowed, too.
 */
bool plan_reuses(const struct plan *plan);

#endif
