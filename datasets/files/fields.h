/*
 * fields.h - the option `fields` of sources of files or archives: which file or
 * member is which field of a sample.
 *
 * 	data:jpg,mask:mask.png
 *
 * means that KEY.jpg is the field `data` and KEY.mask.png the field `mask`. A
 * '|' separates alternative endings of a field: "data:jpg|png".
 *
 * A word with an asterisk or a slash is a pattern, PREFIX*ENDING: it matches
 * the files PREFIXKEYENDING, where KEY may contain folders. This pairs the
 * images and masks of parallel folders (presto.conf(5)). The ending "" or ".*"
 * of a pattern stands for any extension. A plain ending after a pattern and '|'
 * has the same prefix.
 */
#ifndef DATASETS_FILES_FIELDS_H
#define DATASETS_FILES_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/bytes.h"
#include "lib/sample/sample.h"

struct error;

enum { RULES_MAX = 32, ENDING_MAX = 64, PREFIX_MAX = 256 };

/* A name with this prefix and ending is this field. */
struct field_rule {
	bool is_pattern;
	char prefix[PREFIX_MAX]; /* prefix of a pattern, before the key */
	/*
	 * Lower case, without its first dot; a pattern's ending has the dot,
	 * and "" is any extension.
	 */
	char ending[ENDING_MAX];
	unsigned field; /* index in the schema */
};

/* Position of the key in a name. */
struct field_key {
	size_t at, len;
};

struct field_rules {
	unsigned count;
	struct field_rule rules[RULES_MAX];
};

/* Adds a rule; a new field name adds a field of unknown type to the schema. */
int field_rules_add(struct field_rules *rules, struct schema *schema,
    const char *name, const char *ending, struct error *err);
/* Parses the option. Errors quote it (ERROR_USAGE). */
int field_rules_parse(struct field_rules *rules, struct schema *schema,
    const char *text, struct error *err);

/* Returns the rule of an extension in lower case; NULL: there is none. */
const struct field_rule *field_rules_find(
    const struct field_rules *rules, const char *extension);
/*
 * Returns the rule with the longest match in `name`, whose ending may be in any
 * case; NULL: there is none. An ending that begins with a letter or digit needs
 * a dot before it.
 */
const struct field_rule *field_rules_match(
    const struct field_rules *rules, const char *name, struct field_key *key);
/* Is any rule a pattern? Members of archives have none. */
bool field_rules_have_patterns(const struct field_rules *rules);
/* Writes a name that this field could have, "masks/17.png", cut at `size`. */
void field_rules_example(const struct field_rules *rules, unsigned field,
    struct span key, char *text, size_t size);

#endif
