/* manifest_parse.h - parses a manifest. */
#ifndef LIB_STORES_MANIFEST_PARSE_H
#define LIB_STORES_MANIFEST_PARSE_H

#include "lib/stores/manifest.h"

/*
 * Parses the text of a manifest. `path` is for messages only: ERROR_DATA with
 * path and line. Release it in any case.
 */
int manifest_parse(struct manifest *manifest, const char *path,
    struct span text, struct error *err);

#endif
