/*
 * key_rule.h - finds the word in a key that is the name of its label: the
 * folders of the key, or what a regular expression matches.
 */
#ifndef DATASETS_FILES_KEY_RULE_H
#define DATASETS_FILES_KEY_RULE_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/base/bytes.h"

struct error;

struct key_rule { /* all 0: the folders */
	bool is_pattern;
	regex_t regex;
};

/* Parses "directory" or a pattern; ERROR_USAGE. */
int key_rule_init(struct key_rule *rule, const char *text, struct error *err);
/*
 * Finds the word, a part of the key: the first group of a pattern, or all that
 * it matches. Returns 0; 1: the pattern does not match; -1.
 */
int key_rule_word(const struct key_rule *rule, struct span key,
    struct span *word, struct error *err);
void key_rule_release(struct key_rule *rule);

/* Returns the length of the folders in a key, with their last '/'. */
size_t key_folders(struct span key);

#endif
