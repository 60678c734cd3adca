/*
 * program.h - a program that is being written; inside lib/snippets only.
 *
 * Lines go to the body; imports are noted meanwhile and come in front of it.
 * What goes wrong (no memory) is remembered, and told at the end.
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

/* A step to write, and what it takes. */
struct program_step {
	const struct described_step *step;
	const struct schema *takes;
};

struct program {
	const struct framework *framework;
	const struct description *about;
	const char *folder;
	struct buf body;
	const char *standard[PROGRAM_IMPORTS], *library[PROGRAM_IMPORTS];
	struct program_step steps[PROGRAM_STEPS];
	unsigned count; /* of them */
	unsigned known; /* the first ones, which the framework has words for */
	/* Decoding what the codec made images of: the first steps. */
	struct described_step decode[FIELDS_MAX];
	struct described_option mode[FIELDS_MAX];
	bool failed;
	struct error *err;
};

/* How arrays of NumPy become those of a framework. */
struct array_library {
	const char *open, *close;  /* "torch.from_numpy(", ")" */
	const char *stack, *label; /* "torch.stack", "torch.tensor" */
	const char *random;        /* what random steps need: "key"; or "" */
};

extern const struct array_library numpy_arrays, torch_arrays;

/* A line, indented by so many levels; "" is an empty one. */
void program_line(struct program *program, unsigned indent, const char *format,
    ...) __attribute__((format(printf, 3, 4)));
/*
 * Two loops over the lines of presto's indexes: `folder` is then a shard's, and
 * `words` are those of a line.  The body is indented by indent + 2.
 */
void program_each_index_line(struct program *program, unsigned indent);
void program_blank(struct program *program, unsigned lines);
/* Statements in front of the body, each once: "import io". */
void program_import(struct program *program, const char *statement);
void program_import_library(struct program *program, const char *statement);
/* Appends a text as Python writes it, with its quotes. */
int program_quote(const char *text, struct buf *out, struct error *err);

/* Has the framework words for the step, for each of its fields? */
bool program_knows(
    const struct program *program, const struct program_step *step);
/* The code of the steps, and comments for those without. */
void program_steps(struct program *program, unsigned indent);
/* Do steps that are known draw at random? */
bool program_draws(const struct program *program);
/* Has the framework words for the first of them? */
bool program_has_code(const struct program *program);

/* What is stored, and what the steps that are known give. */
const struct schema *program_stored(const struct program *program);
const struct schema *program_given(const struct program *program);
bool program_has_one_field(const struct program *program);
/* `x`, or `x["NAME"]` where there are several fields. */
const char *program_field(
    const struct program *program, unsigned field, char text[PROGRAM_NAME]);
/* Has every sample the same shape, so that a batch is one array? */
bool program_stacks(const struct schema *schema, unsigned field);
bool program_is_encoded(const struct schema *schema, unsigned field);

/* FOLDER and BATCH; and what NumPy's random steps draw from, if any do. */
void program_constants(struct program *program);
void program_rng(struct program *program);
/* The files of the folder that end so, sorted, as an expression or a name. */
void program_files(
    struct program *program, const char *name, const char *suffix);
/* Names of the shards, behind the stem: ".tar.gz"; "" of folders. */
const char *program_suffix(
    const struct program *program, char text[PROGRAM_NAME]);
/*
 * Defines collate(batch) of [(x, label), ...]: arrays where shapes agree,
 * lists elsewhere.
 */
void program_collate(
    struct program *program, const struct array_library *arrays);
/* Counts the samples of `loader`, which gives (x, label), and reports. */
void program_loop(struct program *program, unsigned indent, const char *loader);
/* The last line: samples, and what the last batch is of. */
void program_report(struct program *program, unsigned indent);

/* ---- members.c: tar, by webdataset ---- */

/* Defines prepare(sample), which gives (x, label). */
void program_prepare_members(
    struct program *program, const struct array_library *arrays);

/* ---- rows.c: npy and files, by NumPy ---- */

/* "for path in ...:", which sets `stem` of each shard of npy. */
void program_each_shard(struct program *program, unsigned indent);
/* Sets rows and labels of `stem`, behind `self`: "self.", or "". */
void program_load_rows(
    struct program *program, unsigned indent, const char *self);
/* Sets x from rows[i]; from rows[at:at + BATCH]. */
void program_load_row(struct program *program, unsigned indent,
    const char *self, const struct array_library *arrays);
void program_load_batch(struct program *program, unsigned indent,
    const struct array_library *arrays);
/* Defines read(), which gives (x, label), and batches() of it. */
void program_read_samples(
    struct program *program, const struct array_library *arrays);
void program_batches(
    struct program *program, const struct array_library *arrays);

#endif
