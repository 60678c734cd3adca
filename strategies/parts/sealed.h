/*
 * sealed.h - INI files that end with a checksum of their lines, so that one
 * that was cut, edited or damaged is told from a whole one.
 *
 *   ...
 *   [end]
 *   checksum = 00112233aabbccdd    XXH3 of all lines above [end]
 */
#ifndef STRATEGIES_PARTS_SEALED_H
#define STRATEGIES_PARTS_SEALED_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct ini;

/* Appends the end to a text that has only the lines in front of it. */
int sealed_end(struct buf *text, struct error *err);
/*
 * Parses the INI file that `bytes` begin with, and sets *rest to what is behind
 * its end. ERROR_DATA with `path` for a damaged one, or another version than 1
 * of `section`. Release `ini` in any case.
 */
int sealed_parse(struct ini *ini, const char *path, const char *section,
    struct span bytes, struct span *rest, struct error *err);
/* Take a number up to `most`, or a text of less than `size` bytes. */
int sealed_number(const struct ini *ini, const char *section, const char *key,
    uint64_t most, uint64_t *number, struct error *err);
int sealed_text(const struct ini *ini, const char *section, const char *key,
    char *text, size_t size, struct error *err);

#endif
