/*
 * name.h - names of a sample's files, in tar archives and in folders.
 *
 * A name is STEM.EXT. The stem is the key with these characters escaped as %XX:
 * '%', blanks and control bytes; dots after the last '/', since readers of
 * WebDataset take everything after the first dot for the extension; a leading
 * '/' and "..", since other programs unpack the archive. Unescaping gives the
 * key back exactly.
 *
 * The extension is the field's suffix ("jpg"; "npy" for tensors; behind a
 * filter its name, "delta") if the field is called "data", else FIELD.SUFFIX.
 * The extension of the label is "cls".
 */
#ifndef LIB_FORMATS_NAME_H
#define LIB_FORMATS_NAME_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/sample/reader.h"
#include "lib/sample/sample.h"

struct error;

enum { NAME_EXT = 64, NAME_TEXT = 3 * KEY_MAX + NAME_EXT };

#define NAME_LABEL "cls"

struct name {
	size_t stem; /* its length in bytes */
	char text[NAME_TEXT];
};

/* ERROR_DATA for a key that is no name, or longer than KEY_MAX bytes. */
int name_set_key(struct name *name, struct span key, struct error *err);
/* Returns STEM.EXT, terminated; valid until the next call. */
struct span name_with(struct name *name, const char *ext);

/* Returns the extension of a field's file; `suffix` is the tensor's. */
const char *name_ext(
    const struct field *field, const char *suffix, char ext[NAME_EXT]);
/* Is this the field's extension? Then sets `suffix`, to "" for tensors. */
bool name_is_of(
    const struct field *field, struct span ext, char suffix[SUFFIX_MAX]);

enum { NAME_COLUMN = FIELD_NAME + 1 + SUFFIX_MAX };

/*
 * Writes the name of a field in formats with named values: FIELD, or
 * FIELD.FILTER for tensors behind a filter. Returns `name`.
 */
const char *name_column(const struct field *field, char name[NAME_COLUMN]);
/*
 * Appends a key as UTF-8: '%' and bytes that are not UTF-8 become %XX. It has
 * at most 3 times as many bytes. name_key() gives the key back.
 */
int name_put_text(struct span key, struct buf *out, struct error *err);

/* Splits STEM.EXT; -1 when there is no extension. */
int name_split(struct span name, struct span *stem, struct span *ext);
/*
 * Returns the key of a stem in the chunk. Escapes are undone in place, so that
 * a chunk can be parsed only once.
 */
struct span name_key(struct chunk *chunk, struct span stem);

/*
 * Checks that a key, or a stem of an index, can be a file below a folder: it is
 * not absolute, has no "..", no empty part and no part that is too long for
 * file systems.
 */
int name_check_path(struct span path, struct error *err);

#endif
