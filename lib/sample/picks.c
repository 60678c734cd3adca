/* picks.c - see picks.h. */
#include "lib/sample/picks.h"

#include <stdlib.h>

#include "lib/sample/permutation.h"
#include "lib/sample/reader.h"

static int compare_picks(const void *a, const void *b)
{
	const uint64_t x = ((const struct pick *)a)->number;
	const uint64_t y = ((const struct pick *)b)->number;

	return (x > y) - (x < y);
}

void picks_sort(struct pick *picks, size_t count)
{
	qsort(picks, count, sizeof(*picks), compare_picks);
}

void picks_choose(struct pick *picks, const struct permutation *permutation,
    size_t first, size_t count)
{
	for (size_t i = 0; i < count; i++)
		picks[i] = (struct pick){
			.number = permutation_at(permutation, first + i),
			.place = i,
		};
	picks_sort(picks, count);
}

int picks_fetch(const struct reader *reader, void *picker,
    const struct pick *picks, size_t count, struct chunk *chunk,
    struct error *err)
{
	chunk_reset(chunk);
	chunk->picked = true;
	chunk->samples = count;
	return reader->ops->picker_fetch(picker, picks, count, chunk, err);
}
