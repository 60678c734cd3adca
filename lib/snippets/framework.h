/*
 * framework.h - a framework: how its programs say the steps, and how they read;
 * inside lib/snippets only.
 */
#ifndef LIB_SNIPPETS_FRAMEWORK_H
#define LIB_SNIPPETS_FRAMEWORK_H

#include <stdbool.h>

struct program;

/*
 * How a framework says a step under all conditions in `when`:
 * "layout=hwc,antialias=yes". A condition is about an option of the step (its
 * default if the file does not give it) or about its input: dtype, layout,
 * channels. A condition without '=' only names an option. If the file gives an
 * option that neither `when` nor the code mentions, the framework cannot say
 * the step.
 *
 * In the code, $x is the field, $NAME the value of an option, $NAME in capitals
 * the value in capitals; $height and $width come from the option `size`.
 */
struct step_words {
	const char *step;
	const char *when; /* NULL: always */
	const char *draw; /* run once for each sample; or NULL */
	const char *code; /* run for each field; "": nothing to do */
	/* Modules, such as "io" and "PIL.Image"; NULL: none. */
	const char *standard, *library;
	const char *note; /* difference to presto's step; NULL: none */
	bool alone;       /* only if the step works on one field */
};

/* Steps that the arrays of all libraries do like NumPy's. */
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
	const char *reader;             /* name in lib/stores/readable.h */
	const struct step_words *words; /* the last one has no step */
	void (*print)(struct program *program);
	/* Its programs read tar shards through webdataset, far ones as well. */
	bool streams;
};

#define FRAMEWORK(name) extern const struct framework framework_##name;
#include "lib/snippets/frameworks.def"
#undef FRAMEWORK

/* NumPy's steps, which other frameworks use, too. */
extern const struct step_words numpy_words[];

#endif
