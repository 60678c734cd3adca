/* commute.c - see commute.h. */
#include "lib/pipeline/commute.h"

#include <stdint.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/pipeline/pipeline.h"

#define BIT(kind) (1u << (kind))

enum {
	/* Each element becomes another one, and keeps its place. */
	ELEMENTWISE = BIT(KIND_CAST) | BIT(KIND_MAP) | BIT(KIND_SCALE),
	/* Straight lines, whose factors may depend on the channel. */
	AFFINE = BIT(KIND_SCALE) | BIT(KIND_CHANNEL_SCALE),
	/* Filters, which leave the samples that they keep as they are. */
	LOOKS = BIT(KIND_LOOK) | BIT(KIND_LOOK_DIMS) | BIT(KIND_LOOK_DATA) |
	        BIT(KIND_LOOK_LABEL),
};

/* Each step of the kind commutes so with each step of the set. */
static const struct rule {
	enum step_kind kind;
	unsigned with; /* bits of kinds */
	enum commute how;
} rules[] = {
	/* Whole pixels and rows are the same wherever they are taken from. */
	{ KIND_CROP, ELEMENTWISE | BIT(KIND_CHANNEL_SCALE) | BIT(KIND_GRAY),
	    COMMUTE_EXACT },
	{ KIND_FLIP, ELEMENTWISE | BIT(KIND_CHANNEL_SCALE) | BIT(KIND_GRAY),
	    COMMUTE_EXACT },
	{ KIND_ROWS, ELEMENTWISE, COMMUTE_EXACT },
	/* Elements keep their values, and crops and flips know both layouts. */
	{ KIND_PLANES,
	    ELEMENTWISE | BIT(KIND_CHANNEL_SCALE) | BIT(KIND_CROP) |
	        BIT(KIND_FLIP),
	    COMMUTE_EXACT },
	/* Mirrored twice is the same, whichever axis comes first. */
	{ KIND_FLIP, BIT(KIND_FLIP), COMMUTE_EXACT },
	/* An element that is added gets the other dtype; it is rounded once
	 * or twice.  A map would change it. */
	{ KIND_FILL, BIT(KIND_CAST), COMMUTE_ROUNDING },
	/*
	 * A weighted mean of straight lines is the line of the weighted mean.
	 * Integers are rounded behind each step, so the places of the rounding
	 * differ.
	 */
	{ KIND_BLEND, BIT(KIND_CAST) | AFFINE | BIT(KIND_GRAY),
	    COMMUTE_ROUNDING },
	{ KIND_CROP_BLEND, BIT(KIND_CAST) | AFFINE | BIT(KIND_GRAY),
	    COMMUTE_ROUNDING },
	/* Only if all channels have the same line. */
	{ KIND_GRAY, BIT(KIND_CAST) | BIT(KIND_SCALE), COMMUTE_ROUNDING },
	/* The weights are the same from both sides; sums are rounded. */
	{ KIND_FLIP, BIT(KIND_BLEND), COMMUTE_ROUNDING },
	/* A filter drops samples; mirroring keeps all sizes. */
	{ KIND_LOOK, LOOKS | BIT(KIND_FLIP), COMMUTE_EXACT },
	{ KIND_LOOK_DIMS,
	    LOOKS | BIT(KIND_FLIP) | ELEMENTWISE | BIT(KIND_CHANNEL_SCALE),
	    COMMUTE_EXACT },
	{ KIND_LOOK_DATA, LOOKS, COMMUTE_EXACT },
	{ KIND_LOOK_LABEL, LOOKS, COMMUTE_EXACT },
};

/*
 * Pairs that look as if they commuted, and do not:
 *   crops and flips   the window is counted from the other side
 *   crops and blends  pixels at the edge have other neighbours
 *   maps and blends   the mean of logarithms is not that of the numbers
 *   maps and fills    center makes -1 of the added 0
 *   flips and crops that blend  as crops
 */

enum commute commute_kinds(enum step_kind a, enum step_kind b)
{
	if (a == KIND_NOTHING || b == KIND_NOTHING)
		return COMMUTE_EXACT;
	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		if ((rules[i].kind == a && (rules[i].with & BIT(b))) ||
		    (rules[i].kind == b && (rules[i].with & BIT(a))))
			return rules[i].how;
	return COMMUTE_NOT;
}

