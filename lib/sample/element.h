/*
 * element.h - one number as an element of a tensor.
 */
#ifndef LIB_SAMPLE_ELEMENT_H
#define LIB_SAMPLE_ELEMENT_H

#include <stddef.h>

#include "lib/sample/dtype.h"

struct error;

enum { ELEMENT_BYTES = 8 }; /* of the largest */

/*
 * The bytes of the number as this type; ERROR_USAGE when a type of whole
 * numbers does not have it.
 */
int element_set(double value, enum dtype dtype,
    unsigned char bytes[ELEMENT_BYTES], struct error *err);
/* `count` of them in a row. */
void element_fill(void *to, size_t count,
    const unsigned char bytes[ELEMENT_BYTES], enum dtype dtype);

#endif
