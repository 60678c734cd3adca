/*
 * lmdb_file.h - the LMDB file of the source `lmdb` (lib/formats/lmdb.h): its
 * description, and the pages of its tree that have the keys.
 *
 * The file is read through a medium, and without LMDB's locks: nothing is
 * written beside it. So another program must not write to it meanwhile.
 * lmdb_file_judge tells whether one has.  It is called behind each read, and
 * where values are mapped, before a batch of them is handed on.
 */
#ifndef DATASETS_TABLES_LMDB_FILE_H
#define DATASETS_TABLES_LMDB_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/files/field_names.h"
#include "lib/base/bytes.h"
#include "lib/files/glob.h"
#include "lib/formats/lmdb.h"
#include "lib/sample/sample.h"

struct error;
struct medium_file;

/* The kind of all values. */
enum lmdb_kind {
	LMDB_VALUES,       /* files, or anything else */
	LMDB_DATUM_FILES,  /* a Datum with a file in it */
	LMDB_DATUM_ARRAYS, /* a Datum with elements */
};

/* The keys whose values are a field. */
struct lmdb_list {
	char pattern[FIELD_NAMES_MAX]; /* with a '*'; "": `match` chooses */
	size_t star;                   /* bytes before the '*' */
	/* Samples of all earlier leaves, and at the end of all; owned. */
	uint64_t *before;
	uint64_t samples;
	uint64_t hash; /* covers the samples' keys, in their order */
};

struct lmdb { /* all 0 at first */
	struct lmdb_meta meta;
	struct lmdb_tree tree; /* the database that is read */
	uint64_t file_pages;   /* whole pages of the file */
	enum lmdb_kind kind;
	struct glob_list match; /* keys that are samples; none: all */
	struct lmdb_list lists[FIELDS_MAX]; /* as many samples in each */
	unsigned list_count;
	uint64_t *leaves; /* their pages, in the order of keys; owned */
	size_t leaf_count;
	int64_t *labels;  /* by the number of the sample; owned; or NULL */
	uint64_t skipped; /* keys that are a dataset's own bookkeeping */
	bool is_far;
	/* The open file, owned, to ask whether it changed; or NULL. */
	struct medium_file *watched;
	atomic_bool is_mapped; /* a part of it was mapped */
};

/* Reads pages 0 and 1 into lmdb->meta, and takes the main database. */
int lmdb_file_open(
    struct lmdb *lmdb, struct medium_file *file, struct error *err);
/*
 * Returns `rc`, the outcome of reading, or fails if a program has written since
 * the file was opened: that explains any damage. A far file tells that itself.
 */
int lmdb_file_judge(const struct lmdb *lmdb, struct medium_file *file, int rc,
    struct error *err);
/*
 * Gets page numbers[0]. Where the pages behind it are numbers[1] and so on, up
 * to `count` of them are read with it. `window` keeps them, and is empty at
 * first; the page points into it.
 */
int lmdb_get_page(const struct lmdb *lmdb, struct medium_file *file,
    const uint64_t *numbers, size_t count, struct buf *window,
    struct lmdb_page *page, struct error *err);
/* Lists the leaves of lmdb->tree. */
int lmdb_find_leaves(struct lmdb *lmdb, struct medium_file *file,
    struct buf *window, struct error *err);
/*
 * Is the key one of the list? Then *key becomes the sample's, which is what the
 * '*' of the pattern stands for.
 */
bool lmdb_is_sample(
    const struct lmdb *lmdb, const struct lmdb_list *list, struct span *key);
/* Is it bookkeeping of the program that wrote it, as __len__ is? */
bool lmdb_is_bookkeeping(struct span key);
/* Appends a key as text: printable as it is, a number, or in hex. */
int lmdb_put_key(const struct lmdb *lmdb, struct span key, struct buf *out,
    struct error *err);
void lmdb_release(struct lmdb *lmdb);

#endif
