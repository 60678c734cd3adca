/*
 * batches.h - where the batches of a loader come from: from an ordered loader
 * in this process, or from the workers of a service.  Both deliver the same;
 * for api only.
 */
#ifndef API_BATCHES_H
#define API_BATCHES_H

#include <stdint.h>

#include "lib/loader/ordered/ordered.h"

struct batch;
struct error;
struct presto_dataset;
struct presto_loader_options;
struct remote_loader;

/* One of both is set.  The functions are those of ordered.h. */
struct batches {
	struct ordered_loader *local;
	struct remote_loader *remote;
};

int batches_open(struct batches *batches, const struct presto_dataset *dataset,
    const struct presto_loader_options *options, struct error *err);
void batches_close(struct batches *batches);

uint64_t batches_count(const struct batches *batches);
int batches_next(struct batches *batches, unsigned wait_ms,
    struct batch **batch, struct error *err);
void batches_interrupt(struct batches *batches);
struct ordered_position batches_position(const struct batches *batches);
void batches_seek(struct batches *batches, struct ordered_position position);
uint64_t batches_skipped(const struct batches *batches);
uint64_t batches_filtered(const struct batches *batches);
/* The fingerprint of dataset and options, which positions belong to. */
uint64_t batches_order(
    const struct batches *batches, const struct presto_dataset *dataset);

#endif
