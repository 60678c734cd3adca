/* prices.c - see prices.h. */
#include "strategies/whatif/prices.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/option.h"
#include "strategies/figures/candidate.h"
#include "strategies/plan/shard_count.h"

static const double hour_s = 3600;
static const double gb = 1e9;

/* How a shard is written: in parts, with so many requests beside. */
static const double part_bytes = 16 << 20;
enum { SHARD_REQUESTS = 3 };

/* ---- the file ---- */

struct entries {
	struct prices prices;
	const char *currency;
};

#define PRICE(word, phrase) \
	OPTION_RANGE(REAL, #word, struct entries, prices.word, 0, 1e9, phrase)

static const struct option options[] = {
	PRICE(accelerator_hour, "price of one accelerator"),
	PRICE(accelerator_throughput, "samples/s that one accelerator takes"),
	PRICE(accelerators, "number of accelerators"),
	OPTION(TEXT, "currency", 0, struct entries, currency, "TEXT",
	    "at most 7 letters"),
	PRICE(gb_egress, "price of a GB read from the storage"),
	PRICE(gb_month, "price of a GB kept for a month"),
	OPTION(FLAG, "keep_source", 0, struct entries, prices.keep_source,
	    "yes|no", "the dataset stays beside what is made of it"),
	OPTION_RANGE(REAL, "months", struct entries, prices.months, 0.01, 1200,
	    "months for which a stored dataset is used"),
	PRICE(request_1000, "price of 1000 requests that read an object"),
	PRICE(vcpu_hour, "price of one vCPU"),
	PRICE(
	    vcpus, "vCPUs that prepare and load (0: the threads of the trial)"),
	PRICE(write_1000, "price of 1000 requests that write or list"),
	OPTION_TABLE_END,
};

struct prices prices_none(void)
{
	return (struct prices){ .months = 1, .keep_source = true };
}

static int read_entries(
    struct entries *entries, const struct ini *ini, struct error *err)
{
	static const char *const known[] = { "prices" };
	const struct ini_section *section = ini_section(ini, known[0]);
	const struct ini_entry *currency;

	if (ini_check_sections(ini, known, ARRAY_LEN(known), err))
		return -1;
	if (!section || !section->count)
		return error_set(err, ERROR_USAGE,
		    "%s: has no prices: they are in a section [prices]",
		    ini->path);
	if (ini_options(ini, section, options, entries, err))
		return -1;
	currency = ini_entry(section, "currency");
	if (!currency)
		return 0;
	if (strlen(entries->currency) >= PRICES_CURRENCY) {
		error_set(err, ERROR_USAGE,
		    "currency must have at most %d letters, got '%s'",
		    PRICES_CURRENCY - 1, entries->currency);
		return ini_error_at(ini, currency, err);
	}
	snprintf(
	    entries->prices.currency, PRICES_CURRENCY, "%s", entries->currency);
	return 0;
}

int prices_read(struct prices *prices, const char *path, struct error *err)
{
	struct entries entries = { .prices = prices_none() };
	struct ini ini = INI_INIT;
	int rc = ini_read(&ini, path, err);

	if (rc == 0)
		rc = read_entries(&entries, &ini, err);
	if (rc == 0)
		*prices = entries.prices;
	ini_release(&ini);
	return rc;
}

/* ---- the bill ---- */

/* An amount without a price need not be known. */
static double times(double price, double quantity)
{
	return price > 0 ? price * quantity : 0;
}

static double stored_bytes(const struct prices *prices,
    const struct candidate *candidate, const struct workload *workload)
{
	if (candidate_is_unprocessed(candidate))
		return isnan(workload->source_bytes)
		           ? candidate->full.storage_bytes
		           : workload->source_bytes;
	/* A source that nobody knows the size of is the same for all. */
	return candidate->full.storage_bytes +
	       (prices->keep_source && workload->source_bytes > 0
	               ? workload->source_bytes
	               : 0);
}

static double demand_of(
    const struct prices *prices, const struct workload *workload)
{
	if (workload->demand > 0)
		return workload->demand;
	if (prices->accelerators > 0 && prices->accelerator_throughput > 0)
		return prices->accelerators * prices->accelerator_throughput;
	return INFINITY;
}

struct epoch_time {
	double all, waiting; /* s */
};

/* All epochs of the month. */
static struct epoch_time time_of(const struct prices *prices,
    const struct candidate *candidate, const struct workload *workload,
    double throughput)
{
	/* All hosts get so many times what the most demanding one gets. */
	const double spread = workload->demand_of_host > 0
	                          ? workload->demand / workload->demand_of_host
	                          : 1;
	const double epochs = workload->epochs;
	const double first =
	    candidate_first_epoch(candidate, throughput) * spread;
	const double later = throughput * spread;
	const double samples = candidate->full.epoch_samples;
	const double computing = samples / demand_of(prices, workload);
	const double first_s = fmax(samples / first, computing);
	const double later_s = fmax(samples / later, computing);

	if (isnan(samples / first + samples / later))
		return (struct epoch_time){ NAN, NAN };
	return (struct epoch_time){
		.all = first_s + (epochs - 1) * later_s,
		.waiting =
		    first_s - computing + (epochs - 1) * (later_s - computing),
	};
}

/* Epochs that read from the storage: a cache may keep what the first one read.
 */
static double reading_epochs(
    const struct candidate *candidate, const struct workload *workload)
{
	return candidate_is_cached(candidate) &&
	               !candidate->full.outgrows_memory
	           ? 1
	           : workload->epochs;
}

/* GB in a month: to prepare it, and in all epochs. */
static double read_gb(const struct prices *prices,
    const struct candidate *candidate, const struct workload *workload)
{
	const double source =
	    candidate_is_unprocessed(candidate) ? 0 : workload->source_bytes;
	const double epochs =
	    candidate->full.storage_bytes * reading_epochs(candidate, workload);

	/* As for the storage: what nobody knows is the same for all. */
	return (epochs + (source > 0 ? source / prices->months : 0)) / gb;
}

/* The cost of the month's requests: in all epochs, and to write it once. */
static double request_cost(const struct prices *prices,
    const struct candidate *candidate, const struct workload *workload)
{
	const double bytes = candidate->full.storage_bytes;
	double written = 0;

	if (candidate->trial.answers.is_far != ANSWER_YES)
		return 0;
	if (!candidate_is_unprocessed(candidate))
		written = ceil(bytes / part_bytes) +
		          SHARD_REQUESTS * shards_of_size(bytes);
	return times(prices->request_1000 / 1000,
	           candidate->full.requests *
	               reading_epochs(candidate, workload)) +
	       times(prices->write_1000 / 1000, written) / prices->months;
}

struct bill prices_bill(const struct prices *prices,
    const struct candidate *candidate, const struct workload *workload,
    double throughput)
{
	const double vcpus =
	    prices->vcpus > 0 ? prices->vcpus : candidate->trial.threads;
	const double vcpu_s = prices->vcpu_hour * vcpus / hour_s;
	const double devices =
	    workload->devices > 0 ? workload->devices : prices->accelerators;
	const double accelerator_s =
	    prices->accelerator_hour * devices / hour_s;
	const struct epoch_time time =
	    time_of(prices, candidate, workload, throughput);

	return (struct bill){
		.preparation =
		    times(vcpu_s, candidate->full.prep_s) / prices->months,
		.storage = times(prices->gb_month,
		    stored_bytes(prices, candidate, workload) / gb),
		.egress = times(
		    prices->gb_egress, read_gb(prices, candidate, workload)),
		.requests = request_cost(prices, candidate, workload),
		.compute = times(vcpu_s * fmax(workload->hosts, 1), time.all),
		.accelerators = times(accelerator_s, time.all),
		.waiting = times(accelerator_s, time.waiting),
	};
}

double bill_total(const struct bill *bill)
{
	return bill->preparation + bill->storage + bill->egress +
	       bill->requests + bill->compute + bill->accelerators;
}
