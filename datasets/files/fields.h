/*
 * fields.h - which file, or which member of an archive, is which field of a
 * sample: the option `fields` of sources.
 *
 *	data:jpg,mask:mask.png
 *
 * means KEY.jpg is the field `data` and KEY.mask.png the field `mask`.  Other
 * endings of the same field are set apart by '|': "data:jpg|png".
 *
 * A word with an asterisk or a slash is a pattern, PREFIX*ENDING: the files of
 * KEY are PREFIXKEYENDING, where KEY may have folders.  So the images and masks
 * of parallel folders are paired (presto.conf(5)).  The ending "" or ".*" of a
 * pattern stands for any extension; a plain ending behind a pattern and '|' has
 * its prefix.
 */
#ifndef DATASETS_FILES_FIELDS_H
#define DATASETS_FILES_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/bytes.h"
#include "lib/sample/sample.h"

struct error;

enum { RULES_MAX = 32, ENDING_MAX = 64, PREFIX_MAX = 256 };

/* Names that begin and end so are this field. */
struct field_rule {
	bool is_pattern;
	char prefix[PREFIX_MAX]; /* of a pattern: what is in front of the key */
	/*
	 * Lower case; mostly without its first dot.  Of a pattern with the
	 * dot, "" for any extension.
	 */
	char ending[ENDING_MAX];
	unsigned field; /* index in the schema */
};

/* Which part of a name is the key. */
struct field_key {
	size_t at, len;
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
 * The rule that takes most of `name`, whose ending may be in any case; NULL:
 * there is none.  An ending that begins with a letter or digit stands behind a
 * dot.
 */
const struct field_rule *field_rules_match(
    const struct field_rules *rules, const char *name, struct field_key *key);
/* Is any rule a pattern?  These are for files, not members of archives. */
bool field_rules_have_patterns(const struct field_rules *rules);
/*
 * A name that the field of this key would have, "masks/17.png": cut off at
 * `size`.
 */
void field_rules_example(const struct field_rules *rules, unsigned field,
    struct span key, char *text, size_t size);

#endif
