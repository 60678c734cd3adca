/*
 * edges.c - graphs as text: a list of edges, and files with features and labels
 * of the nodes in the same folder. Several graphs have a folder each.
 *
 * The fields are `data`, the edges, and `features` and `labels` if there are
 * such files, all with their bytes unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include "datasets/folders/files_reader.h"
#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/syntax/option.h"

struct edges_options {
	const char *edges, *features, *labels;
};

static const struct option options[] = {
	OPTION(TEXT, "edges", 0, struct edges_options, edges, "GLOB",
	    "pattern of the files with lists of edges"),
	OPTION(TEXT, "features", 0, struct edges_options, features, "GLOB",
	    "pattern of the files with features of nodes"),
	OPTION(TEXT, "labels", 0, struct edges_options, labels, "GLOB",
	    "pattern of the files with labels of nodes"),
	OPTION_TABLE_END,
};

static const struct edges_options defaults = {
	.edges = "*.edges,*_edges.csv,*.cites,*.txt",
};

/* A kind of file, and the names that are searched by default. */
struct kind {
	const char *field, *patterns, *usual;
};

/* Where the files are. */
struct folder_place {
	struct medium *medium;
	const char *dir;
};

static size_t folder_len(const char *name)
{
	return (size_t)(path_base(name) - name);
}

static bool is_beside(const char *a, const char *b)
{
	const size_t len = folder_len(a);

	return len == folder_len(b) && memcmp(a, b, len) == 0;
}

/* Finds the file of this kind in the folder of the edges. */
static int find_beside(const struct kind *kind, const struct listing *files,
    const char *edges, size_t *found, struct error *err)
{
	size_t count = 0;

	for (size_t i = 0; i < files->count; i++) {
		if (!is_beside(listing_name(files, i), edges))
			continue;
		if (count++ > 0)
			return error_set(err, ERROR_USAGE,
			    "%s has two files of %s, %s and %s: tell which by "
			    "%s=GLOB",
			    edges, kind->field, listing_name(files, *found),
			    listing_name(files, i), kind->field);
		*found = i;
	}
	if (count == 0)
		return error_set(err, ERROR_DATA,
		    "%s has no file of %s beside it, though other graphs have",
		    edges, kind->field);
	return 0;
}

/* A file beside two lists of edges would belong to neither: refuses it. */
static int check_alone(
    const struct kind *kind, const struct listing *edges, struct error *err)
{
	for (size_t i = 1; i < edges->count; i++)
		if (is_beside(
		        listing_name(edges, i - 1), listing_name(edges, i)))
			return error_set(err, ERROR_USAGE,
			    "%s and %s are in one folder: whose are the %s? "
			    "tell which are edges by edges=GLOB",
			    listing_name(edges, i - 1), listing_name(edges, i),
			    kind->field);
	return 0;
}

/* Lists a kind's files, which may be missing unless the user named them. */
static int list_kind(const struct kind *kind, const struct folder_place *in,
    struct listing *files, struct error *err)
{
	struct error none = ERROR_INIT;

	if (kind->patterns && strcmp(kind->patterns, "none") == 0)
		return 0;
	if (kind->patterns)
		return listing_scan(
		    files, in->medium, in->dir, kind->patterns, err);
	if (listing_scan(files, in->medium, in->dir, kind->usual, &none) == 0 ||
	    none.code == ERROR_USAGE)
		return 0;
	*err = none;
	return -1;
}

/* Adds a kind: the set's listing had `*fields` files for each graph before. */
static int add_kind(struct folder_set *set, const struct kind *kind,
    const struct listing *edges, const struct folder_place *in,
    struct error *err)
{
	struct listing files = LISTING_INIT, all = LISTING_INIT;
	const unsigned fields = set->fields;
	size_t found = 0;
	int rc = list_kind(kind, in, &files, err);

	if (rc || files.count == 0)
		goto done;
	rc = check_alone(kind, edges, err);
	for (size_t i = 0; rc == 0 && i < edges->count; i++) {
		const char *name = listing_name(edges, i);

		for (unsigned f = 0; rc == 0 && f < fields; f++) {
			const size_t at = i * fields + f;

			rc = listing_add(&all, listing_name(&set->listing, at),
			    set->listing.files[at].bytes, err);
		}
		if (rc == 0)
			rc = find_beside(kind, &files, name, &found, err);
		if (rc == 0)
			rc = listing_add(&all, listing_name(&files, found),
			    files.files[found].bytes, err);
	}
	if (rc)
		goto done;
	listing_release(&set->listing);
	set->listing = all;
	all = (struct listing)LISTING_INIT;
	set->fields++;
done:
	listing_release(&files);
	listing_release(&all);
	return rc;
}

static int key_graphs(
    struct folder_set *set, const struct listing *edges, struct error *err)
{
	set->samples = calloc(edges->count, sizeof(*set->samples));
	if (!set->samples)
		return error_memory(err, edges->count);
	set->count = edges->count;
	for (size_t i = 0; i < set->count; i++) {
		const char *name = folder_name(set, i);

		set->samples[i].label = -1;
		set->samples[i].key_len = folder_stem(name);
		if (i > 0 &&
		    set->samples[i].key_len == set->samples[i - 1].key_len &&
		    memcmp(name, folder_name(set, i - 1),
		        set->samples[i].key_len) == 0)
			return error_set(err, ERROR_USAGE,
			    "%s and %s have the same name: tell which are "
			    "edges by edges=GLOB",
			    folder_name(set, i - 1), name);
		if (set->samples[i].key_len >= KEY_MAX)
			return error_set(err, ERROR_LIMIT,
			    "the key of %s has more than %d bytes", name,
			    KEY_MAX - 1);
	}
	return 0;
}

static int find_graphs(struct folder_set *set, const char *dir,
    const struct source_plan *plan, struct schema *schema, struct error *err)
{
	const struct edges_options *given = plan->options;
	const struct folder_place in = { plan->medium, dir };
	const struct kind kinds[] = {
		{ "features", given->features, "*.features,*_features.json" },
		{ "labels", given->labels, "*.labels,*_target.csv" },
	};
	const struct type unknown = { .layout = LAYOUT_ENCODED };
	struct listing edges = LISTING_INIT;
	int rc = -1;

	if (listing_scan(&edges, in.medium, dir, given->edges, err) ||
	    schema_add(schema, "data", &unknown, err))
		goto done;
	for (size_t i = 0; i < edges.count; i++)
		if (listing_add(&set->listing, listing_name(&edges, i),
		        edges.files[i].bytes, err))
			goto done;
	set->fields = 1;
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		const unsigned before = set->fields;

		if (add_kind(set, &kinds[k], &edges, &in, err))
			goto done;
		if (set->fields > before &&
		    schema_add(schema, kinds[k].field, &unknown, err))
			goto done;
	}
	passed_by_move(&set->listing.passed, &edges.passed);
	rc = key_graphs(set, &edges, err);
done:
	listing_release(&edges);
	return rc;
}

static int fill(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	return files_reader_fill(reader, plan, find_graphs, err);
}

const struct source_ops source_edges = {
	.name = "edges",
	.summary =
	    "graphs: lists of edges, with features and labels in other files",
	.options = options,
	.options_size = sizeof(struct edges_options),
	.defaults = &defaults,
	.reader = &files_reader,
	.state_size = sizeof(struct folder),
	.fill = fill,
	.needs_path = true,
};
