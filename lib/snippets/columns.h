/* columns.h - reads samples whose fields are columns of a row: a dictionary. */
#ifndef LIB_SNIPPETS_COLUMNS_H
#define LIB_SNIPPETS_COLUMNS_H

#include "lib/snippets/program.h"

/* Writes the expression for a field of `sample` to `out`. */
typedef int column_code(
    struct program *program, unsigned field, struct buf *out);

/* Defines prepare(sample), which returns (x, label). */
void program_prepare_columns(struct program *program, column_code *code);

#endif
