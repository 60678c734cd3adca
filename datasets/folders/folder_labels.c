/* folder_labels.c - see folder_labels.h. */
#include "datasets/folders/folder_labels.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/csv_labels.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/sample/key.h"
#include "lib/sample/labels.h"
#include "lib/syntax/nearest.h"

/* Returns the length of the folders in a key, with their last '/'. */
static size_t folders_len(struct span key)
{
	size_t len = key.len;

	while (len && key.data[len - 1] != '/')
		len--;
	return len;
}

static struct span directory_word(const struct folder_set *set, size_t sample)
{
	struct span word = folder_key(set, sample);

	word.len = folders_len(word);
	word.len -= word.len > 0;
	return word;
}

/* Returns the name up to the first '_' or '-', or without its extension. */
static struct span name_word(const struct folder_set *set, size_t sample)
{
	const char *name = folder_name(set, sample);
	const struct span key = folder_key(set, sample);
	const size_t skip = folders_len(key);
	const size_t base = (size_t)((const char *)key.data - name) + skip;
	const size_t stem = folder_stem(name) - base;
	const size_t len = strcspn(name + base, "_-");
	struct span word = { key.data + skip, key.len - skip };

	if (word.len > stem)
		word.len = stem;
	if (word.len > len)
		word.len = len;
	return word;
}

static int error_no_match(
    const char *pattern, const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(pattern);
	char hint[NEAREST_HINT];

	nearest_try(&nearest, "directory");
	nearest_try(&nearest, "name");
	nearest_try(&nearest, "none");
	return error_set(err, ERROR_USAGE,
	    "label '%s' does not match the key of %s%s", pattern, name,
	    nearest_question(&nearest, hint));
}

/* Returns the first group of the pattern in the key, or the whole match. */
static int pattern_word(const struct folder_set *set, size_t sample,
    const regex_t *regex, struct span *word, struct error *err)
{
	const struct span key = folder_key(set, sample);
	char text[KEY_MAX];
	regmatch_t at[2];

	if (key.len >= sizeof(text))
		return error_set(err, ERROR_LIMIT,
		    "the name %s has more than %d bytes",
		    folder_name(set, sample), KEY_MAX - 1);
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

static int pattern_words(const struct folder_set *set, const char *pattern,
    struct span *words, struct error *err)
{
	regex_t regex;
	char why[128];
	int rc = regcomp(&regex, pattern, REG_EXTENDED);

	if (rc) {
		regerror(rc, &regex, why, sizeof(why));
		return error_set(
		    err, ERROR_USAGE, "label '%s': %s", pattern, why);
	}
	for (size_t i = 0; rc == 0 && i < set->count; i++) {
		rc = pattern_word(set, i, &regex, &words[i], err);
		if (rc > 0)
			error_no_match(pattern, folder_name(set, i), err);
	}
	regfree(&regex);
	return rc ? -1 : 0;
}

static int find_words(const struct folder_set *set, const char *rule,
    struct span *words, struct error *err)
{
	if (strcmp(rule, "directory") == 0)
		for (size_t i = 0; i < set->count; i++)
			words[i] = directory_word(set, i);
	else if (strcmp(rule, "name") == 0)
		for (size_t i = 0; i < set->count; i++)
			words[i] = name_word(set, i);
	else
		return pattern_words(set, rule, words, err);
	return 0;
}

static int label_by_rule(
    struct folder_set *set, const char *rule, struct error *err)
{
	const bool numbers =
	    strcmp(rule, "directory") != 0 && strcmp(rule, "name") != 0;
	struct span *words = NULL;
	int64_t *labels = NULL;
	int rc = -1;

	if (strcmp(rule, "none") == 0) {
		for (size_t i = 0; i < set->count; i++)
			set->samples[i].label = -1;
		return 0;
	}
	words = calloc(set->count, sizeof(*words));
	labels = calloc(set->count, sizeof(*labels));
	if (!words || !labels) {
		error_memory(err, set->count * sizeof(*words));
		goto done;
	}
	if (find_words(set, rule, words, err) ||
	    labels_from_words(
	        words, set->count, numbers, labels, &set->classes, err))
		goto done;
	for (size_t i = 0; i < set->count; i++)
		set->samples[i].label = labels[i];
	rc = 0;
done:
	free(labels);
	free(words);
	return rc;
}

/* ---- labels from a table ---- */

/* Finds a row by the key of a sample, or by the path of its file. */
static const struct csv_label *find_row(
    struct csv_labels *labels, const struct folder_set *set, size_t sample)
{
	const struct csv_label *row =
	    csv_labels_find(labels, folder_key(set, sample));

	return row ? row
	           : csv_labels_find(
	                 labels, span_text(folder_name(set, sample)));
}

static int error_unlabelled(const struct folder_set *set, const char *path,
    size_t first, size_t count, struct error *err)
{
	char key[KEY_TEXT];

	return error_set(err, ERROR_DATA,
	    "%s: %zu of %zu samples have no label, the first is '%s'; add "
	    "rows, leave samples out by 'match', or choose the columns by "
	    "label_key and label_column",
	    path, count, set->count, key_text(folder_key(set, first), key));
}

static int note_unused(struct folder_set *set, const char *path,
    const struct csv_labels *labels, struct error *err)
{
	const struct csv_label *first;
	const size_t unused = csv_labels_unused(labels, &first);
	char key[KEY_TEXT];

	if (!unused)
		return 0;
	return buf_printf(&set->note, err,
	    "%s: %zu of %zu rows have no sample, the first is '%s' in line "
	    "%zu; choose another column by label_key if they should",
	    path, unused, labels->count, key_text(first->key, key),
	    first->line);
}

static int label_samples(struct folder_set *set, const char *path,
    struct csv_labels *labels, struct error *err)
{
	size_t missing = 0, first = 0;

	for (size_t i = 0; i < set->count; i++) {
		const struct csv_label *row = find_row(labels, set, i);

		if (row)
			set->samples[i].label = row->label;
		else if (missing++ == 0)
			first = i;
	}
	if (missing)
		return error_unlabelled(set, path, first, missing, err);
	return note_unused(set, path, labels, err);
}

/* Hashes the labels of all samples, and the names of their classes. */
static uint64_t hash_labels(const struct folder_set *set)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < set->count; i++)
		hash = hash_bytes(&set->samples[i].label,
		    sizeof(set->samples[i].label), hash);
	for (size_t i = 0; i < set->classes.count; i++)
		hash = hash_bytes(set->classes.names[i],
		    strlen(set->classes.names[i]) + 1, hash);
	return hash;
}

static int label_by_table(struct folder_set *set, struct medium *medium,
    const struct folder_options *options, struct error *err)
{
	const struct csv_labels_options columns = {
		.medium = medium,
		.path = options->labels,
		.key = options->label_key,
		.label = options->label_column,
	};
	struct csv_labels labels = CSV_LABELS_INIT;
	int rc;

	if (strcmp(options->label, "none") != 0)
		return error_set(err, ERROR_USAGE,
		    "labels come from '%s' or from the rule '%s', not both: "
		    "leave out labels or label",
		    options->labels, options->label);
	rc = csv_labels_read(&labels, &columns, &set->classes, err);
	if (rc == 0)
		rc = label_samples(set, options->labels, &labels, err);
	set->labels_hash = hash_labels(set);
	csv_labels_release(&labels);
	return rc;
}

int folder_label(struct folder_set *set, struct medium *medium,
    const struct folder_options *options, struct error *err)
{
	return options->labels ? label_by_table(set, medium, options, err)
	                       : label_by_rule(set, options->label, err);
}
