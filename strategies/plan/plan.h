/*
 * plan.h - what the pipeline file and the command line ask to be measured:
 * sections [strategies], [load], [measure], [storage] and [decision].
 */
#ifndef STRATEGIES_PLAN_PLAN_H
#define STRATEGIES_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/codecs/codec.h"
#include "lib/db/results.h"
#include "lib/media/medium.h"
#include "strategies/plan/stored_order.h"

struct error;
struct ini;
struct schema;
struct stock_reader;
struct store_ops;

enum {
	PLAN_LIST = 32,      /* stores, codecs or numbers of threads */
	PLAN_THREADS = 1024, /* workers of a loader */
	PLAN_RUNS = 1000,    /* runs of a trial */
};

/* [strategies]: the representations to store, and how. */
struct plan_strategies {
	const char *split; /* "all", or a list of names; checked later */
	const struct store_ops *stores[PLAN_LIST];
	unsigned store_count;
	struct codec codecs[PLAN_LIST];
	unsigned codec_count;
	/* This codec came from `auto`: tried only where it may be worth it. */
	bool codec_auto[PLAN_LIST];
	uint64_t shards;           /* 0: chosen by the size of the data */
	struct stored_order order; /* of the samples in the shards */
};

/* [load]: how each strategy is loaded. */
struct plan_load {
	unsigned threads[PLAN_LIST];
	unsigned thread_count;
	enum cache_mode caches[CACHE_COUNT];
	unsigned cache_count;
	uint64_t batch, shuffle, fetchers, read_ahead;
	uint64_t cache_budget; /* bytes; 0: see plan_cache_budget */
	bool fuse;             /* run neighbouring steps as one */
};

/* [measure]: how much is measured, and for how long. */
struct plan_measure {
	uint64_t samples, epochs, seed;
	/*
	 * Runs of a trial: the least, and the most.  The two differ only where
	 * runs are repeated until the interval is narrow.
	 */
	uint64_t runs, most_runs;
	double precision;      /* half the interval over the median */
	double budget_s;       /* of the whole session; 0: none */
	double trial_budget_s; /* of the runs of a trial; 0: none */
	double min_run_s;      /* a shorter run gets more epochs */
	bool probe;            /* measure what the storage can do */
	bool reuse;            /* see plan_reuses */
};

struct plan {
	struct plan_strategies strategies;
	struct plan_load load;
	struct plan_measure measure;
	struct storage_limits limits; /* [storage] */
	/* [decision]: must read what is recommended; NULL: any stock reader. */
	const struct stock_reader *reader;
};

/* Everything with file and line of the mistake; also unknown sections. */
int plan_read(struct plan *plan, const struct ini *ini, struct error *err);

/* The largest of the numbers of threads: preparations use it. */
unsigned plan_most_threads(const struct plan *plan);

/*
 * Bytes that the application cache may take: what was asked for, else half of
 * what this process could take now (lib/measure/memory.h).
 */
uint64_t plan_cache_budget(const struct plan *plan);
/* Is codec number `codec` meant for representations of this schema? */
bool plan_wants_codec(
    const struct plan *plan, unsigned codec, const struct schema *schema);

/* Is a storage emulated? */
bool plan_emulates(const struct plan *plan);
/*
 * May a preparation take over what another strategy has stored (reuse.h)?  Not
 * from an emulated storage, which would have to be as slow to read.
 */
bool plan_reuses(const struct plan *plan);

#endif
