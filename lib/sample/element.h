/* element.h - converts a number to an element of a tensor. */
#ifndef LIB_SAMPLE_ELEMENT_H
#define LIB_SAMPLE_ELEMENT_H

#include <stddef.h>

#include "lib/sample/dtype.h"

struct error;

enum { ELEMENT_BYTES = 8 }; /* size of the largest type */

/* Writes the number as this type; ERROR_USAGE if it cannot be represented. */
int element_set(double value, enum dtype dtype,
    unsigned char bytes[ELEMENT_BYTES], struct error *err);
/* Writes `count` copies of an element. */
void element_fill(void *to, size_t count,
    const unsigned char bytes[ELEMENT_BYTES], enum dtype dtype);

#endif
