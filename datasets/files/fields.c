/* fields.c - see fields.h. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "datasets/files/fields.h"
#include "lib/base/error.h"
#include "lib/files/path.h"

/* Longer than any pattern, so that a long word is refused, not truncated. */
enum { WORD_MAX = PREFIX_MAX + ENDING_MAX + 8 };

/* Adds a rule whose field is not set yet. */
static int add_rule(struct field_rules *rules, struct schema *schema,
    const char *name, const struct field_rule *rule, struct error *err)
{
	const struct type unknown = { .layout = LAYOUT_ENCODED };
	struct field_rule *added = &rules->rules[rules->count];

	if (rules->count == RULES_MAX)
		return error_set(err, ERROR_USAGE,
		    "more than %d endings of fields", RULES_MAX);
	if (schema_find(schema, name) < 0 &&
	    schema_add(schema, name, &unknown, err))
		return -1;
	for (unsigned i = 0; i < rules->count; i++)
		if (strcmp(rules->rules[i].ending, rule->ending) == 0 &&
		    strcmp(rules->rules[i].prefix, rule->prefix) == 0 &&
		    rules->rules[i].is_pattern == rule->is_pattern)
			return error_set(err, ERROR_USAGE,
			    "the ending '%s%s%s' is given twice", rule->prefix,
			    rule->is_pattern ? "*" : "", rule->ending);
	*added = *rule;
	added->field = (unsigned)schema_find(schema, name);
	rules->count++;
	return 0;
}

/* Sets the end of a name, in lower case. */
static int set_ending(struct field_rule *rule, const char *name,
    const char *ending, struct error *err)
{
	const size_t len = strlen(ending);

	if (len >= ENDING_MAX || (len == 0 && !rule->is_pattern))
		return error_set(err, ERROR_USAGE,
		    "the ending of field '%s' must have 1 to %d bytes", name,
		    ENDING_MAX - 1);
	for (size_t i = 0; i <= len; i++)
		rule->ending[i] = (char)tolower((unsigned char)ending[i]);
	return 0;
}

int field_rules_add(struct field_rules *rules, struct schema *schema,
    const char *name, const char *ending, struct error *err)
{
	struct field_rule rule = { .is_pattern = false };

	return set_ending(&rule, name, ending, err) ||
	               add_rule(rules, schema, name, &rule, err)
	           ? -1
	           : 0;
}

/* Sets the parts before and after the '*'. */
static int set_pattern(struct field_rule *rule, const char *name,
    const char *pattern, struct error *err)
{
	const char *star = strchr(pattern, '*'), *behind;
	size_t len;

	if (!star)
		return error_set(err, ERROR_USAGE,
		    "the pattern '%s' has no '*', which stands for the key, as "
		    "in images/*.jpg",
		    pattern);
	while (strncmp(pattern, "./", 2) == 0)
		pattern += 2;
	behind = strncmp(star, "**/*", 4) == 0 ? star + 4 : star + 1;
	len = (size_t)(star - pattern);
	if (pattern[0] == '/' || strncmp(pattern, "../", 3) == 0)
		return error_set(err, ERROR_USAGE,
		    "the pattern '%s' leads out of the folder: set 'path' to "
		    "the folder above",
		    pattern);
	if (len >= PREFIX_MAX)
		return error_set(err, ERROR_USAGE,
		    "the pattern '%s' has more than %d bytes before '*'",
		    pattern, PREFIX_MAX - 1);
	rule->is_pattern = true;
	memcpy(rule->prefix, pattern, len);
	if (strcmp(behind, ".*") == 0)
		behind += 2;
	if (strpbrk(rule->prefix, "?[") || strpbrk(behind, "*?["))
		return error_set(err, ERROR_USAGE,
		    "the pattern '%s' must have one '*', which stands for the "
		    "key, and neither '?' nor '['",
		    pattern);
	return set_ending(rule, name, behind, err);
}

