/* sizes.h - the same bytes as a few large samples, or as many small ones. */
#ifndef CMD_STUDY_SIZES_H
#define CMD_STUDY_SIZES_H

#include <stdint.h>

#include "lib/sample/tensor.h"

struct dataset;
struct error;

/* The form of a synthetic dataset for one value. */
struct sizes_form {
	char shape[SHAPE_TEXT];
	uint64_t count; /* samples */
	double bytes;   /* in one sample */
};

/*
 * Keeps the bytes of the dataset, its element type, and all dimensions of a
 * sample but the first.  ERROR_USAGE: the source is another one, or the value
 * is no size.
 */
int sizes_form(const struct dataset *dataset, const char *value,
    struct sizes_form *form, struct error *err);

#endif
