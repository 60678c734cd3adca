/* lmdb_maker.c - see lmdb_maker.h. */
#include "test/unit/lmdb_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

enum {
	HEAD = 16, /* of a page */
	NODE = 8,  /* head of a node */
	TREE = 48, /* description of a tree */
	PAGE_BRANCH = 1,
	PAGE_LEAF = 2,
	PAGE_LARGE = 4,
	PAGE_META = 8,
	NODE_LARGE = 1,
	NODE_TREE = 2,
};

/* A page that has been written, with its first key in `keys`. */
struct child {
	uint64_t page;
	size_t key_at, key_len;
};

/* All pages of a level of the tree. */
struct level {
	struct child *children;
	size_t count, capacity;
	struct buf keys;
};

struct lmdb_maker {
	FILE *file;
	const char *path; /* borrowed */
	uint32_t page_bytes;
	unsigned flags;
	uint64_t pages; /* so far */
	uint64_t entries;
	unsigned char *page; /* the one that is being filled */
	unsigned lower, upper;
	struct level level; /* of the pages that are being written */
};

static void put(unsigned char *at, uint64_t value, size_t len)
{
	memcpy(at, &value, len);
}

static void begin_page(struct lmdb_maker *maker)
{
	memset(maker->page, 0, maker->page_bytes);
	maker->lower = HEAD;
	maker->upper = maker->page_bytes;
}

static int write_out(
    struct lmdb_maker *maker, const void *data, size_t len, struct error *err)
{
	if (fwrite(data, 1, len, maker->file) == len)
		return 0;
	return error_errno(err, "write", maker->path);
}

struct lmdb_maker *lmdb_maker_new(
    const char *path, uint32_t page_bytes, unsigned flags, struct error *err)
{
	struct lmdb_maker *maker = memory_zeroed(sizeof(*maker), err);

	if (!maker)
		return NULL;
	maker->path = path;
	maker->page_bytes = page_bytes;
	maker->flags = flags;
	maker->pages = 2;
	maker->page = memory_zeroed(page_bytes, err);
	maker->file = fopen(path, "wb");
	if (!maker->file)
		error_errno(err, "create", path);
	if (maker->page && maker->file &&
	    write_out(maker, maker->page, page_bytes, err) == 0 &&
	    write_out(maker, maker->page, page_bytes, err) == 0) {
		begin_page(maker);
		return maker;
	}
	lmdb_maker_free(maker);
	return NULL;
}

/* Notes a page of the level, before its first node is added. */
static int add_child(
    struct level *level, uint64_t page, struct span key, struct error *err)
{
	struct child *children = array_grow(level->children, &level->capacity,
	    level->count + 1, sizeof(*children), err);

	if (!children)
		return -1;
	level->children = children;
	children[level->count++] = (struct child){
		.page = page,
		.key_at = level->keys.len,
		.key_len = key.len,
	};
	return buf_append(&level->keys, key.data, key.len, err);
}

/* Writes the page, and gives its number to its entry in the level. */
static int end_page(struct lmdb_maker *maker, unsigned flags, struct error *err)
{
	if (maker->lower == HEAD)
		return 0;
	maker->level.children[maker->level.count - 1].page = maker->pages;
	put(maker->page, maker->pages++, 8);
	put(maker->page + 10, flags, 2);
	put(maker->page + 12, maker->lower, 2);
	put(maker->page + 14, maker->upper, 2);
	if (write_out(maker, maker->page, maker->page_bytes, err))
		return -1;
	begin_page(maker);
	return 0;
}

/* A node: `head` is what LMDB has in its first six bytes. */
struct node {
	uint64_t head;
	struct span key, data;
};

static int add_node(struct lmdb_maker *maker, unsigned page_flags,
    const struct node *node, struct span first, struct error *err)
{
	const size_t bytes =
	    (NODE + node->key.len + node->data.len + 1) & ~(size_t)1;
	unsigned char *at;

	if (maker->upper - maker->lower < bytes + 2 &&
	    end_page(maker, page_flags, err))
		return -1;
	if (maker->lower == HEAD && add_child(&maker->level, 0, first, err))
		return -1;
	maker->upper -= (unsigned)bytes;
	put(maker->page + maker->lower, maker->upper, 2);
	maker->lower += 2;
	at = maker->page + maker->upper;
	put(at, node->head, 6);
	put(at + 6, node->key.len, 2);
	if (node->key.len)
		memcpy(at + NODE, node->key.data, node->key.len);
	if (node->data.len)
		memcpy(
		    at + NODE + node->key.len, node->data.data, node->data.len);
	return 0;
}

/* ---- values ---- */

