/*
 * nearest.h - the known word that a mistyped one probably meant.
 */
#ifndef LIB_BASE_NEAREST_H
#define LIB_BASE_NEAREST_H

#include <stddef.h>

/*
 * A search that is fed candidates one by one:
 *	struct nearest n = nearest_to("jpg_decode");
 *	for (...) nearest_try(&n, names[i]);
 *	nearest_hint(&n, hint)
 * Distances are edits (insert, delete, replace, swap of neighbours); a
 * candidate further away than half the word's length is not near.
 */
enum { NEAREST_HINT = 320, NEAREST_LISTED = 8 };

struct nearest {
	const char *word; /* borrowed */
	const char *best; /* borrowed; NULL when nothing was near */
	size_t distance;
	const char *known[NEAREST_LISTED]; /* borrowed: the first candidates */
	size_t count;                      /* of all of them */
	/* May be set by the caller; borrowed. */
	const char *prefix; /* "--": stands before each candidate; NULL: none */
	const char *see;    /* "presto list steps": lists them; NULL: nothing */
};

struct nearest nearest_to(const char *word);
void nearest_try(struct nearest *nearest, const char *candidate);
/* A candidate "a|b|c" for each word; `words` has room for a copy of them. */
void nearest_try_words(
    struct nearest *nearest, const char *choices, char *words, size_t size);
/* "; did you mean 'resize'?", or "". */
const char *nearest_question(
    const struct nearest *nearest, char hint[NEAREST_HINT]);
/*
 * The question, and what else helps: where to see what there is, else the
 * candidates if they are NEAREST_LISTED at most.  "; did you mean 'zstd'? There
 * are gzip, lz4 and zstd", "; there are gzip, lz4 and zstd", "; see presto
 * list steps", or "".
 */
const char *nearest_hint(
    const struct nearest *nearest, char hint[NEAREST_HINT]);

#endif
