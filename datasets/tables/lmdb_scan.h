/*
 * lmdb_scan.h - looks through all keys of an LMDB file, once: which are
 * samples, their labels, and groups of them (table.h).
 */
#ifndef DATASETS_TABLES_LMDB_SCAN_H
#define DATASETS_TABLES_LMDB_SCAN_H

#include "datasets/tables/table.h"

struct error;
struct medium_file;
struct reader;

/* The keys of the section; of `table` it has label and match. */
struct lmdb_options {
	struct table_options table; /* the first member: see struct table */
	const char *database;
};

/*
 * Reads lmdb->tree or, with `database`, the database of this name in it. Sets
 * leaves, samples and the keys' labels by `rule` (key_rule.h; NULL: none), and
 * adds the groups.
 */
int lmdb_scan(struct reader *reader, struct medium_file *file,
    const char *database, const char *rule, struct error *err);

#endif
