/*
 * step_ops.h - the contract of a step, which makes the next tensor of a tensor.
 *
 * A step works on one field at a time.  Two phases: bind checks the options
 * and computes shapes, once per worker and field; run is the hot path and
 * allocates nothing once buffers have grown.
 *
 * A few steps work on whole samples instead: `sample` (struct sample_ops).
 *
 * Random steps draw from `random`, which every field of a sample gets afresh:
 * so an image and its mask are cropped alike.
 *
 * Besides the steps of lib/steps, codecs that transform tensors are made of
 * steps (lib/codecs/transform.h).
 */
#ifndef LIB_SAMPLE_STEP_OPS_H
#define LIB_SAMPLE_STEP_OPS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/random.h"
#include "lib/sample/sample.h"

struct error;
struct option;
struct step_ops;
struct window_ops;

/*
 * Two steps on whole samples, one behind the other, that run as one.  Neither
 * draws or makes several.  Both are bound, each as if it ran alone.
 */
struct fused_pair_ops {
	const struct step_ops *next; /* the step behind */
	/* Do they as they are bound? */
	bool (*fits)(const void *priv, const void *next);
	/*
	 * As make of the one, begin and make of the other, and the same bytes;
	 * *first becomes how much of the time is the first's, 0 to 1.  On
	 * failure they run one by one, and say what is wrong.
	 */
	int (*make)(void *priv, void *next, const struct sample *in,
	    struct sample *out, double *first, struct error *err);
};

/*
 * A step on whole samples: other fields come out than went in, or several
 * samples of one.  These have the keys KEY-000000, KEY-000001, ...
 */
struct sample_ops {
	bool many; /* several of one: the count is only known when it comes */
	/*
	 * Sets *out, which is *in before; bit f of `fields`: field f is one
	 * that the step is to work on (option `field`; else the first).
	 */
	int (*bind)(void *priv, const void *options, const struct schema *in,
	    unsigned fields, struct schema *out, struct error *err);
	/*
	 * Looks at a sample: how many come of it, 0 allowed; 1 unless `many`.
	 * `in` stays as it is until the last was made.  Workers may share the
	 * work on one sample: each begins it on its own.
	 */
	int (*begin)(void *priv, struct random *random, const struct sample *in,
	    uint64_t *count, struct error *err);
	/*
	 * Makes number `i`, in any order: the fields of out (the label is
	 * in's, unless it is set).  A field may be a view of in's
	 * (tensor_view), but then of every sample.
	 */
	int (*make)(void *priv, struct random *random, const struct sample *in,
	    uint64_t i, struct sample *out, struct error *err);
	const struct fused_pair_ops
	    *fused_pair; /* with the step behind; NULL: none */
};

struct step_ops {
	const char *name;
	const char *summary; /* one phrase, no full stop */
	const char *in;      /* what it takes: "image (HxWxC)", in words */
	const char *out;     /* what it gives */
	bool random;         /* the output depends on the draw: stays online, */
	/* unless its options leave nothing to chance; NULL: they always do. */
	bool (*is_certain)(const void *options);
	bool any_alignment; /* it only moves bytes: input may be unaligned */
	const char *needs;  /* a library that this build lacks; else NULL */

	const struct option *options; /* NULL: none */
	size_t options_size;
	const void *defaults; /* options_size bytes; NULL: zeros */
	/* More checks than a table can do; may be NULL.  ERROR_USAGE. */
	int (*check)(const void *options, struct error *err);

	size_t priv_size; /* zeroed by the chain before bind */
	/*
	 * Sets *out from *in (dims may be -1: not known before the sample
	 * comes), or says what is wrong: "takes an image, not text bytes".
	 * `options` lives as long as the instance.
	 */
	int (*bind)(void *priv, const void *options, const struct type *in,
	    struct type *out, struct error *err);
	/*
	 * Makes `out` (tensor_reshape, then fill) of `in`, which fulfils the
	 * type bound.  NULL: the output is the input, nothing is done.
	 */
	int (*run)(void *priv, struct random *random, const struct tensor *in,
	    struct tensor *out, struct error *err);
	void (*release)(void *priv); /* may be NULL */
	/* How it runs as one with its neighbours; NULL: it does not. */
	const struct window_ops *window;
	/* Then there is neither bind nor run. */
	const struct sample_ops *sample;
};

#endif