static enum step_kind kind_of(const struct pipeline_step *step)
{
	return step->ops->find_kind ? step->ops->find_kind(step->options)
	                            : step->ops->kind;
}

/* Looks at samples as they are, and drops some. */
static bool looks(enum step_kind kind)
{
	return (LOOKS & BIT(kind)) != 0;
}

/* Does the step leave alone what `filter`, of kind `looks`, looks at? */
static bool is_unseen(enum step_kind kind, const struct pipeline_step *filter,
    const struct pipeline_step *step)
{
	if (step->ops->sample) /* it may make samples, fields and labels */
		return false;
	return kind == KIND_LOOK_LABEL || (filter->fields & step->fields) == 0;
}

enum commute commute_steps(
    const struct pipeline_step *a, const struct pipeline_step *b)
{
	const enum step_kind kind_a = kind_of(a), kind_b = kind_of(b);

	if (looks(kind_a) && is_unseen(kind_a, a, b))
		return COMMUTE_EXACT;
	if (looks(kind_b) && is_unseen(kind_b, b, a))
		return COMMUTE_EXACT;
	/* Steps on whole samples have a say in all fields, and in the keys. */
	if ((a->ops->sample && !looks(kind_a)) ||
	    (b->ops->sample && !looks(kind_b)))
		return COMMUTE_NOT;
	if (!a->ops->sample && !b->ops->sample && (a->fields & b->fields) == 0)
		return COMMUTE_EXACT;
	return commute_kinds(kind_a, kind_b);
}

enum commute commute_order(const struct pipeline *pipeline)
{
	enum commute worst = COMMUTE_EXACT;

	for (unsigned i = 0; i < pipeline->count; i++)
		for (unsigned k = i + 1; k < pipeline->count; k++) {
			const struct pipeline_step *a = &pipeline->steps[i];
			const struct pipeline_step *b = &pipeline->steps[k];
			const enum commute how = a->given > b->given
			                             ? commute_steps(a, b)
			                             : COMMUTE_EXACT;

			worst = how < worst ? how : worst;
		}
	return worst;
}

/* ---- words ---- */

/* Names of the kinds of steps; NULL: the kind commutes with none. */
static const char *const names[KIND_COUNT] = {
	[KIND_NOTHING] = "identity",
	[KIND_CAST] = "casts",
	[KIND_MAP] = "elementwise steps",
	[KIND_SCALE] = "scaling",
	[KIND_CHANNEL_SCALE] = "scaling by channel",
	[KIND_GRAY] = "grayscale",
	[KIND_CROP] = "crops",
	[KIND_ROWS] = "truncate",
	[KIND_FLIP] = "flips",
	[KIND_PLANES] = "to_chw",
	[KIND_FILL] = "pad",
	[KIND_BLEND] = "resizing",
	[KIND_CROP_BLEND] = "random_resized_crop",
	[KIND_LOOK] = "filters by size",
	[KIND_LOOK_DIMS] = "filters by a dimension",
	[KIND_LOOK_DATA] = "filters by a function",
	[KIND_LOOK_LABEL] = "filters by label or key",
};

static int add_names(enum step_kind kind, enum commute how, const char *head,
    struct buf *text, struct error *err)
{
	const char *before = head;

	for (unsigned k = 0; k < KIND_COUNT; k++) {
		if (!names[k] || k == KIND_NOTHING ||
		    commute_kinds(kind, (enum step_kind)k) != how)
			continue;
		if (buf_printf(text, err, "%s%s", before, names[k]))
			return -1;
		before = ", ";
	}
	return 0;
}

int commute_words(enum step_kind kind, struct buf *text, struct error *err)
{
	const size_t begin = text->len;

	if (kind == KIND_NOTHING)
		return buf_printf(text, err, "exactly: all steps");
	if (add_names(kind, COMMUTE_EXACT, "exactly: ", text, err))
		return -1;
	return add_names(kind, COMMUTE_ROUNDING,
	    text->len > begin ? "; up to rounding: " : "up to rounding: ", text,
	    err);
}
