/* memory_store.c - see memory_store.h. */
#include "strategies/forecast/memory_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/stop.h"
#include "lib/media/medium.h"
#include "lib/pipeline/chain.h"
#include "lib/stores/manifest.h"
#include "lib/stores/sink.h"
#include "strategies/forecast/held.h"

enum { NUMBER = 24 };

/* It cannot exist, and nothing is looked for there. */
static const char dir[] = "/proc/self/presto";

struct making {
	const struct memory_store_plan *plan;
	struct memory_store *made;
	struct chain *transform; /* the codec's; NULL: none */
	struct sample transformed;
	struct buf key;
};

/* Each stored sample has a key of its own. */
static int set_key(struct making *making, struct sample *sample,
    uint64_t number, struct error *err)
{
	char text[NUMBER];

	making->key.len = 0;
	snprintf(text, sizeof(text), "%llu-", (unsigned long long)number);
	if (buf_append(&making->key, text, strlen(text), err) ||
	    buf_append(&making->key, sample->key.data, sample->key.len, err))
		return -1;
	sample->key = buf_span(&making->key);
	return 0;
}

/* Number 0 keeps the key of its sample. */
static int add_sample(struct making *making, struct shard_writer *writer,
    uint64_t number, struct error *err)
{
	const struct held_rep *held = making->plan->held;
	struct sample sample = held->list[number % held->count];

	if (number >= held->count && set_key(making, &sample, number, err))
		return -1;
	if (!making->transform)
		return shard_writer_add(writer, &sample, err);
	if (chain_run(making->transform, &sample, &making->transformed, err))
		return -1;
	making->transformed.key = sample.key;
	making->transformed.label = sample.label;
	return shard_writer_add(writer, &making->transformed, err);
}

static int write_shard(struct making *making, unsigned shard, struct error *err)
{
	const struct memory_store_plan *plan = making->plan;
	const uint64_t first = plan->samples * shard / plan->shards;
	const uint64_t end = plan->samples * (shard + 1) / plan->shards;
	struct shard_writer *writer = shard_writer_new(
	    making->made->medium, dir, &making->made->form, shard, err);
	int rc = writer ? 0 : -1;

	if (writer)
		shard_writer_expect(writer, end - first);
	for (uint64_t i = first; rc == 0 && i < end; i++)
		rc = stop_check(plan->stop, err)
		         ? -1
		         : add_sample(making, writer, i, err);
	if (rc == 0)
		rc = shard_writer_commit(writer, err);
	shard_writer_free(writer);
	return rc;
}

static int write_all(struct making *making, struct error *err)
{
	const struct manifest_note note = { .strategy = "pilot",
		.fingerprint = "0000000000000000" };
	struct sink sink = { .medium = making->made->medium };

	for (unsigned i = 0; i < making->plan->shards; i++)
		if (write_shard(making, i, err))
			return -1;
	return manifest_write(
	    &sink, dir, &making->made->form, making->plan->shards, &note, err);
}

static int open_transform(struct making *making, struct error *err)
{
	const struct memory_store_plan *plan = making->plan;
	const struct chain_plan encode = {
		.pipeline = plan->pipeline,
		.from = plan->rep,
		.to = plan->rep,
		.encode = plan->codec,
	};

	if (!plan->codec->transform)
		return 0;
	making->transform = chain_new(&encode, err);
	return making->transform ? 0 : -1;
}

int memory_store_make(struct memory_store *made,
    const struct memory_store_plan *plan, struct error *err)
{
	struct making making = {
		.plan = plan,
		.made = made,
		.transformed = SAMPLE_INIT,
		.key = BUF_INIT,
	};
	int rc = -1;

	*made = (struct memory_store)MEMORY_STORE_INIT;
	if (store_form_init(&made->form, plan->store, plan->codec,
	        &plan->pipeline->schemas[plan->rep], err))
		return -1;
	made->medium = medium_new_memory(plan->dir, err);
	if (made->medium && open_transform(&making, err) == 0 &&
	    write_all(&making, err) == 0) {
		made->bytes = medium_bytes_held(made->medium);
		made->reader = store_open(made->medium, dir, err);
		rc = made->reader ? 0 : -1;
	}
	chain_free(making.transform);
	sample_release(&making.transformed);
	buf_release(&making.key);
	if (rc)
		memory_store_release(made);
	return rc;
}

void memory_store_release(struct memory_store *made)
{
	reader_free(made->reader);
	medium_free(made->medium);
	*made = (struct memory_store)MEMORY_STORE_INIT;
}
