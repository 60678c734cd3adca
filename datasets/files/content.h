/*
 * content.h - recognises the content of a file: a tensor (.npy) or encoded
 * bytes, by its first bytes, else by the extension of its name.
 */
#ifndef DATASETS_FILES_CONTENT_H
#define DATASETS_FILES_CONTENT_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;

/* Returns the extension behind the last dot of a name; "" if it has none. */
const char *content_extension(const char *path);

/* First bytes of a file that are enough to recognise its type. */
enum { CONTENT_HEAD = 256 << 10 };

/*
 * Sets the type of files like this one, whose first bytes are `bytes`. A .npy
 * file gives dtype and number of dimensions; their sizes stay open, since other
 * files may differ. Everything else is LAYOUT_ENCODED with a suffix.
 */
int content_type(struct span bytes, const char *extension, struct type *type,
    struct error *err);
/*
 * Views the bytes as a tensor of `type`; ERROR_DATA if they are something else.
 * Bytes at NULL were withheld: the view has their length and is refused later
 * (reader.h).
 */
int content_view(struct span bytes, const char *extension,
    const struct type *type, struct tensor *tensor, struct error *err);

#endif
