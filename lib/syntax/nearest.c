/* nearest.c - see nearest.h. */
#include <stdio.h>
#include <string.h>

#include "lib/syntax/nearest.h"

enum { WORD_MAX = 64 }; /* longer words are never near */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * The optimal string alignment distance.  Only three rows of its table are
 * kept, since a swap of neighbours looks two rows back.
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

	if (nearest->count < NEAREST_LISTED)
		nearest->known[nearest->count] = candidate;
	nearest->count++;
	if (strlen(nearest->word) > WORD_MAX || strlen(candidate) > WORD_MAX)
		return;
	edits = distance(nearest->word, candidate);
	if (edits >= nearest->distance)
		return;
	nearest->best = candidate;
	nearest->distance = edits;
}

void nearest_try_words(
    struct nearest *nearest, const char *choices, char *words, size_t size)
{
	char *rest = words, *word;

	snprintf(words, size, "%s", choices);
	while ((word = strtok_r(rest, "|", &rest)))
		nearest_try(nearest, word);
}

static const char *prefix_of(const struct nearest *nearest)
{
	return nearest->prefix ? nearest->prefix : "";
}

const char *nearest_question(
    const struct nearest *nearest, char hint[NEAREST_HINT])
{
	hint[0] = '\0';
	if (nearest->best)
		snprintf(hint, NEAREST_HINT, "; did you mean '%s%.*s'?",
		    prefix_of(nearest), WORD_MAX, nearest->best);
	return hint;
}

/* Writes "are a, b and c" or "is only a"; -1: too long. */
static int list_known(
    const struct nearest *nearest, char list[NEAREST_HINT / 2])
{
	const size_t count = nearest->count, size = NEAREST_HINT / 2;
	size_t used = (size_t)snprintf(
	    list, size, "there %s", count == 1 ? "is only " : "are ");

	if (!count || count > NEAREST_LISTED)
		return -1;
	for (size_t i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(list + used, size - used, "%s%s%s",
		    i == 0           ? ""
		    : i + 1 == count ? " and "
		                     : ", ",
		    prefix_of(nearest), nearest->known[i]);
	return used < size ? 0 : -1;
}

const char *nearest_hint(const struct nearest *nearest, char hint[NEAREST_HINT])
{
	char more[NEAREST_HINT / 2];
	size_t used;

	nearest_question(nearest, hint);
	if (nearest->see)
		snprintf(more, sizeof(more), "see %s", nearest->see);
	else if (list_known(nearest, more))
		return hint;
	used = strlen(hint);
	if (used) /* begins a new sentence */
		more[0] = more[0] == 's' ? 'S' : 'T';
	snprintf(
	    hint + used, NEAREST_HINT - used, "%s%s", used ? " " : "; ", more);
	return hint;
}
