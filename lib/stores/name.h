/*
 * name.h - what the files of a sample are called, in tar and in folders.
 *
 * A name is STEM.EXT.  The stem is the key, with what would be in the way as
 * %XX: '%', blanks and control bytes; dots behind the last '/', since readers
 * of WebDataset take what follows the first one for the extension; a '/' in
 * front and "..", since others unpack it.  It gives the key back exactly.
 *
 * The extension of a field is its suffix ("jpg"; for tensors "npy", or behind a
 * filter its name, "delta") if the field is called "data", FIELD.SUFFIX
 * otherwise; "cls" is the label's.
 */
#ifndef LIB_STORES_NAME_H
#define LIB_STORES_NAME_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/sample/reader.h"
#include "lib/sample/sample.h"

struct error;

enum { NAME_EXT = 64, NAME_TEXT = 3 * KEY_MAX + NAME_EXT };

#define NAME_LABEL "cls"

struct name {
	size_t stem; /* bytes of it */
	char text[NAME_TEXT];
};

/* ERROR_DATA for a key with no name in it, or of more than KEY_MAX bytes. */
int name_set_key(struct name *name, struct span key, struct error *err);
/* STEM.EXT, terminated; it stands in `name` until the next call. */
struct span name_with(struct name *name, const char *ext);

/* The extension of a field's file; `suffix` is the tensor's. */
const char *name_ext(
    const struct field *field, const char *suffix, char ext[NAME_EXT]);
/* Is this the field's extension?  Then the suffix is set; "" for tensors. */
bool name_is_of(
    const struct field *field, struct span ext, char suffix[SUFFIX_MAX]);

/* Splits STEM.EXT; -1 when there is no extension. */
int name_split(struct span name, struct span *stem, struct span *ext);
/*
 * The key of a stem that lies in the chunk; escapes are undone in place, so a
 * chunk is parsed once.
 */
struct span name_key(struct chunk *chunk, struct span stem);

/*
 * Can it be a file below a folder?  Not if it is absolute, or has "..", empty
 * parts, or parts longer than file systems take.  For keys, and for stems
 * that come from an index.
 */
int name_check_path(struct span path, struct error *err);

#endif
