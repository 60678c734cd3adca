/*
 * png_filter.h - undoes the filters of PNG: each byte was written less what
 * those to the left, above, and both, let expect.
 */
#ifndef LIB_IMAGE_PNG_FILTER_H
#define LIB_IMAGE_PNG_FILTER_H

#include <stddef.h>

enum { PNG_FILTERS = 5, PNG_FILTER_SLACK = 8 };

/*
 * Makes a row of `bytes` bytes in `out`, of pixels of `pixel` bytes (1 to 4),
 * of what is stored behind its filter, 0 to 4, and of the row above.
 * PNG_FILTER_SLACK bytes behind `in` and `above` may be read.
 */
void png_unfilter(unsigned filter, size_t pixel, const unsigned char *in,
    const unsigned char *above, unsigned char *out, size_t bytes);

#endif
