/* nearest.h - finds the known word that the user probably mistyped. */
#ifndef LIB_SYNTAX_NEAREST_H
#define LIB_SYNTAX_NEAREST_H

#include <stddef.h>

/*
 * A search.  Pass it all candidates, one by one:
 * 	struct nearest n = nearest_to("jpg_decode");
 * 	for (...) nearest_try(&n, names[i]);
 * 	nearest_hint(&n, hint)
 *
 * The distance is the number of edits (insert, delete, replace, swap of
 * neighbours).  More edits than half the word's length are not near.
 */
enum { NEAREST_HINT = 320, NEAREST_LISTED = 8 };

struct nearest {
	const char *word; /* borrowed */
	const char *best; /* borrowed; NULL when nothing was near */
	size_t distance;
	const char *known[NEAREST_LISTED]; /* the first candidates; borrowed */
	size_t count;                      /* number of all candidates */
	/* The caller may set these; both are borrowed. */
	const char *prefix; /* such as "--": before each candidate; or NULL */
	const char *see;    /* lists them: "presto list steps"; or NULL */
};

struct nearest nearest_to(const char *word);
void nearest_try(struct nearest *nearest, const char *candidate);
/* Tries each word of "a|b|c"; `words` is a buffer for a copy of them. */
void nearest_try_words(
    struct nearest *nearest, const char *choices, char *words, size_t size);
/* Writes "; did you mean 'resize'?", or "". */
const char *nearest_question(
    const struct nearest *nearest, char hint[NEAREST_HINT]);
/*
 * Writes the question and where to see the candidates; without `see` the
 * candidates themselves, if at most NEAREST_LISTED.  Examples: "; did you mean
 * 'zstd'? There are gzip, lz4 and zstd", "; there are gzip, lz4 and zstd", ";
 * see presto list steps", "".
 */
const char *nearest_hint(
    const struct nearest *nearest, char hint[NEAREST_HINT]);

#endif
