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
 *	nearest_hint(&n, hint)  gives  "; did you mean 'jpeg_decode'?"  or ""
 * Distances are edits (insert, delete, replace, swap of neighbours); a
 * candidate further away than half the word's length is no hint.
 */
struct nearest {
	const char *word; /* borrowed */
	const char *best; /* borrowed; NULL when nothing was near */
	size_t distance;
};

enum { NEAREST_HINT = 128 };

struct nearest nearest_to(const char *word);
void nearest_try(struct nearest *nearest, const char *candidate);
const char *nearest_hint(
    const struct nearest *nearest, char hint[NEAREST_HINT]);

#endif
