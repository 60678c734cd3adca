/*
 * words.h - the code of a framework for a step: finds its row in the table and
 * fills in names; inside lib/snippets only.
 */
#ifndef LIB_SNIPPETS_WORDS_H
#define LIB_SNIPPETS_WORDS_H

#include "lib/base/bytes.h"
#include "lib/snippets/framework.h"

struct described_step;
struct error;
struct type;

/* Finds the first row whose conditions hold for a field of this type. */
const struct step_words *words_find(const struct step_words *table,
    const struct described_step *step, const struct type *type);

/* Appends the code with its names filled in. */
int words_fill(const char *code, const struct described_step *step,
    const struct type *type, const char *x, struct buf *out, struct error *err);

#endif
