/*
 * scale.h - hours, shards, requests, memory and money that materializing takes,
 * for a dataset of any size and any number of machines like the measured one.
 *
 * Only formulas: the rates are measured, or forecast, by others. The machines
 * share nothing but the storage. Each owns whole shards, so the one with the
 * most shards ends last.
 */
#ifndef STRATEGIES_WHATIF_SCALE_H
#define STRATEGIES_WHATIF_SCALE_H

#include <stdbool.h>

struct prices;

/* An amount and its interval. */
struct amount {
	double value, low, high;
};

/* One machine, as it was measured or forecast. */
struct scale_rates {
	struct amount prep_per_s;   /* samples that it prepares in a second */
	struct amount stored_bytes; /* for a sample, with indexes */
	double source_bytes;        /* for a sample */
	double source_files;        /* for a sample; 0: a file has many */
	double memory_bytes;        /* a process that prepares holds so much */
	double cores;
	bool shuffled; /* the order of all samples is permuted */
};

/* The question; a limit of 0 is not known, and does not limit. */
struct scale_wanted {
	double samples, machines;
	double shards;   /* 0: SCALE_SHARD bytes each, about */
	double network;  /* bytes per second of each machine, in and out */
	double storage;  /* bytes per second of the storage, for all machines */
	double requests; /* per second, for all machines */
	const struct prices *prices; /* NULL: no money */
};

enum {
	SCALE_SHARD = 512 << 20, /* bytes of a shard that nobody asked for */
	SCALE_PART = 8 << 20,    /* bytes of a request of a large object */
	SCALE_PAGE = 1000,       /* objects that one request lists */
};

enum scale_limit {
	SCALE_CPU,
	SCALE_NETWORK,
	SCALE_STORAGE,
	SCALE_REQUESTS,
	SCALE_LIMITS,
};

struct scale_plan {
	double shards, shard_bytes, shards_each; /* most of a machine */
	double read_bytes;
	struct amount stored_bytes;
	double gets, puts, lists; /* requests */
	double memory_bytes;      /* for each part */
	/* If this were the only limit; 0: it is not known. */
	struct amount hours_by[SCALE_LIMITS];
	enum scale_limit limit; /* the slowest */
	struct amount hours;
	double core_hours;
	/* NAN: not asked, or the price is not given as above 0. */
	double compute_cost, month_cost, egress_cost;
};

struct scale_plan scale_plan_make(
    const struct scale_rates *rates, const struct scale_wanted *wanted);
/* "cpu", "network", "storage", "requests" */
const char *scale_limit_word(enum scale_limit limit);

#endif
