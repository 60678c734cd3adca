/* folder_labels.c - see folder_labels.h. */
#include "datasets/folders/folder_labels.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/files/csv_labels.h"
#include "datasets/files/key_rule.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/sample/key.h"
#include "lib/sample/labels.h"
#include "lib/syntax/nearest.h"

/* Returns the name up to the first '_' or '-', or without its extension. */
static struct span name_word(const struct folder_set *set, size_t sample)
{
	const char *name = folder_name(set, sample);
	const struct span key = folder_key(set, sample);
	const size_t skip = key_folders(key);
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

static int rule_words(const struct folder_set *set, const char *text,
    struct span *words, struct error *err)
{
	struct key_rule rule;
	int rc = key_rule_init(&rule, text, err);

	for (size_t i = 0; rc == 0 && i < set->count; i++) {
		rc = key_rule_word(&rule, folder_key(set, i), &words[i], err);
		if (rc > 0)
			error_no_match(text, folder_name(set, i), err);
	}
	key_rule_release(&rule);
	return rc ? -1 : 0;
}

static int find_words(const struct folder_set *set, const char *rule,
    struct span *words, struct error *err)
{
	if (strcmp(rule, "name") != 0)
		return rule_words(set, rule, words, err);
	for (size_t i = 0; i < set->count; i++)
		words[i] = name_word(set, i);
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
