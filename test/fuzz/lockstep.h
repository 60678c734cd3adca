/*
 * lockstep.h - reads a block twice, as it is and with no sample noted
 * (lib/sample/alike.h): both give the same samples.
 */
#ifndef TEST_FUZZ_LOCKSTEP_H
#define TEST_FUZZ_LOCKSTEP_H

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/stores/store.h"

static inline void lockstep_require(int truth)
{
	if (!truth)
		abort();
}

/* A copy, since parsers may change keys in place. */
static inline unsigned char *lockstep_copy(
    struct chunk *chunk, struct span bytes)
{
	unsigned char *copy = malloc(bytes.len + 1);

	lockstep_require(copy != NULL);
	if (bytes.len)
		memcpy(copy, bytes.data, bytes.len);
	chunk->stored = (struct buf){ copy, bytes.len, bytes.len };
	chunk->bytes = buf_span(&chunk->stored);
	return copy;
}

static inline void lockstep(const struct store_ops *store,
    const struct schema *schema, struct span bytes)
{
	struct sample a = SAMPLE_INIT, b = SAMPLE_INIT;
	struct chunk fast = CHUNK_INIT, slow = CHUNK_INIT;
	unsigned char *copies[] = { lockstep_copy(&fast, bytes),
		lockstep_copy(&slow, bytes) };
	struct error err;
	int got;

	do {
		slow.alike.is_noted = false;
		got = store->next(schema, &fast, &a, &err);
		lockstep_require(store->next(schema, &slow, &b, &err) == got);
		if (got <= 0)
			break;
		lockstep_require(
		    fast.at == slow.at && a.label == b.label &&
		    span_equal(a.key, b.key) &&
		    sample_hash(&a, schema) == sample_hash(&b, schema));
	} while (got > 0);
	free(copies[0]);
	free(copies[1]);
}

#endif
