/*
 * stage.h - a step on whole samples as a chain runs it: the steps on single
 * fields in front of it (links.h), what it makes, and the sample that it is
 * at.  The last stage of a chain has no such step.
 */
#ifndef LIB_PIPELINE_STAGE_H
#define LIB_PIPELINE_STAGE_H

#include "lib/pipeline/links.h"
#include "lib/steps/step.h"

struct stage {
	struct links *links;
	struct sample linked; /* what they make, where a step follows */

	/* The step at the end; NULL in the last stage. */
	const struct pipeline_step *step;
	unsigned index; /* in the pipeline */
	void *priv;
	const struct fused_pair_ops
	    *pair;           /* as one with the next; NULL: alone */
	unsigned pair_index; /* then that one's, in the pipeline */
	struct tensor aligned[FIELDS_MAX]; /* of its input, where need be */
	struct sample made;                /* what it makes */
	struct buf key;                    /* of that, when it is one of many */

	/* The sample that it is at: of the last stage, its input. */
	struct sample in;
	uint64_t count, next;      /* that come of it, and came */
	struct chain_share *share; /* with others; else NULL */
};

/* The steps of `part`, which is of `plan`, and the step behind them. */
int stage_open(struct stage *stage, const struct chain_plan *plan,
    const struct chain_plan *part, struct error *err);
void stage_close(struct stage *stage);

/* Runs the steps of both as one, if they do; there is nothing in between. */
bool stage_pair(struct stage *stage, const struct stage *next);
/* The two steps that run as one. */
void stage_get_group(const struct stage *stage, struct chain_group *group);

/* Fields of its input that lie unaligned are copied, where need be. */
int stage_align(struct stage *stage, struct error *err);
/* Of what it makes as number `number`. */
int stage_set_key(struct stage *stage, uint64_t number, struct error *err);

#endif
