/* folder_scan.c - see folder_scan.h. */
#include "datasets/folders/folder_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "datasets/files/fields.h"
#include "datasets/folders/folder_labels.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/url.h"

/* A file that holds one field of a sample. */
struct field_file {
	const char *name;
	struct field_key key; /* position of the key in the name */
	unsigned field;
	uint64_t bytes;
};

/* A key that is compared with others to find equal ones. */
struct claim {
	const char *name;
	size_t len;
	size_t sample;
};

static int compare_texts(
    const char *a, size_t a_len, const char *b, size_t b_len)
{
	const int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order ? order : (a_len > b_len) - (a_len < b_len);
}

static int compare_files(const void *a, const void *b)
{
	const struct field_file *x = a, *y = b;
	const int order = compare_texts(
	    x->name + x->key.at, x->key.len, y->name + y->key.at, y->key.len);

	return order ? order : (x->field > y->field) - (x->field < y->field);
}

static int compare_claims(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	const int order = compare_texts(x->name, x->len, y->name, y->len);

	return order ? order
	             : (x->sample > y->sample) - (x->sample < y->sample);
}

static struct span file_key(const struct field_file *file)
{
	return (struct span){
		.data = (const unsigned char *)file->name + file->key.at,
		.len = file->key.len,
	};
}

/* Files that are being grouped into samples. */
struct grouping {
	const struct field_rules *rules;
	const struct schema *schema;
	const struct field_file *files; /* sorted */
	size_t count;
};

/* Returns how many files, from number `i` on, have the same key. */
static size_t same_key(const struct grouping *grouping, size_t i)
{
	const struct field_file *first = &grouping->files[i];
	size_t n = 1;

	while (i + n < grouping->count &&
	       span_equal(file_key(first), file_key(&grouping->files[i + n])))
		n++;
	return n;
}

/* Counts the samples from number `i` on that lack a field. */
static size_t count_lacking(const struct grouping *grouping, size_t i)
{
	size_t lacking = 0;

	while (i < grouping->count) {
		const size_t n = same_key(grouping, i);

		lacking += n < grouping->schema->count;
		i += n;
	}
	return lacking;
}

static int error_lacking(const struct grouping *grouping, size_t i,
    unsigned field, struct error *err)
{
	const struct field_file *file = &grouping->files[i];
	const size_t others = count_lacking(grouping, i) - 1;
	char example[PREFIX_MAX + KEY_MAX + ENDING_MAX], more[64] = "";

	field_rules_example(
	    grouping->rules, field, file_key(file), example, sizeof(example));
	if (others)
		snprintf(more, sizeof(more), " (and %zu other sample%s)",
		    others, others == 1 ? "" : "s");
	return error_set(err, ERROR_DATA,
	    "sample '%.*s' has no file for the field '%s'%s: there is %s, but "
	    "no %s; add it, or leave samples out by 'match'",
	    (int)file->key.len, (const char *)file_key(file).data,
	    grouping->schema->fields[field].name, more, file->name, example);
}

/* Do the `count` files from number `i` on have each field exactly once? */
static int check_files(
    const struct grouping *grouping, size_t i, size_t count, struct error *err)
{
	const struct field *fields = grouping->schema->fields;
	const struct field_file *files = &grouping->files[i];

	for (size_t k = 1; k < count; k++)
		if (files[k].field == files[k - 1].field)
			return error_set(err, ERROR_DATA,
			    "the field '%s' has two files, %s and %s",
			    fields[files[k].field].name, files[k - 1].name,
			    files[k].name);
	for (unsigned f = 0; f < grouping->schema->count; f++)
		if (f >= count || files[f].field != f)
			return error_lacking(grouping, i, f, err);
	return 0;
}

/* Replaces the listing by the sorted files of samples; counts the samples. */
static int keep_files(
    struct folder_set *set, const struct grouping *grouping, struct error *err)
{
	const char *names = (const char *)set->listing.names.data;
	const struct field_file *files = grouping->files;

	for (size_t i = 0; i < grouping->count; i += grouping->schema->count) {
		struct folder_sample *sample = &set->samples[set->count++];

		if (check_files(grouping, i, same_key(grouping, i), err))
			return -1;
		sample->key_at = files[i].key.at;
		sample->key_len = files[i].key.len;
	}
	for (size_t i = 0; i < grouping->count; i++)
		set->listing.files[i] = (struct listed_file){
			.name = (size_t)(files[i].name - names),
			.bytes = files[i].bytes,
		};
	set->listing.count = grouping->count;
	return 0;
}

