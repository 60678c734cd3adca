/*
 * stage.h - a stage of a chain: steps on single fields (links.h), then a
 * whole-sample step with its output and its current sample. The last stage has
 * no whole-sample step.
 */
#ifndef LIB_PIPELINE_STAGE_H
#define LIB_PIPELINE_STAGE_H

#include "lib/pipeline/links.h"
#include "lib/steps/step.h"

struct stage {
	struct links *links;
	struct sample linked; /* output of the links, if a step follows */

	/* The whole-sample step; NULL in the last stage. */
	const struct pipeline_step *step;
	unsigned index; /* index in the pipeline */
	void *priv;
	const struct fused_pair_ops
	    *pair;           /* runs as one with the next; NULL: alone */
	unsigned pair_index; /* index of the next one, if they are a pair */
	struct tensor aligned[FIELDS_MAX]; /* aligned copies of its input */
	struct sample made;                /* output of the step */
	struct buf key; /* key of `made`, if the step makes several */

	/* Current input of the step; in the last stage, of the links. */
	struct sample in;
	/* samples that the step yields, and made so far */
	uint64_t count, next;
	struct chain_share *share; /* work shared with other workers, or NULL */
};

/*
 * Opens a stage with the steps of `part`, a part of `plan`, and the
 * whole-sample step behind them.
 */
int stage_open(struct stage *stage, const struct chain_plan *plan,
    const struct chain_plan *part, struct error *err);
void stage_close(struct stage *stage);

/*
 * Makes a pair of both steps if they can run as one, without steps in between.
 */
bool stage_pair(struct stage *stage, const struct stage *next);
/* Describes the pair. */
void stage_get_group(const struct stage *stage, struct chain_group *group);

/* Copies the fields of its input that must be aligned and are not. */
int stage_align(struct stage *stage, struct error *err);
/* Sets the key of sample `number` that the step makes. */
int stage_set_key(struct stage *stage, uint64_t number, struct error *err);

#endif
