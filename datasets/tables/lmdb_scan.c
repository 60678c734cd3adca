/* lmdb_scan.c - see lmdb_scan.h. */
#include "datasets/tables/lmdb_scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/key_rule.h"
#include "datasets/tables/lmdb_file.h"
#include "datasets/tables/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/sample/key.h"
#include "lib/sample/labels.h"

enum {
	GROUP_BYTES = 4 << 20, /* mean bytes of a group */
	NAMES_MOST = 200,      /* bytes of the names of databases in messages */
};

struct scan {
	struct reader *reader;
	struct lmdb *lmdb;
	struct medium_file *file;
	struct buf window;
	uint64_t entries;     /* keys so far, samples or not */
	uint64_t bytes;       /* keys and values of all fields */
	struct buf databases; /* names of other databases, for messages */
	struct span wanted;   /* name of the database to enter */
	struct key_rule rule;
	bool has_rule;
	struct buf
	    words; /* one behind the other; has memory if there is a rule */
	struct buf ends; /* uint64_t, by sample: where its word ends */
};

typedef int visit_node(
    struct scan *scan, const struct lmdb_node *node, struct error *err);

/* Visits the nodes of leaf `i`: 0; 1 or -1 as soon as `visit` returns that. */
static int each_node(
    struct scan *scan, size_t i, visit_node *visit, struct error *err)
{
	const struct lmdb *lmdb = scan->lmdb;
	struct lmdb_page page;
	struct lmdb_node node;
	int rc = lmdb_get_page(lmdb, scan->file, &lmdb->leaves[i],
	    lmdb->leaf_count - i, &scan->window, &page, err);

	for (unsigned n = 0; rc == 0 && n < page.count; n++) {
		rc = lmdb_take_node(&page, n, &node, err);
		if (rc == 0)
			rc = visit(scan, &node, err);
	}
	return rc;
}

static int each_leaf(struct scan *scan, visit_node *visit, struct error *err)
{
	int rc = lmdb_find_leaves(scan->lmdb, scan->file, &scan->window, err);

	for (size_t i = 0; rc == 0 && i < scan->lmdb->leaf_count; i++)
		rc = each_node(scan, i, visit, err);
	return rc;
}

/* ---- databases ---- */

static int note_database(
    struct scan *scan, const struct lmdb_node *node, struct error *err)
{
	char name[KEY_TEXT];

	if (!node->is_tree || scan->databases.len > NAMES_MOST)
		return 0;
	return buf_printf(&scan->databases, err, "%s'%.60s'",
	    scan->databases.len ? ", " : "", key_text(node->key, name));
}

static int no_database(
    const struct scan *scan, const char *name, struct error *err)
{
	const bool any = scan->databases.len > 0;

	return error_set(err, ERROR_USAGE,
	    "there is no database '%.200s' in it; there %s", name,
	    any ? (const char *)scan->databases.data : "are none");
}

static int find_name(
    struct scan *scan, const struct lmdb_node *node, struct error *err)
{
	if (!node->is_tree || !span_equal(node->key, scan->wanted))
		return note_database(scan, node, err);
	return lmdb_tree_parse(node->value, &scan->lmdb->tree, err) ? -1 : 1;
}

/* Goes on to a database that is named in the main one. */
static int enter(struct scan *scan, const char *name, struct error *err)
{
	int got;

	scan->wanted = span_text(name);
	got = each_leaf(scan, find_name, err);
	if (got == 0)
		no_database(scan, name, err);
	scan->databases.len = 0;
	return got > 0 ? 0 : -1;
}

/* ---- samples ---- */

/* Makes groups of equally many samples. */
static int add_groups(const struct scan *scan, struct error *err)
{
	const uint64_t samples = scan->lmdb->lists[0].samples;
	const uint64_t fit = GROUP_BYTES / (scan->bytes / (samples + 1) + 1);
	const uint64_t most = fit == 0                 ? 1
	                      : fit < TABLE_CHUNK_ROWS ? fit
	                                               : TABLE_CHUNK_ROWS;

	for (uint64_t at = 0; at < samples; at += most)
		if (table_add_group(scan->reader, 0, 0,
		        samples - at < most ? samples - at : most, err))
			return -1;
	return 0;
}

static int add_word(struct scan *scan, struct span key, struct error *err)
{
	struct span word = { NULL, 0 };
	char text[KEY_TEXT];
	uint64_t end;
	int rc = key_rule_word(&scan->rule, key, &word, err);

	if (rc > 0)
		return error_set(err, ERROR_USAGE,
		    "label does not match the key %s: give 'label = "
		    "directory', 'label = none' or another pattern, or leave "
		    "keys out by 'match'",
		    key_text(key, text));
	if (rc || buf_append(&scan->words, word.data, word.len, err))
		return -1;
	end = scan->words.len;
	return buf_append(&scan->ends, &end, sizeof(end), err);
}

static int add_to_list(struct scan *scan, unsigned number,
    const struct lmdb_node *node, struct span key, struct error *err)
{
	struct lmdb_list *list = &scan->lmdb->lists[number];
	char text[KEY_TEXT];

	if (node->is_several)
		return error_set(err, ERROR_DATA,
		    "key %s has several values, which are not read",
		    key_text(node->key, text));
	if (key.len == 0 || key.len > KEY_MAX / 2)
		return error_set(err, ERROR_DATA,
		    "a key has %zu bytes, and 1 to %d are read", key.len,
		    KEY_MAX / 2);
	list->samples++;
	scan->bytes += node->key.len + node->bytes;
	if (list->pattern[0]) {
		list->hash = hash_bytes(&key.len, sizeof(key.len), list->hash);
		list->hash = hash_bytes(key.data, key.len, list->hash);
	}
	return number == 0 && scan->has_rule ? add_word(scan, node->key, err)
	                                     : 0;
}

