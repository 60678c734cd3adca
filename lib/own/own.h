/*
 * own.h - steps of the user's own: what `python`, `library` and `command` have
 * in common.  The line of such a step is
 *
 *	NAME = KIND TARGET WORD...
 *
 * The target says where the code is.  A word NAME=VALUE sets an option of every
 * step (after, field, fixed, lossy, random), one of the kind's table, or, if
 * the kind passes others on, an option that only the code knows.  Words may be
 * quoted as in a shell (lib/syntax/shell.h).
 *
 * A kind is a row of the table of steps whose `own` is set.  Its options begin
 * with a struct own, and its table with OWN_ROWS.  The life of a step:
 *
 *   pipeline_read   sets target, folder and words; no code runs
 *   pipeline_bind   calls open, once for all workers; then find_type, on the
 *                   first samples; then bind, which asks own_type
 *   chain_new       calls bind for each worker and field: an instance
 *   pipeline_release  calls close
 */
#ifndef LIB_OWN_OWN_H
#define LIB_OWN_OWN_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/sample/sample.h"
#include "lib/syntax/option.h"

struct error;
struct ini;
struct presto_step;

enum {
	OWN_WORDS = 32,
	OWN_EXAMPLES = 8, /* samples that find_type gets; 1 if there is 1 */
};

/* An option that only the code knows. */
struct own_word {
	const char *name, *value;
};

/* The type of the code's output for a type of input. */
struct own_type {
	struct type in, out;
};

/* The first member of a kind's options.  Texts are the pipeline's. */
struct own {
	const char *target; /* the first word, without its quotes */
	/*
	 * Absolute: relative paths begin here, and programs run here.  It is
	 * the folder of the pipeline file, or, if --set gave the line, the
	 * folder where that was.
	 */
	const char *folder;
	const struct ini *ini; /* the pipeline file, for sections of the kind */
	struct own_word words[OWN_WORDS]; /* not in the table; in their order */
	unsigned count;
	bool says_random, says_lossy; /* random=yes, lossy=yes */
	/* The step that the program brought (api/presto.h); NULL: a kind. */
	const struct presto_step *brought;

	/* Options of each kind. */
	const char *gives;  /* type in words; NULL: not declared */
	const char *suffix; /* the output is a file of this suffix; or NULL */

	/* Set by open. */
	void *code;  /* the kind's; NULL: not open */
	bool random; /* the code says that it draws, or is not deterministic */
	bool lossy;  /* the code says so */
	/*
	 * Identifies the code, in words: "mine.py 00112233aabbccdd, python
	 * 3.11.2".  It is kept by sessions and in folders, and compared.
	 */
	struct buf print;

	/* Set by find_type. */
	struct own_type types[FIELDS_MAX];
	unsigned type_count;
};

/* Rows of the table of each kind, in the order of the alphabet: see there. */
#define OWN_GIVES(type_of)                                                    \
	OPTION(TEXT, "gives", 0, type_of, own.gives, "DTYPE[:DIMS[:LAYOUT]]", \
	    "type of the output (default: found out)")
#define OWN_SUFFIX(type_of)                                      \
	OPTION(TEXT, "suffix", 0, type_of, own.suffix, "SUFFIX", \
	    "the output is a file of this kind")

struct own_ops {
	const char *target; /* in words: "FILE.so:STEP"; NULL: there is none */
	bool passes;        /* options that the table lacks are the code's */
	/*
	 * Finds the code, checks the words, and says in own->print what it is.
	 * Errors are ERROR_USAGE.  close is called in any case.
	 */
	int (*open)(void *options, struct error *err);
	void (*close)(void *options);
	/*
	 * Runs the code on the field of the first samples to learn the type of
	 * its output.  There are up to OWN_EXAMPLES of them, so that dims that
	 * differ from sample to sample are seen and become -1.  NULL: bind
	 * knows it without.  Not called if `gives` or `suffix` declare it.
	 */
	int (*find_type)(void *options, const struct type *in,
	    const struct tensor *examples, unsigned count, struct type *out,
	    struct error *err);
	/*
	 * Tries the code on an example where the type is declared: is it
	 * deterministic, as the line says?  A sample that it refuses is no
	 * error.  NULL: nothing is tried.
	 */
	int (*check)(
	    void *options, const struct tensor *example, struct error *err);
};

/*
 * For bind: sets *out to the declared type, else to the one that find_type
 * found for `in`: 0; 1 if there is none; -1 if the declaration is wrong.
 */
int own_type(const struct own *own, const struct type *in, struct type *out,
    struct error *err);
/*
 * Guesses the layout of an output from the input: the same layout if the rank
 * is the same, but for an image whose 1, 3 or 4 channels are at the other end;
 * HWC if it looks like an image, else plain.  Bytes that come of a
 * file's bytes are a file of the same suffix.
 */
void own_guess_layout(const struct type *in, struct type *out);

/* Returns the value of a word; NULL: not given. */
const char *own_word(const struct own *own, const char *name);
/* Returns the path, from own->folder on if it is relative; NULL: no memory. */
char *own_path(const struct own *own, const char *path, struct error *err);
/*
 * Adds a file that the code consists of to own->print: its name and a hash of
 * its bytes; of a file beyond 64 MiB, a hash of size and time.
 */
int own_print_file(struct own *own, const char *path, struct error *err);
/* Adds "python 3.11". */
int own_print_version(
    struct own *own, const char *what, const char *version, struct error *err);

#endif
