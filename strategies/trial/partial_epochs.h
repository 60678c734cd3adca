/*
 * partial_epochs.h - epochs that stop after reading, or after decoding, to be
 * compared with whole ones. If reading alone takes as long as a whole epoch, no
 * step is the bottleneck.
 */
#ifndef STRATEGIES_TRIAL_PARTIAL_EPOCHS_H
#define STRATEGIES_TRIAL_PARTIAL_EPOCHS_H

#include "lib/measure/phase.h"

struct error;
struct loader;
struct trial_plan;
struct trial_result;

struct partial_epochs {
	struct partial_row rows[EXTENT_COUNT];
	double fraction;           /* fraction of the samples that was used */
	uint64_t requests, opened; /* by reading all samples */
};

/*
 * Returns the fraction of an epoch of `epoch_s` seconds that is long enough: a
 * part shows as much as the whole, except for timed runs.
 */
double partial_epochs_fraction(double epoch_s);

/*
 * Does what happens only once before the traced epoch, so that it is not
 * counted there: reads data into the page cache, and verifies checksums.
 */
int partial_epochs_warm_up(
    const struct trial_plan *plan, struct loader *loader, struct error *err);
/*
 * Measures partial epochs, cold or warm like the trial. `epoch_s` is the time
 * of a whole warm epoch; a long epoch is cut to a part of the samples. The
 * cold_rate of the plan, if known, tells how long a cold epoch is; it is set.
 * In cold trials, decoding is measured only where there is a codec. If the plan
 * is interrupted, the rows stay empty; that is no error.
 */
int partial_epochs_measure(const struct trial_plan *plan, struct loader *loader,
    double epoch_s, struct partial_epochs *partial, struct error *err);
/* Sets *all, the row of whole epochs: the median of those that count. */
void partial_epochs_whole(const struct trial_result *result,
    const struct trial_plan *plan, struct partial_row *all);

#endif
