/*
 * lmdb.h - the pages of an LMDB file: a tree of keys and values.
 *
 * A file is pages of one size. Pages 0 and 1 describe it: the one of the later
 * transaction counts. Numbers are little endian, and those of pages have 64
 * bits. Every other page of the tree is
 *
 *   u64 NUMBER  u16 -  u16 FLAGS  u16 LOWER  u16 UPPER
 *   u16 NODE[(LOWER - 16) / 2]     where its nodes begin, in the order of keys
 *
 * A node of a branch has the number of a page, and a node of a leaf has a key
 * and a value. A value too large for a leaf lies behind the head of pages of
 * its own, which follow each other. A program that writes copies the pages that
 * it changes, and uses old ones again two transactions later.
 *
 * The functions here parse bytes that anybody may have written. A page is
 * checked as a whole, and a node when it is taken.
 */
#ifndef LIB_FORMATS_LMDB_H
#define LIB_FORMATS_LMDB_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum {
	LMDB_META = 152, /* bytes at the start of pages 0 and 1 */
	LMDB_HEAD = 16,  /* bytes in front of each page, or of a large value */
	LMDB_PAGE_LEAST = 256,
	LMDB_PAGE_MOST = 32768,
	LMDB_DEPTH_MOST = 32,
};

/* Flags of a tree. */
enum { LMDB_DUPLICATES = 0x04, LMDB_INTEGER_KEYS = 0x08 };

struct lmdb_tree {
	uint64_t root;    /* number of its page */
	uint64_t entries; /* keys */
	unsigned depth;   /* pages from root to leaf; 0: it is empty */
	unsigned flags;
};

struct lmdb_meta {
	uint32_t page_bytes;
	uint64_t pages; /* pages that may be used; the file may be longer */
	uint64_t transaction;
	struct lmdb_tree main;
};

/* Parses the start of page 0, or of page 1; ERROR_DATA. */
int lmdb_meta_parse(
    struct span bytes, struct lmdb_meta *meta, struct error *err);

struct lmdb_page {
	const unsigned char *data; /* borrowed */
	size_t bytes;
	unsigned count; /* nodes */
	bool is_leaf;
};

int lmdb_page_parse(struct span bytes, uint64_t number, struct lmdb_page *page,
    struct error *err);
/* Takes the page number of node `i` of a branch. */
int lmdb_take_child(const struct lmdb_page *page, unsigned i, uint64_t *child,
    struct error *err);

struct lmdb_node {
	struct span key;
	uint64_t bytes;    /* length of the value */
	struct span value; /* data NULL: it lies on pages of its own */
	uint64_t page;     /* the first of these, 2 or more; else 0 */
	bool is_tree;      /* the value is another database */
	bool is_several;   /* there are several values */
};

/* Takes node `i` of a leaf. */
int lmdb_take_node(const struct lmdb_page *page, unsigned i,
    struct lmdb_node *node, struct error *err);
/* Parses the value of a node that is another database. */
int lmdb_tree_parse(
    struct span value, struct lmdb_tree *tree, struct error *err);
/* Returns the pages that a value of so many bytes takes, with its head. */
uint64_t lmdb_value_pages(uint32_t page_bytes, uint64_t bytes);
/* Checks the head in front of a value that has pages of its own. */
int lmdb_check_head(const unsigned char head[LMDB_HEAD], uint64_t number,
    uint64_t pages, struct error *err);

#endif
