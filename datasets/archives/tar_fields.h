/* tar_fields.h - guesses fields from the extensions in the first sample. */
#ifndef DATASETS_ARCHIVES_TAR_FIELDS_H
#define DATASETS_ARCHIVES_TAR_FIELDS_H

#include "datasets/files/fields.h"
#include "lib/sample/sample.h"

struct error;

/*
 * "jpg" becomes the field `data`, "mask.png" the field `mask`. A second
 * extension without a name becomes a field with the extension as name. Texts
 * ("json", "txt") become `data` only if there is nothing else.
 */
int tar_guess_fields(struct field_rules *rules, struct schema *schema,
    const char (*extensions)[ENDING_MAX], unsigned count, struct error *err);

#endif
