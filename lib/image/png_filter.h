/*
 * png_filter.h - undoes the filters of PNG, which replace each byte by its
 * difference from a prediction by its neighbours to the left and above.
 */
#ifndef LIB_IMAGE_PNG_FILTER_H
#define LIB_IMAGE_PNG_FILTER_H

#include <stddef.h>

enum { PNG_FILTERS = 5, PNG_FILTER_SLACK = 8 };

/*
 * Writes a row of `bytes` bytes with pixels of `pixel` bytes (1 to 4) to `out`,
 * from the filtered row `in` (`filter` is 0 to 4) and the row above.  Up to
 * PNG_FILTER_SLACK bytes behind `in` and `above` may be read.
 */
void png_unfilter(unsigned filter, size_t pixel, const unsigned char *in,
    const unsigned char *above, unsigned char *out, size_t bytes);

#endif
