/* fingerprint.c - see fingerprint.h. */
#include "strategies/prepare/fingerprint.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/hash.h"
#include "lib/codecs/transform.h"
#include "lib/own/own.h"
#include "lib/pipeline/own_step.h"
#include "lib/pipeline/pipeline.h"
#include "lib/syntax/ini.h"
#include "strategies/prepare/prepare.h"

void fingerprint_set(
    const struct prepare_plan *plan, bool is_early, char text[FINGERPRINT])
{
	static const char *const by_inventory[] = { "fingerprint", "path",
		NULL };
	static const char *const of_this[] = { "fingerprint", NULL };
	const struct reader *source = plan->source;
	const uint64_t numbers[] = { is_early ? source->samples : 0,
		is_early ? source->bytes : 0, is_early ? source->streams : 0,
		plan->shards, plan->seed, plan->skip_errors,
		plan->order.shuffled, plan->order.seed };
	const struct transform_ops *transform = plan->strategy->codec.transform;
	uint64_t hash = hash_bytes(numbers, sizeof(numbers), 0);

	hash = hash_bytes(
	    plan->strategy->label, strlen(plan->strategy->label), hash);
	if (source->labels_hash)
		hash = hash_bytes(
		    &source->labels_hash, sizeof(source->labels_hash), hash);
	/* earlier versions held the order of as many samples in memory */
	if (stored_order_is_computed(&plan->order, source))
		hash = hash_bytes("computed", strlen("computed"), hash);
	/* earlier versions gave such files names that must not stay */
	if (transform && transform->is_filter)
		hash = hash_bytes("2", 1, hash);
	hash = ini_hash(ini_section(plan->pipeline->ini, "dataset"),
	    is_early ? of_this : by_inventory, hash);
	/* the limit then decides which samples are skipped */
	if (plan->skip_errors)
		hash = ini_hash(
		    ini_section(plan->pipeline->ini, "limits"), NULL, hash);
	for (unsigned i = 0; i < plan->strategy->split; i++) {
		const struct pipeline_step *step = &plan->pipeline->steps[i];
		const struct own *own = own_step(step);

		hash = hash_bytes(
		    step->entry->value, strlen(step->entry->value), hash);
		if (own)
			hash =
			    hash_bytes(own->print.data, own->print.len, hash);
	}
	snprintf(text, FINGERPRINT, "%016llx", (unsigned long long)hash);
}