/* Sets a rule from a word of the option; `rule` holds the one before. */
static int set_rule(struct field_rule *rule, const char *name, const char *word,
    struct error *err)
{
	char ending[WORD_MAX + 1];

	if (strpbrk(word, "*/")) {
		*rule = (struct field_rule){ .is_pattern = true };
		return set_pattern(rule, name, word, err);
	}
	if (!rule->is_pattern)
		return set_ending(
		    rule, name, word[0] == '.' ? word + 1 : word, err);
	/* The dot stays, as in the pattern before it. */
	snprintf(ending, sizeof(ending), "%s%s",
	    isalnum((unsigned char)word[0]) ? "." : "", word);
	return set_ending(rule, name, ending, err);
}

/* Copies the next word up to one of `ends`, trimmed and cut at `size`. */
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
		struct field_rule rule = { .is_pattern = false };
		char name[FIELD_NAME + 1], word[WORD_MAX];

		at = take_word(at, ":,", name, sizeof(name));
		if (*at != ':')
			return error_set(err, ERROR_USAGE,
			    "fields '%s': '%s' has no ':ENDING'", text, name);
		do {
			at = take_word(at + 1, "|,", word, sizeof(word));
			if (set_rule(&rule, name, word, err) ||
			    add_rule(rules, schema, name, &rule, err))
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

bool field_rules_have_patterns(const struct field_rules *rules)
{
	for (unsigned i = 0; i < rules->count; i++)
		if (rules->rules[i].is_pattern)
			return true;
	return false;
}

/* Finds the key between prefix and ending; false: the name does not match. */
static bool match_pattern(
    const struct field_rule *rule, const char *name, struct field_key *key)
{
	const size_t len = strlen(name), before = strlen(rule->prefix);
	size_t behind = strlen(rule->ending);

	if (strncmp(name, rule->prefix, before) != 0)
		return false;
	if (behind == 0) {
		const char *dot = strrchr(path_base(name), '.');

		behind = dot && dot != path_base(name) ? strlen(dot) : 0;
	}
	if (len <= before + behind || name[before] == '/' ||
	    name[len - behind - 1] == '/' ||
	    strcasecmp(name + len - strlen(rule->ending), rule->ending) != 0)
		return false;
	*key = (struct field_key){ before, len - before - behind };
	return true;
}

/* Finds the key before the ending and its dot, if any. */
static bool match_ending(
    const struct field_rule *rule, const char *name, struct field_key *key)
{
	const size_t name_len = strlen(name), len = strlen(rule->ending);
	const size_t dot = isalnum((unsigned char)rule->ending[0]) ? 1 : 0;

	if (name_len <= len + dot ||
	    strcasecmp(name + name_len - len, rule->ending) != 0 ||
	    (dot && name[name_len - len - 1] != '.'))
		return false;
	*key = (struct field_key){ 0, name_len - len - dot };
	return true;
}

const struct field_rule *field_rules_match(
    const struct field_rules *rules, const char *name, struct field_key *key)
{
	const struct field_rule *found = NULL;

	for (unsigned i = 0; i < rules->count; i++) {
		const struct field_rule *rule = &rules->rules[i];
		struct field_key part;

		if (rule->is_pattern ? !match_pattern(rule, name, &part)
		                     : !match_ending(rule, name, &part))
			continue;
		if (found && part.len >= key->len)
			continue;
		found = rule;
		*key = part;
	}
	return found;
}

void field_rules_example(const struct field_rules *rules, unsigned field,
    struct span key, char *text, size_t size)
{
	for (unsigned i = 0; i < rules->count; i++) {
		const struct field_rule *rule = &rules->rules[i];
		const char *ending = rule->ending;
		const char *dot =
		    !rule->is_pattern && isalnum((unsigned char)ending[0]) ? "."
		                                                           : "";

		if (rule->field != field)
			continue;
		if (rule->is_pattern && !ending[0])
			ending = ".*";
		snprintf(text, size, "%s%.*s%s%s", rule->prefix, (int)key.len,
		    (const char *)key.data, dot, ending);
		return;
	}
}
