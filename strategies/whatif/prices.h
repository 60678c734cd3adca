/*
 * prices.h - what a strategy costs in money: the bill of a month with so many
 * epochs of the full dataset.
 *
 * The prices are a file of the user (presto-recommend(1), "Prices"):
 *
 *	[prices]
 *	currency   = EUR
 *	vcpu_hour  = 0.04      ; a vCPU that prepares or feeds, an hour
 *	vcpus      = 8
 *	gb_month   = 0.02      ; a GB (10^9 bytes) kept, a month
 *	gb_egress  = 0.01      ; a GB read from the storage
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

/* What the month is used for. */
struct workload {
	double epochs;       /* of the full dataset */
	double source_bytes; /* of the dataset as it is; NAN: not known */
	/* samples/s that the accelerators take together; NAN: of the prices */
	double demand;
	double demand_of_host; /* of the host that takes most; NAN: all */
	double hosts;          /* each with a loader of its own; 0: one */
	double devices;        /* accelerators; 0: as in the prices */
};

/* A month, in the currency of the prices. */
struct bill {
	double preparation; /* its share: all of it over `months` */
	double storage;
	double egress;
	double compute;      /* vCPUs that feed, for as long as epochs take */
	double accelerators; /* held as long, the waiting with it */
	double waiting;      /* of that, what they wait for data */
};

double bill_total(const struct bill *bill);

/*
 * An epoch takes as long as its data or its accelerators need, whichever is
 * longer; of several hosts, each with a machine like the one that was measured,
 * the one that takes most counts.  The stored data is read from the storage in
 * each epoch, or in the first only where a cache keeps it, and to make it the
 * dataset is read once.  NAN where something is not known that has a price.
 */
struct bill prices_bill(const struct prices *prices,
    const struct candidate *candidate, const struct workload *workload,
    double throughput);

#endif