static int add_node(
    struct scan *scan, const struct lmdb_node *node, struct error *err)
{
	struct lmdb *lmdb = scan->lmdb;
	bool is_sample = false;

	scan->entries++;
	if (node->is_tree && !node->is_several)
		return note_database(scan, node, err);
	for (unsigned i = 0; i < lmdb->list_count; i++) {
		struct span key = node->key;

		if (!lmdb_is_sample(lmdb, &lmdb->lists[i], &key))
			continue;
		is_sample = true;
		if (add_to_list(scan, i, node, key, err))
			return -1;
	}
	lmdb->skipped += !is_sample && lmdb_is_bookkeeping(node->key);
	return 0;
}

/* Makes the lists, of samples before each leaf. */
static int begin_lists(struct lmdb *lmdb, struct error *err)
{
	for (unsigned i = 0; i < lmdb->list_count; i++) {
		lmdb->lists[i].before =
		    calloc(lmdb->leaf_count + 1, sizeof(uint64_t));
		if (!lmdb->lists[i].before)
			return error_memory(
			    err, (lmdb->leaf_count + 1) * sizeof(uint64_t));
	}
	return 0;
}

static void set_before(struct lmdb *lmdb, size_t leaf)
{
	for (unsigned i = 0; i < lmdb->list_count; i++)
		lmdb->lists[i].before[leaf] = lmdb->lists[i].samples;
}

/* Do all lists have keys of the same samples? */
static int check_lists(const struct lmdb *lmdb, struct error *err)
{
	const struct lmdb_list *first = &lmdb->lists[0];

	for (unsigned i = 1; i < lmdb->list_count; i++) {
		const struct lmdb_list *list = &lmdb->lists[i];

		if (list->samples != first->samples ||
		    list->hash != first->hash)
			return error_set(err, ERROR_DATA,
			    "the %" PRIu64 " keys of '%s' are not those of the "
			    "%" PRIu64 " keys of '%s'",
			    list->samples, list->pattern, first->samples,
			    first->pattern);
	}
	return 0;
}

/* LMDB counts values, so a key with several is more than one entry. */
static int check_entries(const struct scan *scan, struct error *err)
{
	const struct lmdb_tree *tree = &scan->lmdb->tree;
	const bool has_several = tree->flags & LMDB_DUPLICATES;

	if (scan->entries == tree->entries ||
	    (has_several && scan->entries < tree->entries))
		return 0;
	return error_set(err, ERROR_DATA,
	    "is damaged: it has %" PRIu64 " keys, and says %" PRIu64,
	    scan->entries, tree->entries);
}

static int add_leaves(struct scan *scan, struct error *err)
{
	struct lmdb *lmdb = scan->lmdb;

	if (lmdb_find_leaves(lmdb, scan->file, &scan->window, err) ||
	    begin_lists(lmdb, err))
		return -1;
	for (size_t i = 0; i < lmdb->leaf_count; i++) {
		set_before(lmdb, i);
		if (each_node(scan, i, add_node, err))
			return -1;
	}
	set_before(lmdb, lmdb->leaf_count);
	if (check_entries(scan, err) || check_lists(lmdb, err))
		return -1;
	return add_groups(scan, err);
}

static int check_databases(const struct scan *scan, struct error *err)
{
	if (!scan->databases.len)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "it has several databases: give 'database = NAME'; there are %s",
	    (const char *)scan->databases.data);
}

/* ---- labels ---- */

static int set_labels(struct scan *scan, struct error *err)
{
	const size_t count = (size_t)scan->lmdb->lists[0].samples;
	struct table *table = scan->reader->priv;
	struct span *words = calloc(count + 1, sizeof(*words));
	const uint64_t *ends = (const void *)scan->ends.data;
	uint64_t start = 0;
	int rc = -1;

	scan->lmdb->labels = calloc(count + 1, sizeof(*scan->lmdb->labels));
	if (!words || !scan->lmdb->labels) {
		error_memory(err, count * sizeof(*words));
	} else {
		for (size_t i = 0; i < count; start = ends[i++])
			words[i] = (struct span){ scan->words.data + start,
				(size_t)(ends[i] - start) };
		rc = labels_from_words(words, count, scan->rule.is_pattern,
		    scan->lmdb->labels, &table->classes, err);
	}
	free(words);
	return rc;
}

static int scan_all(struct scan *scan, const char *database, struct error *err)
{
	if ((database && enter(scan, database, err)) || add_leaves(scan, err) ||
	    check_databases(scan, err))
		return -1;
	return scan->has_rule && scan->lmdb->lists[0].samples
	           ? set_labels(scan, err)
	           : 0;
}

int lmdb_scan(struct reader *reader, struct medium_file *file,
    const char *database, const char *rule, struct error *err)
{
	struct table *table = reader->priv;
	struct scan scan = { .reader = reader,
		.lmdb = table->own,
		.file = file,
		.has_rule = rule != NULL };
	int rc = 0;

	if (rule)
		rc = key_rule_init(&scan.rule, rule, err) ||
		     buf_reserve(&scan.words, 1, err);
	if (rc == 0)
		rc = scan_all(&scan, database, err);
	key_rule_release(&scan.rule);
	buf_release(&scan.window);
	buf_release(&scan.databases);
	buf_release(&scan.words);
	buf_release(&scan.ends);
	return rc ? -1 : 0;
}
