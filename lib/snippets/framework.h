/*
 * framework.h - what a framework brings for its programs; inside lib/snippets
 * only.
 */
#ifndef LIB_SNIPPETS_FRAMEWORK_H
#define LIB_SNIPPETS_FRAMEWORK_H

#include <stdbool.h>

struct program;

/*
 * How a framework says a step, for steps of which all hold that `when` lists:
 * "layout=hwc,antialias=yes".  A condition is about an option of the step (its
 * default where the file gives none), or about what it takes: dtype, layout,
 * channels.  One without '=' holds always.  An option that the file gives and
 * neither `when` nor the code mentions is not known here: the step is not
 * available.
 *
 * In the code $x is the field, $NAME the value of an option, $NAME in capitals
 * the value in capitals, $height and $width are those of the option `size`.
 */
struct step_words {
	const char *step;
	const char *when; /* NULL: always */
	const char *draw; /* once a sample: what its fields share; or NULL */
	const char *code; /* for each field; "": nothing is to be done */
	/* Modules, such as "io" and "PIL.Image"; NULL: none. */
	const char *standard, *library;
	const char *note; /* how it differs from presto's; NULL: it does not */
	bool alone;       /* only where the step works on one field */
};

/* Those that arrays of all libraries take as NumPy's do. */
#define SLICING_WORDS                                                          \
	{ "center_crop", "layout=hwc",                                         \
		.code = "top = round(($x.shape[0] - $height) / 2)\n"           \
		        "left = round(($x.shape[1] - $width) / 2)\n"           \
		        "$x = $x[top:top + $height, left:left + $width]" },    \
	    { "center_crop", "layout=chw",                                     \
		    .code =                                                    \
		        "top = round(($x.shape[1] - $height) / 2)\n"           \
		        "left = round(($x.shape[2] - $width) / 2)\n"           \
		        "$x = $x[:, top:top + $height, left:left + $width]" }, \
	    { "grayscale", "channels=1", .code = "" },                         \
	    { "identity", .code = "" },                                        \
	{                                                                      \
		"truncate", .code = "$x = $x[:$length]"                        \
	}

struct framework {
	const char *name;
	const char *reader;             /* of lib/stores/readable.h */
	const struct step_words *words; /* the last has no step */
	void (*print)(struct program *program);
};

#define FRAMEWORK(name) extern const struct framework framework_##name;
#include "lib/snippets/frameworks.def"
#undef FRAMEWORK

/* NumPy's, which others use as well. */
extern const struct step_words numpy_words[];

#endif
