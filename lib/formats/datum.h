/*
 * datum.h - Datum, the message of Caffe that has an image with its label:
 *
 *   int32 channels = 1, height = 2, width = 3
 *   bytes data = 4            an element a byte; or the bytes of a file
 *   int32 label = 5
 *   repeated float float_data = 6
 *   bool encoded = 7          is `data` a file, such as a JPEG?
 *
 * Elements lie channel by channel, each row by row.
 */
#ifndef LIB_FORMATS_DATUM_H
#define LIB_FORMATS_DATUM_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;

struct datum {
	struct span message; /* the whole; borrowed */
	struct shape shape;  /* height, width, channels; of no use if encoded */
	struct span data;    /* elements or a file; empty: there are floats */
	bool is_encoded;
	int64_t label; /* -1: none */
};

/*
 * Parses a message, and checks that its elements fill its shape; ERROR_DATA.
 * Another message, or a text, is hardly ever taken for one.
 */
int datum_parse(struct span message, struct datum *datum, struct error *err);
/* Returns the type of the elements. */
enum dtype datum_dtype(const struct datum *datum);
/* Writes the elements by height, width and channels. */
void datum_write(const struct datum *datum, unsigned char *out);

#endif
