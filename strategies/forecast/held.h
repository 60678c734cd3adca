/*
 * held.h - pilot samples of each representation, kept in memory to be stored
 * (rehearsal.h).  They are added in random order; once a representation has
 * HELD_BYTES, or memory is short, further ones are not kept.
 */
#ifndef STRATEGIES_FORECAST_HELD_H
#define STRATEGIES_FORECAST_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/pipeline/pipeline.h"
#include "lib/sample/sample.h"

struct error;

enum {
	HELD_BYTES = 12 << 20, /* about, of a representation */
	HELD_LEAST = 2,        /* samples, however large they are */
	HELD_MOST = 32 << 20,  /* bytes: a sample that is larger is not kept */
};

struct held_rep {
	struct sample *list; /* owned, as is all memory of the samples */
	size_t count, capacity;
	uint64_t bytes;
	bool full; /* a sample had no room: later ones have none, either */
};

struct held {
	struct held_rep reps[PIPELINE_STEPS + 1];
};

int held_add(struct held *held, unsigned rep, const struct sample *sample,
    struct error *err);
void held_release(struct held *held);

#endif
