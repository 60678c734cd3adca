/*
 * packer.h - how small samples become, and how long it takes: a few samples of
 * each representation through each store and codec of a plan; for predict.c.
 */
#ifndef STRATEGIES_FORECAST_PACKER_H
#define STRATEGIES_FORECAST_PACKER_H

#include <stdbool.h>

#include "lib/pipeline/pipeline.h"
#include "strategies/plan/plan.h"

struct error;
struct packer;

struct packing {      /* of one sample */
	double bytes; /* stored */
	double encode_s, decode_s;
};

/* Both are borrowed.  Not `timed`: decoding is not tried. */
struct packer *packer_new(const struct plan *plan,
    const struct pipeline *pipeline, bool timed, struct error *err);
void packer_free(struct packer *packer); /* NULL is fine */

/* Another sample of a representation; each gets as many. */
int packer_add(struct packer *packer, unsigned rep, const struct sample *sample,
    struct error *err);

/*
 * With this store and codec of the plan; nothing where they do not take the
 * representation.  The mean of all samples that were added, less or `more`
 * bytes: what is known of the others.
 */
int packer_try(struct packer *packer, unsigned rep, unsigned store,
    unsigned codec, double more, struct packing *packing, struct error *err);

#endif
