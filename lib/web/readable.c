/*
 * readable.c - see readable.h.
 *
 * A box comes before the boxes in it.  So a backward sweep adds up their
 * content, and a forward sweep passes decisions down.
 */
#include "lib/web/readable.h"
enum {
	SPEAKS = 25,    /* least bytes of a paragraph that counts */
	LEVELS = 5,     /* surrounding boxes that get part of its score */
	LONG_TEXT = 80, /* least bytes of a paragraph kept on its own */
	NOT_WANTED = -20,
	LEAST = 10, /* least score of a box beside the best one */
	FEW_COMMAS = 10,
};

/* A surrounding box is better if it adds more than this to the score ... */
static const float more_by = 0.2f;
/* ... with at least this part of the score per byte. */
static const float as_dense = 0.7f;

static bool is_link(size_t links, size_t bytes, float most)
{
	return (float)links > most * (float)bytes;
}

static float link_share(size_t links, size_t bytes)
{
	return bytes ? (float)links / (float)bytes : 0;
}

static void add_up(struct page *page)
{
	struct page_box *boxes = page->boxes;

	for (size_t i = 0; i < page->block_count; i++) {
		const struct page_block *block = &page->blocks[i];
		struct page_box *box = &boxes[block->box];

		box->blocks++;
		box->bytes += block->len;
		box->links += block->links;
		box->commas += block->commas;
	}
	for (size_t i = page->box_count - 1; i > 0; i--) {
		const struct page_box *box = &boxes[i];
		struct page_box *around = &boxes[box->parent];

		around->blocks += box->blocks;
		around->boxes += box->boxes + 1;
		around->items += box->items + (box->role == HTML_ITEM);
		around->bytes += box->bytes;
		around->links += box->links;
		around->commas += box->commas;
	}
}

/*
 * Drops what surrounds articles, unless it is most of the page.  The class of a
 * <header> may say that it belongs to the article.
 */
static void drop_asides(struct page *page)
{
	struct page_box *boxes = page->boxes;

	for (size_t i = 1; i < page->box_count; i++) {
		struct page_box *box = &boxes[i];
		const bool unwanted =
		    (box->role == HTML_ASIDE && box->words <= 0) ||
		    box->weight + box->words <= NOT_WANTED;

		box->dropped = boxes[box->parent].dropped ||
		               (unwanted && box->bytes * 2 < boxes[0].bytes);
	}
}

static float block_score(const struct page_block *block)
{
	const float length = (float)block->len / 100;
	const float own = 1 + (float)block->commas + (length < 3 ? length : 3);

	return own * (1 - link_share(block->links, block->len));
}

static void score(struct page *page)
{
	struct page_box *boxes = page->boxes;

	for (size_t i = 0; i < page->block_count; i++) {
		const struct page_block *block = &page->blocks[i];
		uint32_t at = block->box;

		if (block->len < SPEAKS || block->kind == BLOCK_HEADING ||
		    boxes[at].dropped)
			continue;
		for (unsigned level = 0; level < LEVELS && at; level++) {
			const float share = level == 0 ? 1
			                    : level == 1
			                        ? 0.5f
			                        : 1 / (3.0f * (float)level);

			boxes[at].score += block_score(block) * share;
			at = boxes[at].parent;
		}
	}
	for (size_t i = 1; i < page->box_count; i++) {
		struct page_box *box = &boxes[i];

		if (box->score > 0)
			box->score =
			    (box->score + (float)(box->weight + box->words)) *
			    (1 - link_share(box->links, box->bytes));
	}
}

/* Sums up the scores of all that is in a box. */
static void weigh(struct page *page)
{
	struct page_box *boxes = page->boxes;

	for (size_t i = 0; i < page->block_count; i++) {
		const struct page_block *block = &page->blocks[i];
		struct page_box *box = &boxes[block->box];

		if (box->dropped)
			continue;
		box->live += block->len;
		if (block->len >= SPEAKS && block->kind != BLOCK_HEADING)
			box->mass += block_score(block);
	}
	for (size_t i = page->box_count - 1; i > 0; i--) {
		boxes[boxes[i].parent].live += boxes[i].live;
		boxes[boxes[i].parent].mass += boxes[i].mass;
	}
}

