/*
 * content.h - what the bytes of a file are: a tensor (.npy), or encoded, told
 * by how they begin, else by the extension of the name.
 */
#ifndef DATASETS_FILES_CONTENT_H
#define DATASETS_FILES_CONTENT_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;

/* Height, width, and 1, 3 or 4 channels. */
bool shape_is_image(const struct shape *shape);

/* What is behind the last dot of a path's name; "" when there is none. */
const char *content_extension(const char *path);

/* So many of its first bytes tell the type of a file. */
enum { CONTENT_HEAD = 256 << 10 };

/*
 * The type of files like this one, of which `bytes` are the first: of a .npy
 * file dtype and number of dimensions, which are not known, for others may
 * differ; of all else LAYOUT_ENCODED with a suffix.
 */
int content_type(struct span bytes, const char *extension, struct type *type,
    struct error *err);
/*
 * Views the bytes as what `type` says; ERROR_DATA when they are not that. Bytes
 * at NULL were withheld: a view of so many, to be refused (reader.h).
 */
int content_view(struct span bytes, const char *extension,
    const struct type *type, struct tensor *tensor, struct error *err);

#endif
