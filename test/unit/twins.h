/*
 * twins.h - one pipeline as two chains, with steps fused and separate, whose
 * output must be equal.
 */
#ifndef TEST_UNIT_TWINS_H
#define TEST_UNIT_TWINS_H

#include "lib/pipeline/chain.h"
#include "lib/syntax/ini.h"

struct codec;
struct schema;

struct twins {
	struct ini ini;
	struct pipeline pipeline;
	struct chain *together, *alone;
};

/* Over a field that `codec` transformed (NULL: none); -1 when steps do not fit
 * each other: then there is nothing to close. */
int twins_open(struct twins *twins, const char *text,
    const struct schema *schema, const struct codec *codec);
void twins_close(struct twins *twins);

#endif
