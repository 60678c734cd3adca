/*
 * links.h - consecutive steps on single fields, as one worker runs them.
 * Between two steps a field lies in scratch memory; neighbouring steps are
 * fused where the bytes stay the same (fuse.h). They are the parts of a chain
 * between whole-sample steps.
 *
 * Used by one thread. Nothing is allocated once buffers have grown.
 */
#ifndef LIB_PIPELINE_LINKS_H
#define LIB_PIPELINE_LINKS_H

#include "lib/pipeline/chain.h"

struct links;

/* How one sample runs. */
struct links_how {
	uint64_t seed;
	uint64_t sample; /* id; needed only where a step draws */
	uint32_t epoch;
	bool borrows; /* unchanged fields become views of the input's */
	/*
	 * For each input field: the tensor that owns its memory, if nobody
	 * needs that any more. The output field swaps memory with it. NULL: the
	 * field is copied.
	 */
	struct tensor *spent[FIELDS_MAX];
	struct chain_trace *trace; /* NULL: no clock is read */
};

/* Binds the steps from .. to-1, none of which is a whole-sample step. */
struct links *links_new(const struct chain_plan *plan, struct error *err);
void links_free(struct links *links); /* NULL is fine */

/* Do all steps only pass fields on? */
bool links_only_copy(const struct links *links);
/* Does a step draw? */
bool links_are_random(const struct links *links);
/* Describes group `i` of fused steps; false behind the last. */
bool links_get_group(
    const struct links *links, unsigned i, struct chain_group *group);

/* Makes fields, count and label of `out`; see chain_next. */
int links_run(struct links *links, const struct links_how *how,
    const struct sample *in, struct sample *out, struct error *err);

#endif
