/*
 * field_steps_state.h - what field_steps.c and field_steps_new.c share; for
 * them only.
 */
#ifndef LIB_PIPELINE_FIELD_STEPS_STATE_H
#define LIB_PIPELINE_FIELD_STEPS_STATE_H

#include "lib/base/error.h"
#include "lib/pipeline/field_steps.h"
#include "lib/pipeline/fuse.h"
#include "lib/steps/step.h"

enum {
	CODEC = PIPELINE_STEPS, /* used as the index of a codec's step */
	STEPS_MOST = PIPELINE_STEPS + 2, /* most steps of a field */
};

struct field_step { /* one step on one field */
	const struct step_ops *ops;
	void *priv;
	const struct type *promised; /* must fit; NULL: always does */
	unsigned index;              /* index in the pipeline, or CODEC */
	unsigned given;              /* its stream of random draws */
	unsigned field;
	bool last; /* the last on this field: writes the output */
	struct type in, out;
	struct fuse *fuse; /* owned by the first step of the group */
	bool is_fused;     /* belongs to a group that begins earlier */
	bool crops;
	unsigned fuse_last; /* the last step of the group */
};

struct field_steps {
	struct chain_plan plan;
	struct schema in; /* schema of the input */
	unsigned count;   /* steps that do something */
	struct field_step list[STEPS_MOST * FIELDS_MAX];
	struct tensor scratch[FIELDS_MAX][2];
	struct tensor aligned;      /* an aligned copy of an input */
	unsigned touched;           /* bit f: some step changes field f */
	bool random;                /* a step draws */
	bool fuses;                 /* some steps are fused */
	struct field_steps_how how; /* for the current sample */

	unsigned several; /* the first step that takes several, or `count` */
	/* Samples that this step has run for already: see prepare. */
	unsigned prepared, next;
	unsigned slots[SEVERAL_MOST]; /* UINT_MAX: a step before refused it */
	struct error refusals[SEVERAL_MOST];
};

#endif
