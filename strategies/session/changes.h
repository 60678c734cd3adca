/*
 * changes.h - how much a lossy strategy changes the data: by its codec, by
 * lossy steps, or by an order of the steps that is equal up to rounding.
 *
 * Some samples from all over the dataset go through the steps as unprocessed
 * runs them, and as the strategy does: offline steps, its codec there and back,
 * online steps.  The elements of both outputs are compared.
 */
#ifndef STRATEGIES_SESSION_CHANGES_H
#define STRATEGIES_SESSION_CHANGES_H

#include "strategies/session/session.h"

struct preparation_row;

/*
 * Fills in the difference of the row; of several fields, that of the field with
 * the lowest PSNR.  Samples that a step refuses are passed over.  It stays
 * unknown if outputs cannot be compared element by element.
 */
int changes_measure(const struct session_plan *plan,
    const struct strategy *strategy, struct preparation_row *row,
    struct error *err);

#endif
