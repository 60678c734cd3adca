/*
 * prices.h - the money that a strategy costs: the bill for a month in which the
 * full dataset is read for a number of epochs.
 *
 * The user describes prices in a file (presto-recommend(1), "Prices"):
 *
 *	[prices]
 *	currency   = EUR
 *	vcpu_hour  = 0.04      ; a vCPU that prepares or loads, an hour
 *	vcpus      = 8
 *	gb_month   = 0.02      ; a GB (10^9 bytes) kept, a month
 *	gb_egress  = 0.01      ; a GB read from the storage
 *	request_1000 = 0.0004  ; a thousand requests that read an object
 *	write_1000 = 0.005     ; a thousand requests that write or list
 *	accelerator_hour = 2.5 ; one, held while it computes and while it waits
 *	accelerators     = 4
 *	accelerator_throughput = 900 ; samples/s that one takes
 *	months     = 12        ; for which a stored dataset is used
 *	keep_source = yes      ; the dataset as it is stays beside what is made
 */
#ifndef STRATEGIES_WHATIF_PRICES_H
#define STRATEGIES_WHATIF_PRICES_H

#include <stdbool.h>

struct candidate;
struct error;

enum { PRICES_CURRENCY = 8 };

struct prices {
	double vcpu_hour, gb_month, gb_egress, accelerator_hour;
	double request_1000, write_1000; /* of far data */
	double vcpus; /* 0: as many as the candidate has threads */
	double accelerators, accelerator_throughput; /* 0: not known */
	double months;
	bool keep_source;
	char currency[PRICES_CURRENCY];
};

/* Nothing costs anything. */
struct prices prices_none(void);

/* Unknown sections and keys, and prices below 0, are named with their line. */
int prices_read(struct prices *prices, const char *path, struct error *err);

/* The work of the month. */
struct workload {
	double epochs;       /* over the full dataset */
	double source_bytes; /* size of the dataset as it is; NAN: not known */
	/* samples/s that all accelerators take; NAN: as in the prices */
	double demand;
	double demand_of_host; /* the highest of a host; NAN: as `demand` */
	double hosts;          /* each with a loader of its own; 0: one */
	double devices;        /* accelerators; 0: as in the prices */
};

/* A month, in the currency of the prices. */
struct bill {
	double preparation; /* divided by `months` */
	double storage;
	double egress;
	double requests;     /* that read, and once those that write */
	double compute;      /* vCPUs that load, for the time of all epochs */
	double accelerators; /* for the same time, with `waiting` */
	double waiting;      /* accelerators while they wait for data */
};

double bill_total(const struct bill *bill);

/*
 * An epoch takes as long as loading or computing, whichever is longer.  Each of
 * several hosts has a machine like the measured one, and the host with the
 * highest demand counts.  Stored data is read from the storage in each epoch,
 * or only in the first where a cache keeps it.  Preparation reads the dataset
 * once. An item is NAN when it has a price and its amount is not known.
 *
 * Requests cost something where the dataset is far; what is prepared of it then
 * lies there, too.  Each epoch has those of the traced pass, a sample.  Objects
 * are written in parts of 16 MiB, and each shard has three requests more: for
 * the beginning and the end of its upload, and for its index.
 */
struct bill prices_bill(const struct prices *prices,
    const struct candidate *candidate, const struct workload *workload,
    double throughput);

#endif
