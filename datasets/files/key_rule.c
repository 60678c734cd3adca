/* key_rule.c - see key_rule.h. */
#include "datasets/files/key_rule.h"

#include <string.h>

#include "lib/base/error.h"
#include "lib/sample/key.h"
#include "lib/sample/sample.h"

size_t key_folders(struct span key)
{
	size_t len = key.len;

	while (len && key.data[len - 1] != '/')
		len--;
	return len;
}

int key_rule_init(struct key_rule *rule, const char *text, struct error *err)
{
	char why[128];
	int rc;

	*rule = (struct key_rule){ .is_pattern = false };
	if (strcmp(text, "directory") == 0)
		return 0;
	rc = regcomp(&rule->regex, text, REG_EXTENDED);
	rule->is_pattern = rc == 0;
	if (rc == 0)
		return 0;
	regerror(rc, &rule->regex, why, sizeof(why));
	return error_set(err, ERROR_USAGE, "label '%s': %s", text, why);
}

static int pattern_word(
    const regex_t *regex, struct span key, struct span *word, struct error *err)
{
	char text[KEY_MAX], shown[KEY_TEXT];
	regmatch_t at[2];

	if (key.len >= sizeof(text))
		return error_set(err, ERROR_LIMIT,
		    "the key %s has more than %d bytes", key_text(key, shown),
		    KEY_MAX - 1);
	memcpy(text, key.data, key.len);
	text[key.len] = '\0';
	if (regexec(regex, text, 2, at, 0))
		return 1;
	if (regex->re_nsub > 0 && at[1].rm_so >= 0)
		at[0] = at[1];
	*word = (struct span){
		.data = key.data + at[0].rm_so,
		.len = (size_t)(at[0].rm_eo - at[0].rm_so),
	};
	return 0;
}

int key_rule_word(const struct key_rule *rule, struct span key,
    struct span *word, struct error *err)
{
	if (rule->is_pattern)
		return pattern_word(&rule->regex, key, word, err);
	*word = (struct span){ key.data, key_folders(key) };
	word->len -= word->len > 0;
	return 0;
}

void key_rule_release(struct key_rule *rule)
{
	if (rule->is_pattern)
		regfree(&rule->regex);
	rule->is_pattern = false;
}
