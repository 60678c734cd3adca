/*
 * step_ops.h - the contract of a step, which makes a new tensor from a tensor.
 *
 * A step works on one field at a time, in two phases.  bind checks options and
 * computes shapes, once per worker and field.  run processes a sample; it
 * allocates nothing once buffers have grown.
 *
 * A few steps work on whole samples instead: see `sample` (struct sample_ops).
 *
 * Random steps draw from `random`.  Every field of a sample gets the same
 * stream, so that an image and its mask are cropped alike.
 */
#ifndef LIB_SAMPLE_STEP_OPS_H
#define LIB_SAMPLE_STEP_OPS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/random.h"
#include "lib/sample/sample.h"

struct error;
struct option;
struct own_ops;
struct step_ops;
struct window_ops;

/*
 * Fuses two neighbouring steps on whole samples.  Neither is random or makes
 * several samples.  Both are bound as if they ran alone.
 */
struct fused_pair_ops {
	const struct step_ops *next; /* the second step */
	/* Can the two be fused as they are bound? */
	bool (*fits)(const void *priv, const void *next);
	/*
	 * Does make of the first, begin and make of the second, with the same
	 * bytes as result.  *first becomes the first step's fraction of the
	 * time.  If it fails, the steps are run one by one and report the
	 * error.
	 */
	int (*make)(void *priv, void *next, const struct sample *in,
	    struct sample *out, double *first, struct error *err);
};

/*
 * A step on whole samples: it changes the fields, or makes several samples of
 * one, or drops some.  Several samples of one get the keys KEY-000000,
 * KEY-000001, ...
 */
struct sample_ops {
	/* makes several samples of one, a number known at run time */
	bool many;
	/*
	 * A filter: it makes one sample, which has the same key and whose
	 * fields are those of its input, or none.  Dropped samples are counted
	 * (chain_take_filtered); they are no error.
	 */
	bool drops;
	/*
	 * Changes *out, which is initially *in.  Bit f of `fields`: field f is
	 * one to work on (option `field`; by default the first).
	 */
	int (*bind)(void *priv, const void *options, const struct schema *in,
	    unsigned fields, struct schema *out, struct error *err);
	/*
	 * Examines a sample and sets the number of samples to make of it: 0 or
	 * more if `many`; 0 or 1 if `drops`; else 1.  `in` stays valid until
	 * the last is made.
	 * Several workers may make samples of the same input; each of them
	 * calls begin.
	 */
	int (*begin)(void *priv, struct random *random, const struct sample *in,
	    uint64_t *count, struct error *err);
	/*
	 * Makes the fields of sample `i`, in any order.  The label is that of
	 * `in` unless it is set.  A field may be a view of `in` (tensor_view),
	 * but then in every sample.
	 */
	int (*make)(void *priv, struct random *random, const struct sample *in,
	    uint64_t i, struct sample *out, struct error *err);
	const struct fused_pair_ops
	    *fused_pair; /* fuses with the next step; NULL: never */
	/* As in struct several_ops; NULL: nothing to get. */
	int (*hold)(void *priv, struct error *err);
	void (*rest)(void *priv);
};

/*
 * For a step that costs less for several samples at a time: its inputs are put
 * first, then it runs on all of them, and its outputs are taken one by one.
 */
struct several_ops {
	/* How many samples at a time would be good?  1: one, by `run`. */
	unsigned (*count)(const void *priv);
	/* Copies the input of sample 0, 1, ... of the next run_all. */
	int (*put)(void *priv, unsigned i, struct random *random,
	    const struct tensor *in, struct error *err);
	/* Fails only if that is not due to a single sample. */
	int (*run_all)(void *priv, unsigned count, struct error *err);
	/* Makes `out` a view of output `i`, valid until the next call. */
	int (*take)(
	    void *priv, unsigned i, struct tensor *out, struct error *err);
	/*
	 * Gets what the step needs to run beside other instances, such as a
	 * process, which takes time; and gives it back, so that others get it.
	 * put and run get it by themselves.
	 */
	int (*hold)(void *priv, struct error *err);
	void (*rest)(void *priv);
};

enum { SEVERAL_MOST = 64 }; /* samples at a time */

/*
 * Kinds of steps, by what they do to the elements of a field.  Two kinds tell
 * whether steps may change places: lib/pipeline/commute.h.
 */
enum step_kind {
	KIND_OTHER,   /* none of the kinds below: it changes places with none */
	KIND_NOTHING, /* passes everything on */
	KIND_CAST,    /* gives each element another dtype, computes nothing */
	KIND_MAP,     /* makes each element from one, all in the same way */
	KIND_SCALE,   /* such a map: a factor, and a constant added */
	KIND_CHANNEL_SCALE, /* the same, with other numbers for each channel */
	KIND_GRAY,   /* weighs the channels of a pixel; the weights sum to 1 */
	KIND_CROP,   /* keeps pixels as they are, chosen by their place */
	KIND_ROWS,   /* keeps rows of the first dimension as they are */
	KIND_FLIP,   /* mirrors the image */
	KIND_PLANES, /* puts the channels elsewhere */
	KIND_FILL,   /* adds elements of a value of its own */
	KIND_BLEND,  /* weighs neighbouring pixels, from left as from right */
	KIND_CROP_BLEND, /* the same of a part of the image */
	KIND_LOOK,       /* a filter that looks at the size of its field */
	KIND_LOOK_DIMS,  /* a filter that looks at a dimension of its field */
	KIND_LOOK_DATA,  /* a filter that looks at all of its field */
	KIND_LOOK_LABEL, /* a filter that looks at the label or key only */
	KIND_COUNT
};

struct step_ops {
	const char *name;
	const char *summary; /* one phrase, no full stop */
	const char *in;      /* input in words: "image (HxWxC)" */
	const char *out;     /* output in words */
	bool random;         /* the output depends on a draw: stays online */
	/* Are the options such that nothing is random?  NULL: never. */
	bool (*is_certain)(const void *options);
	enum step_kind kind;
	/* The kind with these options.  NULL: always `kind`. */
	enum step_kind (*find_kind)(const void *options);
	bool any_alignment; /* only moves bytes: input may be unaligned */
	const char *needs;  /* a library missing in this build; else NULL */

	const struct option *options; /* NULL: none */
	size_t options_size;
	const void *defaults; /* options_size bytes; NULL: zeros */
	/* Checks beyond those of the table (ERROR_USAGE); may be NULL. */
	int (*check)(const void *options, struct error *err);

	size_t priv_size; /* zeroed by the chain before bind */
	/*
	 * Sets *out from *in, or reports: "takes an image, not text bytes".
	 * Unknown dims are -1.  `options` lives as long as the instance.
	 */
	int (*bind)(void *priv, const void *options, const struct type *in,
	    struct type *out, struct error *err);
	/*
	 * Makes `out` (tensor_reshape, then fill) from `in`, which matches the
	 * bound type.  NULL: the output is the input.
	 */
	int (*run)(void *priv, struct random *random, const struct tensor *in,
	    struct tensor *out, struct error *err);
	void (*release)(void *priv);       /* may be NULL */
	const struct several_ops *several; /* besides run; NULL: never */
	/* Fuses with neighbouring steps on images; NULL: never. */
	const struct window_ops *window;
	/* If set, there is neither bind nor run. */
	const struct sample_ops *sample;
	/* Runs the user's code (lib/own/own.h); NULL: a step of presto's. */
	const struct own_ops *own;
};

#endif
