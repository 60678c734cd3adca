/*
 * library.h - steps of the user's own in C: in a shared library, named by
 * `NAME = library FILE.so:STEP`, or brought by the program that opens a dataset
 * with libpresto.  api/presto.h says what such a step is.
 */
#ifndef LIB_OWN_LIBRARY_H
#define LIB_OWN_LIBRARY_H

#include <stddef.h>

struct error;
struct presto_step;

/*
 * Finds a step in an array that ends with size = 0 (NULL: an empty one): 1 and
 * *step; 0: there is none of this name; -1: it is of another version.
 */
int library_find_given(const struct presto_step *steps, const char *name,
    const struct presto_step **step, struct error *err);
/* Returns the name of the i-th step; NULL behind the last. */
const char *library_given_name(const struct presto_step *steps, size_t i);

#endif
