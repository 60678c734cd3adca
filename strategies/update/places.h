/*
 * places.h - where the samples of an addition lie: in which shard, and at which
 * place in it.
 *
 * It is known if every sample of the source became one stored sample.  Then the
 * order of the addition says it, and no shard is read.
 */
#ifndef STRATEGIES_UPDATE_PLACES_H
#define STRATEGIES_UPDATE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct addition;
struct error;
struct manifest;
struct stored_order;

struct places {
	const struct addition *of;
	uint64_t *position; /* owned: [samples]; NULL: in the given order */
	uint64_t *starts;   /* owned: [shards + 1] first samples of shards */
	bool is_known;
};

#define PLACES_INIT        \
	{                  \
		.of = NULL \
	}

/*
 * `samples`: those of the source that the addition was made of.  All are
 * permuted if the order is shuffled.
 */
int places_init(struct places *places, const struct addition *of,
    const struct manifest *manifest, const struct stored_order *order,
    uint64_t samples, struct error *err);
/* Finds shard and place of a sample; only where is_known. */
void places_find(const struct places *places, uint64_t sample, uint64_t *shard,
    uint64_t *place);
void places_release(struct places *places);

#endif
