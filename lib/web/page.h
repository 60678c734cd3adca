/*
 * page.h - a web page: its visible text in blocks (paragraphs, headings,
 * cells), which lie in nested boxes (divisions, lists, tables ...).
 *
 * It is built from the events of a parser, in order, and collapses white space.
 * Its memory is reused from page to page.
 */
#ifndef LIB_WEB_PAGE_H
#define LIB_WEB_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/web/html_tag.h"

struct error;

enum { PAGE_DEPTH = 512 }; /* deepest nesting; deeper elements are flattened */

enum block_kind {
	BLOCK_TEXT, /* directly in a box */
	BLOCK_PARAGRAPH,
	BLOCK_HEADING,
	BLOCK_PRE,
};

struct page_block {
	size_t start, len; /* range in the page's text */
	uint32_t box;      /* index of the innermost box */
	uint32_t links;    /* bytes within links */
	uint32_t commas;
	enum block_kind kind;
	bool kept;
};

struct page_box {
	uint32_t parent;    /* less than its own index; the first: itself */
	signed char weight; /* weight of its element */
	signed char words;  /* weight of its class and id */
	unsigned char role; /* enum html_role */
	bool dropped;
	uint32_t blocks, items, boxes; /* numbers in it, at any depth */
	size_t bytes, links, commas;   /* sums over its text, at any depth */
	size_t live;                   /* bytes that are not dropped */
	float score;                   /* own and nearby paragraphs */
	float mass;                    /* score of everything in it */
};

/* An open element. */
struct page_frame {
	uint32_t box;
	unsigned char role; /* enum html_role */
	unsigned char kind; /* an enum block_kind, for text in it */
	bool hidden, link, pre;
};

struct page {
	struct buf text; /* text of all blocks */
	struct page_block *blocks;
	size_t block_count, block_capacity;
	struct page_box *boxes; /* the first is the page */
	size_t box_count, box_capacity;
	struct page_frame frames[PAGE_DEPTH + 1]; /* the first is the page */
	unsigned depth;                           /* nesting of the innermost */
	size_t block_start;
	uint32_t block_links;
	unsigned char pending; /* white space to be written */
	bool failed;           /* out of memory: nothing is added any more */
};

/* Properties of an element besides its name. */
struct page_look {
	int words; /* weight of class and id */
	bool hidden;
};

int page_begin(struct page *page, struct error *err);
/* Begins an element; false if it would be nested deeper than PAGE_DEPTH. */
bool page_open(struct page *page, const struct html_tag *tag,
    const struct page_look *look, struct error *err);
void page_close(struct page *page, struct error *err);
void page_text(struct page *page, struct span text, struct error *err);
/* Ends all open elements. */
void page_end(struct page *page, struct error *err);
void page_release(struct page *page);

/* Returns the text of a block. */
struct span page_block_text(
    const struct page *page, const struct page_block *block);

#endif
