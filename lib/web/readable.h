/*
 * readable.h - which blocks of a page are what the page is about.
 *
 * Paragraphs speak for the boxes around them, the longer and the more commas
 * they have; links speak against a box.  The box with the best score is where
 * the article is; blocks in it that are links, forms or lists of them are left
 * out, boxes beside it that look like it are taken in.
 */
#ifndef LIB_WEB_READABLE_H
#define LIB_WEB_READABLE_H

#include "lib/web/html.h"
#include "lib/web/page.h"

/* Appends the text of the blocks that are kept, a newline between them. */
int readable_write(
    struct page *page, enum html_keep keep, struct buf *out, struct error *err);

#endif
