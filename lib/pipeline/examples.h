/*
 * examples.h - some samples of a dataset, as a representation has them: a step
 * whose output type is found by running is tried on them (lib/own/own.h).
 */
#ifndef LIB_PIPELINE_EXAMPLES_H
#define LIB_PIPELINE_EXAMPLES_H

#include "lib/own/own.h"
#include "lib/pipeline/pipeline.h"
#include "lib/sample/key.h"

struct reader;

struct examples {
	struct sample samples[OWN_EXAMPLES]; /* owned; without keys */
	unsigned count;
	char where[KEY_TEXT]; /* the first one's place, for messages */
};

#define EXAMPLES_INIT      \
	{                  \
		.count = 0 \
	}

/*
 * Takes samples from streams that are spread over the dataset, and runs the
 * steps before representation `rep`, whose schemas are known.  At least one is
 * there, else ERROR_DATA.  With `skips`, samples that a step refuses are left
 * out.
 */
int examples_take(struct examples *examples, const struct pipeline *pipeline,
    unsigned rep, const struct reader *reader, bool skips, struct error *err);
void examples_release(struct examples *examples);

#endif
