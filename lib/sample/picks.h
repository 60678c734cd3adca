/* picks.h - samples that are fetched by number: a block of a random order. */
#ifndef LIB_SAMPLE_PICKS_H
#define LIB_SAMPLE_PICKS_H

#include <stddef.h>

struct chunk;
struct error;
struct permutation;
struct pick;
struct reader;

/*
 * Fills `picks` with the numbers at `count` places of the permutation, from
 * place `first` on.  They are sorted, so that files are read forwards.
 */
void picks_choose(struct pick *picks, const struct permutation *permutation,
    size_t first, size_t count);
/* Sorts by number. */
void picks_sort(struct pick *picks, size_t count);
/* Fetches the samples as one chunk; `picker` is one of the reader's. */
int picks_fetch(const struct reader *reader, void *picker,
    const struct pick *picks, size_t count, struct chunk *chunk,
    struct error *err);

#endif
