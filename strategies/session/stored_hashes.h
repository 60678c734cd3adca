/*
 * stored_hashes.h - what a strategy gives the steps behind its split, hashed
 * sample by sample.  Who gives them just what another one does, whose output
 * was checked, delivers the same: and hashes of what is stored take less than
 * steps such as decoding photographs.
 */
#ifndef STRATEGIES_SESSION_STORED_HASHES_H
#define STRATEGIES_SESSION_STORED_HASHES_H

#include <stdatomic.h>

#include "strategies/forecast/predict.h"
#include "strategies/session/outputs.h"

struct error;
struct medium;
struct reader;

struct stored_hashes_plan {
	const struct plan *plan;
	const struct reader *reader; /* gives representation `split` */
	const struct pipeline *pipeline;
	unsigned split;
	unsigned threads;
	struct medium *medium;   /* of the reader */
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
};

/*
 * Reads everything, looks at checksums that were not looked at before, and
 * hashes it as the steps would get it; *hashes, which is empty, is then sorted.
 */
int stored_hashes_read(const struct stored_hashes_plan *how,
    struct outputs *hashes, struct error *err);

/*
 * Does that, with another that may have to be read as well, take less than
 * running the steps of the strategy over all samples, and not only over a part?
 */
bool stored_hashes_save_time(const struct model *model,
    const struct strategy *strategy, const struct load *load);

#endif
