/* lmdb.c - see lmdb.h. */
#include "lib/formats/lmdb.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/error.h"

enum {
	MAGIC_AT = LMDB_HEAD,
	VERSION_AT = LMDB_HEAD + 4,
	FREE_AT = LMDB_HEAD + 24, /* tree of the free pages */
	TREE = 48,                /* bytes of a tree's description */
	MAIN_AT = FREE_AT + TREE,
	LAST_AT = MAIN_AT + TREE,
	TRANSACTION_AT = LAST_AT + 8,
	MAGIC_32_AT = 12, /* where programs of 32 bits have the magic number */
	NODE_HEAD = 8,
	META_PAGES = 2, /* pages in front of those of trees and values */
};

/* Flags of a page, and of a node of a leaf. */
enum {
	PAGE_BRANCH = 0x01,
	PAGE_LEAF = 0x02,
	PAGE_LARGE = 0x04,
	PAGE_KINDS = 0x6f, /* all that say what a page is */
	NODE_LARGE = 0x01,
	NODE_TREE = 0x02,
	NODE_SEVERAL = 0x04,
};

static const uint32_t magic = 0xBEEFC0DE, magic_swapped = 0xDEC0EFBE;

static unsigned u16_at(const unsigned char *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint32_t u32_at(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t u64_at(const unsigned char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* ---- the description ---- */

static int parse_tree(
    const unsigned char *at, struct lmdb_tree *tree, struct error *err)
{
	tree->flags = u16_at(at + 4);
	tree->depth = u16_at(at + 6);
	tree->entries = u64_at(at + 32);
	tree->root = u64_at(at + 40);
	if (tree->root == UINT64_MAX)
		tree->depth = 0;
	else if (tree->depth == 0 || tree->depth > LMDB_DEPTH_MOST)
		return error_set(err, ERROR_DATA,
		    "is damaged: a tree of %u levels", tree->depth);
	return 0;
}

int lmdb_tree_parse(
    struct span value, struct lmdb_tree *tree, struct error *err)
{
	if (value.len != TREE || !value.data)
		return error_set(err, ERROR_DATA,
		    "is damaged: %zu bytes describe a database, which has %d",
		    value.len, TREE);
	return parse_tree(value.data, tree, err);
}

static int check_magic(const unsigned char *data, struct error *err)
{
	const uint32_t version = u32_at(data + VERSION_AT);

	if (u32_at(data + MAGIC_AT) == magic_swapped)
		return error_set(err, ERROR_DATA,
		    "was written on a machine of another byte order: copy it "
		    "there with mdb_dump and here with mdb_load");
	if (u32_at(data + MAGIC_32_AT) == magic)
		return error_set(err, ERROR_DATA,
		    "was written by a 32-bit program: copy it there with "
		    "mdb_dump and here with mdb_load");
	if (u32_at(data + MAGIC_AT) != magic)
		return error_set(err, ERROR_DATA, "is no LMDB file");
	if (version != 1)
		return error_set(err, ERROR_DATA,
		    "has version %" PRIu32 " of LMDB's format, and 1 is read",
		    version);
	return 0;
}

int lmdb_meta_parse(
    struct span bytes, struct lmdb_meta *meta, struct error *err)
{
	if (bytes.len < LMDB_META)
		return error_set(err, ERROR_DATA, "is no LMDB file");
	if (check_magic(bytes.data, err))
		return -1;
	meta->page_bytes = u32_at(bytes.data + FREE_AT);
	meta->pages = u64_at(bytes.data + LAST_AT) + 1;
	meta->transaction = u64_at(bytes.data + TRANSACTION_AT);
	if (meta->page_bytes < LMDB_PAGE_LEAST ||
	    meta->page_bytes > LMDB_PAGE_MOST ||
	    (meta->page_bytes & (meta->page_bytes - 1)))
		return error_set(err, ERROR_DATA,
		    "is damaged: pages of %" PRIu32 " bytes", meta->page_bytes);
	if (meta->pages < 2 || meta->pages > INT64_MAX / meta->page_bytes)
		return error_set(err, ERROR_DATA,
		    "is damaged: %" PRIu64 " pages", meta->pages);
	return parse_tree(bytes.data + MAIN_AT, &meta->main, err);
}

/* ---- pages ---- */

static int damaged(uint64_t number, const char *what, struct error *err)
{
	return error_set(
	    err, ERROR_DATA, "is damaged: page %" PRIu64 " %s", number, what);
}

int lmdb_page_parse(struct span bytes, uint64_t number, struct lmdb_page *page,
    struct error *err)
{
	unsigned kind, lower, upper;

	if (bytes.len < LMDB_HEAD || u64_at(bytes.data) != number)
		return damaged(number, "has the number of another one", err);
	kind = u16_at(bytes.data + 10) & PAGE_KINDS;
	lower = u16_at(bytes.data + 12);
	upper = u16_at(bytes.data + 14);
	if (kind != PAGE_BRANCH && kind != PAGE_LEAF)
		return damaged(number, "is no part of a tree", err);
	if (lower < LMDB_HEAD || lower % 2 || lower > upper ||
	    upper > bytes.len)
		return damaged(number, "has nodes that do not fit", err);
	*page = (struct lmdb_page){
		.data = bytes.data,
		.bytes = bytes.len,
		.count = (lower - LMDB_HEAD) / 2,
		.is_leaf = kind == PAGE_LEAF,
	};
	return 0;
}

/* Returns the offset of a node whose head is in the page; 0: it is not. */
static size_t node_at(const struct lmdb_page *page, unsigned i)
{
	const size_t at = u16_at(page->data + LMDB_HEAD + 2 * (size_t)i);

	return at >= LMDB_HEAD && at + NODE_HEAD <= page->bytes ? at : 0;
}

int lmdb_take_child(const struct lmdb_page *page, unsigned i, uint64_t *child,
    struct error *err)
{
	const size_t at = node_at(page, i);

	if (!at || page->is_leaf)
		return damaged(u64_at(page->data), "has a wrong node", err);
	*child = u32_at(page->data + at) | (uint64_t)u16_at(page->data + at + 4)
	                                       << 32;
	return 0;
}

int lmdb_take_node(const struct lmdb_page *page, unsigned i,
    struct lmdb_node *node, struct error *err)
{
	const size_t at = node_at(page, i);
	const unsigned char *data = page->data + at;
	unsigned flags;
	size_t left;

	if (!at || !page->is_leaf)
		return damaged(u64_at(page->data), "has a wrong node", err);
	flags = u16_at(data + 4);
	left = page->bytes - at - NODE_HEAD;
	*node = (struct lmdb_node){
		.key = { data + NODE_HEAD, u16_at(data + 6) },
		.bytes = u32_at(data),
		.is_tree = flags & NODE_TREE,
		.is_several = flags & NODE_SEVERAL,
	};
	if (node->key.len > left)
		return damaged(u64_at(page->data), "has a wrong key", err);
	left -= node->key.len;
	data = node->key.data + node->key.len;
	if ((flags & NODE_LARGE ? sizeof(node->page) : node->bytes) > left)
		return damaged(u64_at(page->data), "has a wrong value", err);
	if (!(flags & NODE_LARGE)) {
		node->value = (struct span){ data, (size_t)node->bytes };
		return 0;
	}
	node->page = u64_at(data);
	return node->page < META_PAGES
	           ? damaged(u64_at(page->data), "has a wrong value", err)
	           : 0;
}

uint64_t lmdb_value_pages(uint32_t page_bytes, uint64_t bytes)
{
	return (LMDB_HEAD + bytes + page_bytes - 1) / page_bytes;
}

int lmdb_check_head(const unsigned char head[LMDB_HEAD], uint64_t number,
    uint64_t pages, struct error *err)
{
	if (u64_at(head) != number ||
	    (u16_at(head + 10) & PAGE_KINDS) != PAGE_LARGE ||
	    u32_at(head + 12) < pages)
		return damaged(number, "does not begin the value", err);
	return 0;
}
