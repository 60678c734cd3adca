/*
 * packer.h - packs pilot samples: how small they become, and how long it takes,
 * in each representation, store and codec of a plan.
 */
#ifndef STRATEGIES_FORECAST_PACKER_H
#define STRATEGIES_FORECAST_PACKER_H

#include <stdbool.h>

#include "lib/pipeline/pipeline.h"
#include "strategies/forecast/overhead.h"
#include "strategies/plan/plan.h"

struct error;
struct packer;

struct packing {      /* per sample */
	double bytes; /* its record in the store */
	double encode_s, decode_s;
	/*
	 * CPU time to store it: record, checksums, codec, writing.  0: not
	 * known; rehearsals fill it in, and set encode_s to its part of it.
	 */
	double store_s;
	struct overhead overhead; /* filled in by the pilot */
};

/* Both are borrowed. If not `timed`, decoding is not tried. */
struct packer *packer_new(const struct plan *plan,
    const struct pipeline *pipeline, bool timed, struct error *err);
void packer_free(struct packer *packer); /* NULL is fine */

/*
 * Limits the CPU time of packer_try with a codec, which is half a second.  The
 * sizes of slow codecs then come from the first frames; one is always packed.
 */
void packer_limit(struct packer *packer, double seconds);

/* Adds a sample of a representation; each representation gets as many. */
int packer_add(struct packer *packer, unsigned rep, const struct sample *sample,
    struct error *err);

/*
 * Packs the added samples with one store and codec of the plan: the mean of a
 * sample. All is 0 if they do not take the representation. `more` corrects the
 * size of a sample by what is known of the whole source.
 */
int packer_try(struct packer *packer, unsigned rep, unsigned store,
    unsigned codec, double more, struct packing *packing, struct error *err);

#endif
