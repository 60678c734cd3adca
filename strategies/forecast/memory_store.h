/*
 * memory_store.h - a strategy's stored data made of pilot samples, in memory:
 * the files that presto materialize would write, read by the same code.
 */
#ifndef STRATEGIES_FORECAST_MEMORY_STORE_H
#define STRATEGIES_FORECAST_MEMORY_STORE_H

#include <stdatomic.h>
#include <stdint.h>

#include "lib/stores/store.h"

struct chain;
struct error;
struct held_rep;
struct medium;
struct pipeline;

struct memory_store_plan { /* borrowed */
	const struct pipeline *pipeline;
	unsigned rep;
	const struct store_ops *store;
	const struct codec *codec;
	const struct held_rep *held; /* at least one sample */
	const char *dir;             /* as of medium_new_memory; or NULL */
	uint64_t samples;            /* to store: the held ones in turn */
	unsigned shards;
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
};

struct memory_store {
	struct medium *medium; /* owned, as is the reader */
	struct reader *reader;
	struct store_form form;
	uint64_t bytes; /* all that is stored */
};

#define MEMORY_STORE_INIT      \
	{                      \
		.medium = NULL \
	}

/* ERROR_USAGE if the store or the codec does not take the samples. */
int memory_store_make(struct memory_store *made,
    const struct memory_store_plan *plan, struct error *err);
void memory_store_release(struct memory_store *made);

#endif
