/*
 * links.h - steps that each work on one field, in a row, as one worker runs
 * them: between two steps a field lies in scratch memory, and neighbours run
 * as one where the bytes stay the same (fuse.h).  The parts of a chain between
 * steps that work on whole samples.
 *
 * Used by one thread.  Nothing is allocated once buffers have grown.
 */
#ifndef LIB_PIPELINE_LINKS_H
#define LIB_PIPELINE_LINKS_H

#include "lib/pipeline/chain.h"

struct links;

/* How one sample runs. */
struct links_how {
	uint64_t seed;
	uint64_t sample; /* id; of use only where a step draws */
	uint32_t epoch;
	bool borrows; /* fields that no step touches become views of in's */
	/*
	 * Of each field of `in`: what owns its memory and needs it no more, so
	 * that it is exchanged in place of a copy; NULL: it is copied.
	 */
	struct tensor *spent[FIELDS_MAX];
	struct chain_trace *trace; /* NULL: no clock is read */
};

/* Of the steps from .. to-1, none of which works on whole samples. */
struct links *links_new(const struct chain_plan *plan, struct error *err);
void links_free(struct links *links); /* NULL is fine */

/* Has no step anything to do? */
bool links_only_copy(const struct links *links);
/* Does one draw? */
bool links_are_random(const struct links *links);
/* Group `i` of those that run as one; false behind the last. */
bool links_get_group(
    const struct links *links, unsigned i, struct chain_group *group);

/* The fields, count and label of `out`; as chain_next. */
int links_run(struct links *links, const struct links_how *how,
    const struct sample *in, struct sample *out, struct error *err);

#endif
