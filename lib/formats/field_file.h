/*
 * field_file.h - a field as a file of its own, in an archive or a folder:
 * encoded bytes unchanged, a tensor as .npy, or as .FILTER (npy.h).
 */
#ifndef LIB_FORMATS_FIELD_FILE_H
#define LIB_FORMATS_FIELD_FILE_H

#include "lib/base/bytes.h"
#include "lib/sample/npy.h"
#include "lib/sample/sample.h"

struct error;

struct field_file {
	struct span head; /* empty for encoded bytes */
	struct span data;
};

/* Sets head and data of a borrowed tensor; `header` holds the head. */
void field_file_set(struct field_file *file, const struct field *field,
    const struct tensor *tensor, unsigned char header[NPY_HEADER_MAX]);

/*
 * Sets `tensor` to a view of a file with this extension (name.h), and checks it
 * against the field's type. ERROR_DATA with the field's name.
 */
int field_file_view(const struct field *field, struct span ext,
    struct span bytes, struct tensor *tensor, struct error *err);

#endif
