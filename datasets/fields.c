/* fields.c - see fields.h. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "datasets/fields.h"
#include "lib/base/error.h"

int field_rules_add(struct field_rules *rules, struct schema *schema,
    const char *name, const char *ending, struct error *err)
{
	const struct type unknown = { .layout = LAYOUT_ENCODED };
	struct field_rule *rule = &rules->rules[rules->count];
	const size_t len = strlen(ending);

	if (rules->count == RULES_MAX)
		return error_set(err, ERROR_USAGE,
		    "more than %d endings of fields", RULES_MAX);
	if (len == 0 || len >= ENDING_MAX)
		return error_set(err, ERROR_USAGE,
		    "the ending of field '%s' must have 1 to %d bytes", name,
		    ENDING_MAX - 1);
	if (schema_find(schema, name) < 0 &&
	    schema_add(schema, name, &unknown, err))
		return -1;
	for (size_t i = 0; i <= len; i++)
		rule->ending[i] = (char)tolower((unsigned char)ending[i]);
	rule->field = (unsigned)schema_find(schema, name);
	if (field_rules_find(rules, rule->ending))
		return error_set(err, ERROR_USAGE,
		    "the ending '%s' is given twice", rule->ending);
	rules->count++;
	return 0;
}

/* The next word up to one of `ends`, without blanks; cut off at `size`. */
static const char *take_word(
    const char *text, const char *ends, char *word, size_t size)
{
	size_t len = strcspn(text, ends), n;
	const char *rest = text + len;

	while (len && isspace((unsigned char)*text)) {
		text++;
		len--;
	}
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	n = len < size ? len : size - 1;
	memcpy(word, text, n);
	word[n] = '\0';
	return rest;
}

int field_rules_parse(struct field_rules *rules, struct schema *schema,
    const char *text, struct error *err)
{
	const char *at = text;

	for (;;) {
		char name[FIELD_NAME + 1], ending[ENDING_MAX + 1];

		at = take_word(at, ":,", name, sizeof(name));
		if (*at != ':')
			return error_set(err, ERROR_USAGE,
			    "fields '%s': '%s' has no ':ENDING'", text, name);
		do {
			at = take_word(at + 1, "|,", ending, sizeof(ending));
			if (field_rules_add(rules, schema, name,
			        ending[0] == '.' ? ending + 1 : ending, err))
				return error_prefix(err, "fields '%s'", text);
		} while (*at == '|');
		if (!*at)
			return 0;
		at++;
	}
}

const struct field_rule *field_rules_find(
    const struct field_rules *rules, const char *extension)
{
	for (unsigned i = 0; i < rules->count; i++)
		if (strcmp(rules->rules[i].ending, extension) == 0)
			return &rules->rules[i];
	return NULL;
}

/* Bytes that the ending takes of the name, with its dot; 0: it has not. */
static size_t ending_len(const char *ending, const char *name, size_t name_len)
{
	const size_t len = strlen(ending);
	const size_t dot = isalnum((unsigned char)ending[0]) ? 1 : 0;

	if (name_len <= len + dot ||
	    strcasecmp(name + name_len - len, ending) != 0 ||
	    (dot && name[name_len - len - 1] != '.'))
		return 0;
	return len + dot;
}

const struct field_rule *field_rules_match(
    const struct field_rules *rules, const char *name, size_t *stem)
{
	const size_t name_len = strlen(name);
	const struct field_rule *found = NULL;
	size_t longest = 0;

	for (unsigned i = 0; i < rules->count; i++) {
		const size_t len =
		    ending_len(rules->rules[i].ending, name, name_len);

		if (len > longest) {
			longest = len;
			found = &rules->rules[i];
		}
	}
	*stem = name_len - longest;
	return found;
}
