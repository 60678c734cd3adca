/*
 * fields.h - which file, or which member of an archive, is which field of a
 * sample: the option `fields` of sources.
 *
 *	data:jpg,mask:mask.png
 *
 * means KEY.jpg is the field `data` and KEY.mask.png the field `mask`.  Other
 * endings of the same field are set apart by '|': "data:jpg|png".
 */
#ifndef DATASETS_FIELDS_H
#define DATASETS_FIELDS_H

#include <stddef.h>

#include "lib/sample/sample.h"

struct error;

enum { RULES_MAX = 32, ENDING_MAX = 64 };

/* Names that end so are this field. */
struct field_rule {
	char ending[ENDING_MAX]; /* lower case; mostly without its first dot */
	unsigned field;          /* index in the schema */
};

struct field_rules {
	unsigned count;
	struct field_rule rules[RULES_MAX];
};

/* Adds a rule; a new name adds a field of unknown type to the schema. */
int field_rules_add(struct field_rules *rules, struct schema *schema,
    const char *name, const char *ending, struct error *err);
/* Reads the option.  Errors quote it (ERROR_USAGE). */
int field_rules_parse(struct field_rules *rules, struct schema *schema,
    const char *text, struct error *err);

/* The rule of an extension, which is lower case; NULL: there is none. */
const struct field_rule *field_rules_find(
    const struct field_rules *rules, const char *extension);
/*
 * The rule with the longest ending that `name` has, in any case; NULL: there
 * is none.  *stem is the length of what is in front of the ending.  An ending
 * that begins with a letter or digit stands behind a dot.
 */
const struct field_rule *field_rules_match(
    const struct field_rules *rules, const char *name, size_t *stem);

#endif
