/* rows.h - reads samples of the stores npy and files, through NumPy. */
#ifndef LIB_SNIPPETS_ROWS_H
#define LIB_SNIPPETS_ROWS_H

#include "lib/snippets/program.h"

/* Opens "for path in ...:", which sets `stem` for each shard of npy. */
void program_each_shard(struct program *program, unsigned indent);
/* Sets rows and labels of `stem`; `self` is "self." or "". */
void program_load_rows(
    struct program *program, unsigned indent, const char *self);
/* Set x from rows[i], or from rows[at:at + BATCH]. */
void program_load_row(struct program *program, unsigned indent,
    const char *self, const struct array_library *arrays);
void program_load_batch(struct program *program, unsigned indent,
    const struct array_library *arrays);
/* Define read(), which yields (x, label), and batches() of it. */
void program_read_samples(
    struct program *program, const struct array_library *arrays);
void program_batches(
    struct program *program, const struct array_library *arrays);

#endif
