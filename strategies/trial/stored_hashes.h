/*
 * stored_hashes.h - hashes of the samples that a strategy passes to its online
 * steps. If they equal those of a verified strategy with the same online steps,
 * its output is the same, too. Hashing stored samples takes less time than
 * steps such as decoding photographs.
 */
#ifndef STRATEGIES_TRIAL_STORED_HASHES_H
#define STRATEGIES_TRIAL_STORED_HASHES_H

#include <stdatomic.h>

#include "strategies/forecast/predict.h"
#include "strategies/trial/outputs.h"

struct error;
struct medium;
struct reader;

struct stored_hashes_plan {
	const struct plan *plan;
	const struct reader *reader; /* gives representation `split` */
	const struct pipeline *pipeline;
	unsigned split;
	unsigned threads;
	struct medium *medium;   /* the reader's */
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
};

/*
 * Reads all samples, verifies checksums that were not verified yet, and hashes
 * the samples as the steps would get them. *hashes, empty before, is then
 * sorted.
 */
int stored_hashes_read(const struct stored_hashes_plan *how,
    struct outputs *hashes, struct error *err);

/*
 * Is hashing the stored samples, and perhaps those of the other strategy,
 * faster than running all steps on all samples instead of a part?
 */
bool stored_hashes_save_time(const struct model *model,
    const struct strategy *strategy, const struct load *load);

#endif
