/*
 * readable.h - finds the main article of a page.
 *
 * Paragraphs add to the score of the boxes around them, more so if they are
 * long and have commas; links reduce it.  The box with the best score contains
 * the article.  Its links, forms and lists of links are left out; similar boxes
 * beside it are included.
 */
#ifndef LIB_WEB_READABLE_H
#define LIB_WEB_READABLE_H

#include "lib/web/html.h"
#include "lib/web/page.h"

/* Appends the text of the kept blocks, separated by newlines. */
int readable_write(
    struct page *page, enum html_keep keep, struct buf *out, struct error *err);

#endif