/* Is the surrounding box better: more score, and not much less dense? */
static bool is_worth_more(
    const struct page_box *box, const struct page_box *around)
{
	const float more = around->mass - box->mass;
	const float bytes = (float)(around->live - box->live);

	return more > box->mass * more_by &&
	       more * (float)box->live > box->mass * bytes * as_dense;
}

static uint32_t climb(const struct page *page, uint32_t best)
{
	const struct page_box *boxes = page->boxes;
	uint32_t at = best;

	for (uint32_t i = boxes[best].parent; i; i = boxes[i].parent)
		if (is_worth_more(&boxes[at], &boxes[i]))
			at = i;
	return at;
}

/* An item of a list counts for the list. */
static uint32_t best_box(const struct page *page)
{
	const struct page_box *boxes = page->boxes;
	uint32_t best = 0;

	for (uint32_t i = 1; i < page->box_count; i++)
		if (boxes[i].score > boxes[best].score)
			best = i;
	while (boxes[best].role == HTML_ITEM)
		best = boxes[best].parent;
	return best;
}

/* Does it look like a list of links, a form, or a table of these? */
static bool is_clutter(const struct page_box *box)
{
	const float share = link_share(box->links, box->bytes);

	if (box->dropped)
		return true;
	if (box->weight + box->words < 0 && box->commas < FEW_COMMAS &&
	    share > 0.3f)
		return true;
	return box->commas < FEW_COMMAS && share > 0.5f;
}

/* Marks the boxes of the article; all others are dropped. */
static void choose(struct page *page, uint32_t best)
{
	struct page_box *boxes = page->boxes;
	const uint32_t around = boxes[best].parent;
	const float enough = boxes[best].score * 0.2f;

	for (uint32_t i = 1; i < page->box_count; i++) {
		struct page_box *box = &boxes[i];

		if (i == best)
			box->dropped = false;
		else if (i > best && !boxes[box->parent].dropped &&
		         (box->parent >= best))
			box->dropped = is_clutter(box);
		else if (box->parent == around && box->score > LEAST &&
		         box->score >= enough)
			box->dropped = is_clutter(box);
		else
			box->dropped = true;
	}
	boxes[0].dropped = true;
	for (size_t i = 0; i < page->block_count; i++) {
		struct page_block *block = &page->blocks[i];

		block->kept = !boxes[block->box].dropped;
		if (block->box == around && block->len >= LONG_TEXT &&
		    !is_link(block->links, block->len, 0.25f))
			block->kept = true;
	}
}

/* Keeps all blocks, or those that are not dropped. */
static void keep(struct page *page, bool also_dropped)
{
	for (size_t i = 0; i < page->block_count; i++) {
		struct page_block *block = &page->blocks[i];

		block->kept = also_dropped || !page->boxes[block->box].dropped;
	}
}

static void keep_article(struct page *page)
{
	uint32_t best;

	add_up(page);
	drop_asides(page);
	score(page);
	weigh(page);
	best = best_box(page);
	if (best)
		choose(page, climb(page, best));
	else
		keep(page, false);
}

int readable_write(struct page *page, enum html_keep wanted, struct buf *out,
    struct error *err)
{
	if (wanted == HTML_KEEP_ALL)
		keep(page, true);
	else
		keep_article(page);
	for (size_t i = 0; i < page->block_count; i++) {
		const struct page_block *block = &page->blocks[i];
		const struct span text = page_block_text(page, block);

		if (!block->kept)
			continue;
		if ((out->len && buf_append(out, "\n", 1, err)) ||
		    buf_append(out, text.data, text.len, err))
			return -1;
	}
	return 0;
}
