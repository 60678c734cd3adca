/*
 * ahead.h - samples of a chunk that are parsed before they are begun, so that a
 * step can take several at a time (chain_several).  Their places are kept for
 * messages, since a reader knows that of the last parsed sample only.
 *
 *   while (ahead.count < wanted && next(chunk, &sample) > 0)
 *           ahead_add(&ahead, reader, chunk, &sample);
 *   chain_prepare(chain, ahead.samples, ahead.count, err);
 *   while (ahead_take(&ahead, &sample))
 *           chain_begin(chain, &sample, err); ...
 */
#ifndef LIB_PIPELINE_AHEAD_H
#define LIB_PIPELINE_AHEAD_H

#include <stdbool.h>

#include "lib/sample/key.h"
#include "lib/sample/sample.h"
#include "lib/sample/step_ops.h"

struct chunk;
struct reader;

/* Too large for the stack. */
struct ahead {
	struct sample samples[SEVERAL_MOST]; /* views into the chunk */
	char where[SEVERAL_MOST][KEY_TEXT];
	unsigned count, taken;
};

void ahead_clear(struct ahead *ahead);
/* Adds the sample that the reader has parsed last; there must be room. */
void ahead_add(struct ahead *ahead, const struct reader *reader,
    const struct chunk *chunk, const struct sample *sample);
/* Takes the samples in order; false behind the last. */
bool ahead_take(struct ahead *ahead, struct sample *sample);
/* Returns the place of the sample that was taken last; NULL: there is none. */
const char *ahead_where(const struct ahead *ahead);

#endif