static int write_large(
    struct lmdb_maker *maker, struct span value, struct error *err)
{
	const uint64_t pages =
	    (HEAD + value.len + maker->page_bytes - 1) / maker->page_bytes;
	const size_t left =
	    (size_t)pages * maker->page_bytes - HEAD - value.len;
	unsigned char head[HEAD] = { 0 };
	unsigned char *zeros = calloc(1, left + 1);
	int rc = zeros ? 0 : error_memory(err, left);

	put(head, maker->pages, 8);
	put(head + 10, PAGE_LARGE, 2);
	put(head + 12, pages, 4);
	maker->pages += pages;
	if (rc == 0)
		rc = write_out(maker, head, sizeof(head), err);
	if (rc == 0)
		rc = write_out(maker, value.data, value.len, err);
	if (rc == 0)
		rc = write_out(maker, zeros, left, err);
	free(zeros);
	return rc;
}

int lmdb_maker_add(struct lmdb_maker *maker, struct span key, struct span value,
    struct error *err)
{
	const size_t most = (((maker->page_bytes - HEAD) / 2) & ~1U) - 2;
	struct node node = { .head = value.len, .key = key, .data = value };
	unsigned char page[8];

	maker->entries++;
	if (NODE + key.len + value.len > most) {
		put(page, maker->pages, sizeof(page));
		node.head |= (uint64_t)NODE_LARGE << 32;
		node.data = (struct span){ page, sizeof(page) };
		if (write_large(maker, value, err))
			return -1;
	}
	return add_node(maker, PAGE_LEAF, &node, key, err);
}

int lmdb_maker_add_database(
    struct lmdb_maker *maker, const char *name, struct error *err)
{
	unsigned char tree[TREE] = { 0 };
	const struct node node = {
		.head = TREE | (uint64_t)NODE_TREE << 32,
		.key = span_text(name),
		.data = { tree, TREE },
	};

	maker->entries++;
	put(tree + 40, UINT64_MAX, 8);
	return add_node(maker, PAGE_LEAF, &node, node.key, err);
}

/* ---- the end ---- */

static void release_level(struct level *level)
{
	free(level->children);
	buf_release(&level->keys);
	*level = (struct level){ .children = NULL };
}

/* Writes the branches above a level, which are the next level. */
static int write_branches(struct lmdb_maker *maker, struct error *err)
{
	struct level below = maker->level;
	int rc = 0;

	maker->level = (struct level){ .children = NULL };
	for (size_t i = 0; rc == 0 && i < below.count; i++) {
		const struct child *child = &below.children[i];
		const struct span first = { below.keys.data + child->key_at,
			child->key_len };
		struct node node = { .head = child->page, .key = first };

		/* The first key of a branch is not compared, and is empty. */
		if (maker->lower == HEAD)
			node.key.len = 0;
		rc = add_node(maker, PAGE_BRANCH, &node, first, err);
	}
	if (rc == 0)
		rc = end_page(maker, PAGE_BRANCH, err);
	release_level(&below);
	return rc;
}

static int write_meta(
    struct lmdb_maker *maker, unsigned number, int depth, struct error *err)
{
	unsigned char *at = maker->page;

	begin_page(maker);
	put(at, number, 8);
	put(at + 10, PAGE_META, 2);
	put(at + HEAD, 0xBEEFC0DE, 4);
	put(at + HEAD + 4, 1, 4);
	put(at + HEAD + 16, maker->pages * maker->page_bytes, 8);
	put(at + HEAD + 24, maker->page_bytes, 4);
	put(at + HEAD + 24 + 40, UINT64_MAX, 8);
	put(at + HEAD + 72 + 40, UINT64_MAX, 8);
	if (number == 1 && depth) { /* the later transaction */
		put(at + HEAD + 72 + 4, maker->flags, 2);
		put(at + HEAD + 72 + 6, (uint64_t)depth, 2);
		put(at + HEAD + 72 + 32, maker->entries, 8);
		put(at + HEAD + 72 + 40, maker->level.children[0].page, 8);
	}
	put(at + HEAD + 120, maker->pages - 1, 8);
	put(at + HEAD + 128, number, 8);
	return write_out(maker, at, maker->page_bytes, err);
}

int lmdb_maker_end(struct lmdb_maker *maker, struct error *err)
{
	int depth = maker->entries > 0;

	if (end_page(maker, PAGE_LEAF, err))
		return -1;
	for (; maker->level.count > 1; depth++)
		if (write_branches(maker, err))
			return -1;
	if (fseek(maker->file, 0, SEEK_SET))
		return error_errno(err, "seek in", maker->path);
	if (write_meta(maker, 0, depth, err) ||
	    write_meta(maker, 1, depth, err))
		return -1;
	if (fflush(maker->file))
		return error_errno(err, "write", maker->path);
	return depth;
}

void lmdb_maker_free(struct lmdb_maker *maker)
{
	if (!maker)
		return;
	if (maker->file)
		fclose(maker->file);
	release_level(&maker->level);
	free(maker->page);
	free(maker);
}
