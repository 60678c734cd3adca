/* nearest.c - see nearest.h. */
#include <stdio.h>
#include <string.h>

#include "lib/base/nearest.h"

enum { WORD_MAX = 64 }; /* longer ones are never near */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Optimal string alignment distance.  Of its table only three rows are kept:
 * a swap of neighbours looks two rows back.
 */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAX + 1];
	const size_t width = strlen(b);

	for (size_t j = 0; j <= width; j++)
		rows[0][j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		const size_t *above = rows[(i - 1) % 3];
		const size_t *second = rows[(i + 1) % 3];
		size_t *row = rows[i % 3];

		row[0] = i;
		for (size_t j = 1; j <= width; j++) {
			const size_t differ = a[i - 1] != b[j - 1];

			row[j] = least(above[j], row[j - 1]) + 1;
			row[j] = least(row[j], above[j - 1] + differ);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = least(row[j], second[j - 2] + 1);
		}
	}
	return rows[strlen(a) % 3][width];
}

struct nearest nearest_to(const char *word)
{
	return (struct nearest){
		.word = word,
		.distance = strlen(word) / 2 + 1,
	};
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
	size_t edits;

	if (strlen(nearest->word) > WORD_MAX || strlen(candidate) > WORD_MAX)
		return;
	edits = distance(nearest->word, candidate);
	if (edits >= nearest->distance)
		return;
	nearest->best = candidate;
	nearest->distance = edits;
}

const char *nearest_hint(const struct nearest *nearest, char hint[NEAREST_HINT])
{
	hint[0] = '\0';
	if (nearest->best)
		snprintf(hint, NEAREST_HINT, "; did you mean '%.*s'?", WORD_MAX,
		    nearest->best);
	return hint;
}
