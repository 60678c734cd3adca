/* classes.h - names of classes: label i means the class names[i]. */
#ifndef LIB_SAMPLE_CLASSES_H
#define LIB_SAMPLE_CLASSES_H

#include <stddef.h>

#include "lib/base/bytes.h"

struct error;

struct classes {
	size_t count;
	char **names; /* owned: one block of memory, with the texts */
};

#define CLASSES_INIT          \
	{                     \
		.names = NULL \
	}

/* Copies the words; a name ends at its first NUL.  `classes` must be empty. */
int classes_set(struct classes *classes, const struct span *words, size_t count,
    struct error *err);
int classes_copy(
    struct classes *classes, const struct classes *from, struct error *err);
void classes_release(struct classes *classes); /* empty and usable again */

#endif
