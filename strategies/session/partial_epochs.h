/*
 * partial_epochs.h - the differential check: what an epoch takes that only
 * reads, one that reads and decodes, and one that does everything, each from
 * the same place.  Where reading alone takes as long as everything, no step is
 * to blame.
 */
#ifndef STRATEGIES_SESSION_PARTIAL_EPOCHS_H
#define STRATEGIES_SESSION_PARTIAL_EPOCHS_H

#include "lib/measure/phase.h"

struct error;
struct loader;
struct trial_plan;
struct trial_result;

struct partial_epochs {
	struct partial_row rows[EXTENT_COUNT];
	double share;              /* of the samples that they are of */
	uint64_t requests, opened; /* of the medium, by reading all */
};

/*
 * What an epoch shows besides the timed ones, a part of it shows as well: the
 * share of one of `epoch_s` seconds that is long enough.
 */
double partial_epochs_share(double epoch_s);

/*
 * Before the traced pass: what is only done once, such as reading what is not
 * in the page cache and checking the blocks' checksums, is over, where it would
 * count beside the rest.
 */
int partial_epochs_warm_up(
    const struct trial_plan *plan, struct loader *loader, struct error *err);
/*
 * All but EXTENT_ALL, cold or warm as the trial is, of a part of the samples
 * where an epoch, which takes `epoch_s` seconds when it is warm, is long.  A
 * cold one takes as long as reading does, as far as the plan's cold_rate tells;
 * it is set.  In cold trials decoding is only measured where there is a codec.
 * With an interrupted plan the rows are not filled; that is no error.
 */
int partial_epochs_measure(const struct trial_plan *plan, struct loader *loader,
    double epoch_s, struct partial_epochs *partial, struct error *err);
/* EXTENT_ALL: the epoch that is the median of the timed ones that count. */
void partial_epochs_whole(const struct trial_result *result,
    const struct trial_plan *plan, struct partial_row *all);

#endif
