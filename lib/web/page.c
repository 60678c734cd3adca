/* page.c - see page.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/web/page.h"

/* White space to be written before the next letter. */
enum { NOTHING, BLANK, NEWLINE };

static struct page_frame *top(struct page *page)
{
	return &page->frames[page->depth];
}

static int add_box(struct page *page, const struct html_tag *tag,
    const struct page_look *look, struct error *err)
{
	struct page_box *boxes = array_grow(page->boxes, &page->box_capacity,
	    page->box_count + 1, sizeof(*boxes), err);

	if (!boxes)
		return -1;
	page->boxes = boxes;
	boxes[page->box_count++] = (struct page_box){
		.parent = top(page)->box,
		.weight = tag->weight,
		.words = (signed char)(look->words < -50  ? -50
		                       : look->words > 50 ? 50
		                                          : look->words),
		.role = tag->role,
	};
	return 0;
}

int page_begin(struct page *page, struct error *err)
{
	static const struct html_tag root = { "", HTML_BOX, 0 };
	static const struct page_look plain = { .words = 0 };

	page->text.len = 0;
	page->block_count = page->box_count = 0;
	page->depth = 0;
	page->frames[0] = (struct page_frame){ .role = HTML_BOX };
	page->block_start = page->block_links = 0;
	page->pending = NOTHING;
	page->failed = false;
	return add_box(page, &root, &plain, err);
}

/* Counts ',' and U+FF0C, the comma of Chinese and Japanese. */
static uint32_t count_commas(struct span text)
{
	uint32_t commas = 0;

	for (size_t i = 0; i < text.len; i++)
		commas += text.data[i] == ',';
	if (memchr(text.data, 0xef, text.len))
		for (size_t i = 2; i < text.len; i++)
			commas +=
			    memcmp(text.data + i - 2, "\xef\xbc\x8c", 3) == 0;
	return commas;
}

static int end_block(struct page *page, struct error *err)
{
	const struct page_frame *frame = top(page);
	struct page_block block = {
		.start = page->block_start,
		.len = page->text.len - page->block_start,
		.box = frame->box,
		.links = page->block_links,
		.kind = frame->kind,
	};
	struct page_block *blocks;

	page->pending = NOTHING;
	page->block_links = 0;
	page->block_start = page->text.len;
	if (!block.len)
		return 0;
	block.commas = count_commas(page_block_text(page, &block));
	blocks = array_grow(page->blocks, &page->block_capacity,
	    page->block_count + 1, sizeof(*blocks), err);
	if (!blocks)
		return -1;
	page->blocks = blocks;
	blocks[page->block_count++] = block;
	return 0;
}

static enum block_kind kind_in(
    enum html_role role, const struct page_frame *around)
{
	switch (role) {
	case HTML_BLOCK:
		return BLOCK_PARAGRAPH;
	case HTML_HEADING:
		return BLOCK_HEADING;
	case HTML_PRE:
		return BLOCK_PRE;
	case HTML_INLINE:
	case HTML_LINK:
		return around->kind;
	default:
		return BLOCK_TEXT;
	}
}

/* Is it on lines of its own? */
static bool is_apart(unsigned role)
{
	return html_is_box(role) || role == HTML_BLOCK ||
	       role == HTML_HEADING || role == HTML_PRE;
}

bool page_open(struct page *page, const struct html_tag *tag,
    const struct page_look *look, struct error *err)
{
	const enum html_role role = tag->role;
	struct page_frame frame = *top(page);

	if (page->depth == PAGE_DEPTH)
		return false;
	frame.kind = (unsigned char)kind_in(role, top(page));
	frame.role = (unsigned char)role;
	frame.hidden |= role == HTML_HIDDEN || look->hidden;
	frame.link |= role == HTML_LINK;
	frame.pre |= role == HTML_PRE;
	if (!frame.hidden && is_apart(role) && !page->failed)
		page->failed = end_block(page, err) != 0;
	if (!frame.hidden && html_is_box(role) && !page->failed) {
		page->failed = add_box(page, tag, look, err) != 0;
		frame.box = (uint32_t)page->box_count - 1;
	}
	if (!frame.hidden && role == HTML_BREAK)
		page->pending = NEWLINE;
	page->frames[++page->depth] = frame;
	return true;
}

void page_close(struct page *page, struct error *err)
{
	const struct page_frame *frame = top(page);

	if (!page->depth)
		return;
	if (!frame->hidden && is_apart(frame->role) && !page->failed)
		page->failed = end_block(page, err) != 0;
	page->depth--;
}

/* Returns the bytes of the white space at the start of `text`; 0: none. */
static size_t space_bytes(struct span text)
{
	const unsigned char c = text.data[0];

	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return 1;
	return c == 0xc2 && text.len > 1 && text.data[1] == 0xa0 ? 2 : 0;
}

/* Writes the pending blank or newline. */
static int write_pending(struct page *page, struct error *err)
{
	static const char blanks[] = { [BLANK] = ' ', [NEWLINE] = '\n' };
	const bool inside = page->text.len > page->block_start;
	const char blank = blanks[page->pending];

	if (!page->pending)
		return 0;
	page->pending = NOTHING;
	return inside ? buf_append(&page->text, &blank, 1, err) : 0;
}

/* Adds text that begins and ends with a letter. */
static int add_words(
    struct page *page, const unsigned char *at, size_t len, struct error *err)
{
	const size_t before = page->text.len;

	if (write_pending(page, err) || buf_append(&page->text, at, len, err))
		return -1;
	if (top(page)->link)
		page->block_links += (uint32_t)(page->text.len - before);
	return 0;
}

static struct span behind(struct span text, size_t bytes)
{
	return (struct span){ text.data + bytes, text.len - bytes };
}

static struct span skip_spaces(struct page *page, struct span text)
{
	size_t bytes;

	while (text.len && (bytes = space_bytes(text)) > 0) {
		if (*text.data == '\n' && top(page)->pre)
			page->pending = NEWLINE;
		else if (!page->pending)
			page->pending = BLANK;
		text = behind(text, bytes);
	}
	return text;
}

/* Returns how many bytes can be copied: words with single blanks between. */
static size_t clean_bytes(struct span text)
{
	size_t at = 0;

	while (at < text.len) {
		const unsigned char c = text.data[at];

		if (c > ' ' && c != 0xc2)
			at++;
		else if (c == ' ' && at + 1 < text.len &&
		         text.data[at + 1] > ' ' && text.data[at + 1] != 0xc2)
			at += 2;
		else if (space_bytes(behind(text, at)))
			break;
		else
			at++;
	}
	return at;
}

void page_text(struct page *page, struct span text, struct error *err)
{
	if (top(page)->hidden)
		return;
	while (!page->failed && (text = skip_spaces(page, text)).len) {
		const size_t len = clean_bytes(text);

		page->failed = add_words(page, text.data, len, err) != 0;
		text = behind(text, len);
	}
}

void page_end(struct page *page, struct error *err)
{
	while (page->depth)
		page_close(page, err);
	if (!page->failed)
		page->failed = end_block(page, err) != 0;
}

void page_release(struct page *page)
{
	buf_release(&page->text);
	free(page->blocks);
	free(page->boxes);
	*page = (struct page){ .block_count = 0 };
}

struct span page_block_text(
    const struct page *page, const struct page_block *block)
{
	const struct span text = {
		.data = page->text.data + block->start,
		.len = block->len,
	};

	return text;
}
