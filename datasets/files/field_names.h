/*
 * field_names.h - parses the option `fields` of sources whose things have
 * names: features of records, arrays of a .npz file.
 *
 * 	data:image/encoded,mask:image/mask
 *
 * A single name without a field is the field `data`. One of several is the
 * field of this name.
 */
#ifndef DATASETS_FILES_FIELD_NAMES_H
#define DATASETS_FILES_FIELD_NAMES_H

struct error;

enum { FIELD_NAMES_MAX = 128 }; /* bytes of a name, with its terminator */

typedef int field_names_add(
    void *arg, const char *field, const char *name, struct error *err);

/* Calls `add` for each name; messages quote the text (ERROR_USAGE). */
int field_names_parse(
    const char *text, field_names_add *add, void *arg, struct error *err);

#endif
