/*
 * html_strip.h - removes from a web page what its reader does not see: the
 * content of scripts, styles and comments, and most attributes.  This is most
 * of a page, and takes a fraction of the time of parsing it.
 *
 * Tags, attributes and comments end as in HTML's tokenizer.  If one has no end,
 * the page is unchanged from there on.
 */
#ifndef LIB_WEB_HTML_STRIP_H
#define LIB_WEB_HTML_STRIP_H

#include "lib/base/bytes.h"

struct error;

/* Appends the page.  Kept attributes: aria-hidden, class, hidden, id, style. */
int html_strip(struct span page, struct buf *out, struct error *err);

#endif
