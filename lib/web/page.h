/*
 * page.h - a web page as it is read: its visible text cut into blocks
 * (paragraphs, headings, cells), in boxes (divisions, lists, tables ...) that
 * lie in one another.
 *
 * Built by the events of a parser, in order; white space is collapsed on the
 * way.  Everything is kept from page to page and grows when it must.
 */
#ifndef LIB_WEB_PAGE_H
#define LIB_WEB_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/web/html_tag.h"

struct error;

enum { PAGE_DEPTH = 512 }; /* elements in one another; deeper ones are flat */

enum block_kind {
	BLOCK_TEXT, /* straight in a box */
	BLOCK_PARAGRAPH,
	BLOCK_HEADING,
	BLOCK_PRE,
};

struct page_block {
	size_t start, len; /* in the page's text */
	uint32_t box;      /* innermost */
	uint32_t links;    /* bytes in links */
	uint32_t commas;
	enum block_kind kind;
	bool kept;
};

struct page_box {
	uint32_t parent;    /* index, less than its own; of the first its own */
	signed char weight; /* by its element, */
	signed char words;  /* and by class and id */
	unsigned char role; /* enum html_role */
	bool dropped;
	uint32_t blocks, items, boxes; /* in it, at any depth */
	size_t bytes, links, commas;   /* of all text in it, at any depth */
	size_t live;                   /* bytes that are not dropped */
	float score;                   /* of paragraphs near to it */
	float mass;                    /* and of all in it */
};

/* An element that is open. */
struct page_frame {
	uint32_t box;
	unsigned char role; /* enum html_role */
	unsigned char kind; /* enum block_kind, of text in it */
	bool hidden, link, pre;
};

struct page {
	struct buf text; /* of all blocks, one behind the other */
	struct page_block *blocks;
	size_t block_count, block_capacity;
	struct page_box *boxes; /* the first is the page */
	size_t box_count, box_capacity;
	struct page_frame frames[PAGE_DEPTH + 1]; /* the first is the page */
	unsigned depth;                           /* of the innermost */
	size_t block_start;
	uint32_t block_links;
	unsigned char pending; /* white space not yet written */
	bool failed;           /* out of memory: nothing more is added */
};

/* What an element says of itself, besides its name. */
struct page_look {
	int words; /* of class and id */
	bool hidden;
};

int page_begin(struct page *page, struct error *err);
/* An element; more than PAGE_DEPTH in one another are refused: false. */
bool page_open(struct page *page, const struct html_tag *tag,
    const struct page_look *look, struct error *err);
void page_close(struct page *page, struct error *err);
void page_text(struct page *page, struct span text, struct error *err);
/* Ends what is open. */
void page_end(struct page *page, struct error *err);
void page_release(struct page *page);

/* The text of a block. */
struct span page_block_text(
    const struct page *page, const struct page_block *block);

#endif
