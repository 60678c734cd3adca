/*
 * program.h - a Python program that is being written; inside lib/snippets only.
 *
 * Lines are added to the body; imports are collected and written before it. The
 * first error (no memory) is kept and reported at the end.
 */
#ifndef LIB_SNIPPETS_PROGRAM_H
#define LIB_SNIPPETS_PROGRAM_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/folder/description.h"
#include "lib/pipeline/pipeline.h"
#include "lib/snippets/framework.h"

enum {
	PROGRAM_STEPS = PIPELINE_STEPS + FIELDS_MAX,
	PROGRAM_IMPORTS = 12,
	PROGRAM_NAME = FIELD_NAME + 8,
};

/* A step to write, and its input. */
struct program_step {
	const struct described_step *step;
	const struct schema *takes;
};

struct program {
	const struct framework *framework;
	const struct description *about;
	const char *folder; /* a local one, or a URL */
	struct buf body;
	const char *standard[PROGRAM_IMPORTS], *library[PROGRAM_IMPORTS];
	struct program_step steps[PROGRAM_STEPS];
	unsigned count; /* number of steps */
	unsigned known; /* steps at the beginning that the framework can say */
	/* Steps that decode images that the codec made; they come first. */
	struct described_step decode[FIELDS_MAX];
	struct described_option mode[FIELDS_MAX];
	bool failed;
	struct error *err;
};

/* How arrays of NumPy become those of a framework. */
struct array_library {
	const char *open, *close;  /* "torch.from_numpy(", ")" */
	const char *stack, *label; /* "torch.stack", "torch.tensor" */
	const char *random; /* extra argument of random steps: "key"; or "" */
};

extern const struct array_library numpy_arrays, torch_arrays;

/* Adds a line, indented by `indent` levels; "" is an empty line. */
void program_line(struct program *program, unsigned indent, const char *format,
    ...) __attribute__((format(printf, 3, 4)));
/*
 * Opens two loops over the lines of presto's indexes: `folder` becomes that of
 * a shard, and `words` those of a line. The body is indented by indent + 2.
 */
void program_each_index_line(struct program *program, unsigned indent);
void program_blank(struct program *program, unsigned lines);
/* Add a statement before the body, once: "import io". */
void program_import(struct program *program, const char *statement);
void program_import_library(struct program *program, const char *statement);
/* Appends a text as a Python literal with quotes. */
int program_quote(const char *text, struct buf *out, struct error *err);

/*
 * Is the folder far, and are its shards read from there?  Programs that cannot
 * do so copy a far folder first.
 */
bool program_streams(const struct program *program);

/* Can the framework say the step, for each of its fields? */
bool program_knows(
    const struct program *program, const struct program_step *step);
/* Writes the code of the known steps, and comments for the others. */
void program_steps(struct program *program, unsigned indent);
/* Do the known steps draw at random? */
bool program_draws(const struct program *program);
/* Can the framework say the first step? */
bool program_has_code(const struct program *program);

/* Return the schema of the stored data, and that behind the known steps. */
const struct schema *program_stored(const struct program *program);
const struct schema *program_given(const struct program *program);
bool program_has_one_field(const struct program *program);
/* Returns `x`, or `x["NAME"]` if there are several fields. */
const char *program_field(
    const struct program *program, unsigned field, char text[PROGRAM_NAME]);
/* Does every sample have the same shape, so that a batch is one array? */
bool program_stacks(const struct schema *schema, unsigned field);
bool program_is_encoded(const struct schema *schema, unsigned field);

#endif
