/*
 * segment.h - a segment of a chain: steps on single fields (field_steps.h),
 * then a whole-sample step with its output and its current sample. The last
 * segment has no whole-sample step.
 */
#ifndef LIB_PIPELINE_SEGMENT_H
#define LIB_PIPELINE_SEGMENT_H

#include "lib/pipeline/field_steps.h"
#include "lib/steps/step.h"

struct segment {
	struct field_steps *field_steps;
	struct sample field_output; /* theirs, if a whole-sample step follows */

	/* The whole-sample step; NULL in the last segment. */
	const struct pipeline_step *step;
	unsigned index; /* index in the pipeline */
	void *priv;
	/* How the step runs as one with the next one; NULL: alone. */
	const struct fused_pair_ops *fused_pair;
	unsigned fused_index; /* index of the next one, if they are fused */
	struct tensor aligned[FIELDS_MAX]; /* aligned copies of its input */
	struct sample made;                /* output of the step */
	struct buf key; /* key of `made`, if the step makes several */

	/* Current input of the step; in the last segment, of field_steps. */
	struct sample in;
	uint64_t count, next;      /* samples that it yields, and made */
	struct chain_split *split; /* work shared with other workers, or NULL */
};

/* Opens a segment: the steps of `part`, and the whole-sample step behind. */
int segment_open(struct segment *segment, const struct chain_plan *plan,
    const struct chain_plan *part, struct error *err);
void segment_close(struct segment *segment);

/* Makes a pair of both steps if they can run as one. */
bool segment_fuse(struct segment *segment, const struct segment *next);
/* Describes the pair. */
void segment_get_fused(
    const struct segment *segment, struct fused_steps *fused);

/* See chain_hold and chain_rest. */
int segment_hold(struct segment *segment, struct error *err);
void segment_rest(struct segment *segment);

/* Copies the fields of its input that must be aligned and are not. */
int segment_align(struct segment *segment, struct error *err);
/* Sets the key of sample `number` that the step makes. */
int segment_set_key(
    struct segment *segment, uint64_t number, struct error *err);

/* Count what the step did to begin a sample, and to make one. */
void segment_trace_begin(
    const struct segment *segment, struct chain_trace *trace);
void segment_trace_make(
    const struct segment *segment, struct chain_trace *trace);
/* Counts a lap of two fused steps; `first`: the first one's part of it. */
void segment_trace_pair(const struct segment *segment,
    const struct segment *next, double first, struct chain_trace *trace);

#endif
