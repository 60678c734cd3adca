/*
 * recording.h - the events of a traced epoch: each thread has its own log, and
 * names are given when the epoch has ended; for lib/loader only.
 */
#ifndef LIB_LOADER_RECORDING_H
#define LIB_LOADER_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/measure/event_log.h"

struct loader;

struct recording {
	/* Owned, [fetchers + threads + 1]: the consumer is last; or NULL. */
	struct event_log *logs;
	size_t most;       /* events that are kept of all threads */
	uint64_t began_ns; /* the epoch */
	uint64_t given_ns; /* when the consumer got its batch; 0: it has none */
};

/* The log of a thread; NULL: this epoch is not recorded. */
struct event_log *recording_log(const struct loader *loader, unsigned thread);
/* The epoch begins; logs that recorded an epoch before are dropped. */
void recording_begin(struct loader *loader);
void recording_release(struct loader *loader);

/* The consumer asks for a batch, and has got one. */
void recording_ask(struct loader *loader);
void recording_get(struct loader *loader);

#endif
