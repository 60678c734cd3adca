/* common_code.h - lines that programs of several frameworks share. */
#ifndef LIB_SNIPPETS_COMMON_CODE_H
#define LIB_SNIPPETS_COMMON_CODE_H

#include "lib/snippets/program.h"

/* Define FOLDER and BATCH, and NumPy's generator if steps draw. */
void program_constants(struct program *program);
void program_rng(struct program *program);
/* Writes the folder's files with this suffix, as an expression or a name. */
void program_files(
    struct program *program, const char *name, const char *suffix);
/* Returns the suffix of shards: ".tar.gz"; "" for folders. */
const char *program_suffix(
    const struct program *program, char text[PROGRAM_NAME]);
/* Defines collate(batch): arrays where shapes agree, lists elsewhere. */
void program_collate(
    struct program *program, const struct array_library *arrays);
/* Counts the samples of `loader`, which yields (x, label), and reports. */
void program_loop(struct program *program, unsigned indent, const char *loader);

#endif