/* Groups files with the same key into samples; drops files of no field. */
static int group_files(struct folder_set *set, const struct field_rules *rules,
    const struct schema *schema, struct error *err)
{
	const struct listing *listing = &set->listing;
	struct field_file *files = calloc(listing->count, sizeof(*files));
	struct grouping grouping = { rules, schema, files, 0 };
	size_t n = 0;
	int rc = -1;

	if (!files)
		return error_memory(err, listing->count * sizeof(*files));
	for (size_t i = 0; i < listing->count; i++) {
		struct field_file file = {
			.name = listing_name(listing, i),
			.bytes = listing->files[i].bytes,
		};
		const struct field_rule *rule =
		    field_rules_match(rules, file.name, &file.key);

		if (!rule)
			continue;
		file.field = rule->field;
		files[n++] = file;
	}
	if (n == 0) {
		error_set(err, ERROR_USAGE,
		    "none of the %zu files is a field of 'fields'",
		    listing->count);
		goto done;
	}
	qsort(files, n, sizeof(*files), compare_files);
	grouping.count = n;
	rc = keep_files(set, &grouping, err);
done:
	free(files);
	return rc;
}

/*
 * Gives equal keys their extensions back. That can make them equal to another
 * key ("a.jpg" of a.jpg.png), so it is repeated until nothing changes; paths
 * differ, so it ends. Returns whether it changed a key.
 */
static bool part_keys(struct folder_set *set, struct claim *claims)
{
	bool changed = false;

	for (size_t i = 0; i < set->count; i++)
		claims[i] = (struct claim){
			.name = folder_name(set, i),
			.len = set->samples[i].key_len,
			.sample = i,
		};
	qsort(claims, set->count, sizeof(*claims), compare_claims);
	for (size_t i = 1; i < set->count; i++) {
		const struct claim *a = &claims[i - 1], *b = &claims[i];

		if (compare_texts(a->name, a->len, b->name, b->len) != 0)
			continue;
		set->samples[a->sample].key_len = strlen(a->name);
		set->samples[b->sample].key_len = strlen(b->name);
		changed = true;
	}
	return changed;
}

/* Makes a sample of each file. */
static int key_files(struct folder_set *set, struct error *err)
{
	const size_t count = set->listing.count;
	struct claim *claims = calloc(count, sizeof(*claims));

	if (!claims)
		return error_memory(err, count * sizeof(*claims));
	set->count = count;
	for (size_t i = 0; i < count; i++)
		set->samples[i].key_len = folder_stem(folder_name(set, i));
	while (part_keys(set, claims))
		continue;
	free(claims);
	return 0;
}

static int check_keys(const struct folder_set *set, struct error *err)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->samples[i].key_len >= KEY_MAX)
			return error_set(err, ERROR_LIMIT,
			    "the key of %s has more than %d bytes",
			    folder_name(set, i), KEY_MAX - 1);
	return 0;
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	if (url_is(a) || url_is(b))
		return strcmp(a, b) == 0;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* Removes the table of labels, which may lie among the samples. */
static int leave_out_table(struct folder_set *set, const char *dir,
    const char *table, struct error *err)
{
	struct listing *listing = &set->listing;
	size_t kept = 0;

	for (size_t i = 0; i < listing->count; i++) {
		const char *name = listing_name(listing, i);
		char *path = NULL;
		bool is_table = false;

		if (strcmp(path_base(name), path_base(table)) == 0) {
			path = path_join(dir, name, err);
			if (!path)
				return -1;
			is_table = is_same_file(path, table);
		}
		free(path);
		if (!is_table)
			listing->files[kept++] = listing->files[i];
	}
	listing->count = kept;
	return kept ? 0
	            : error_set(err, ERROR_USAGE,
	                  "there is no file but the table of labels");
}

int folder_scan(struct folder_set *set, struct medium *medium, const char *dir,
    const struct folder_options *options, struct schema *schema,
    struct error *err)
{
	const struct type unknown = { .layout = LAYOUT_ENCODED };
	struct field_rules rules = { .count = 0 };
	int rc;

	if (options->fields
	        ? field_rules_parse(&rules, schema, options->fields, err)
	        : schema_add(schema, "data", &unknown, err))
		return -1;
	set->listing.known_each = schema->count;
	if (listing_scan(&set->listing, medium, dir, options->match, err))
		return -1;
	if (options->labels && leave_out_table(set, dir, options->labels, err))
		return -1;
	set->fields = schema->count;
	set->samples = calloc(set->listing.count, sizeof(*set->samples));
	if (!set->samples)
		return error_memory(err, set->listing.count);
	if (options->fields)
		rc = group_files(set, &rules, schema, err);
	else
		rc = key_files(set, err);
	if (rc || check_keys(set, err))
		return -1;
	return folder_label(set, medium, options, err);
}
