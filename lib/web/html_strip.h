/*
 * html_strip.h - a web page without what is of no use to its reader: what is
 * in scripts, styles and comments, and all attributes but a few.  That is most
 * of a page, and is found in a fraction of the time that parsing it takes.
 *
 * Tags, attributes and comments end where HTML's own tokenizer ends them.
 * From where one has no end, the page is left as it is.
 */
#ifndef LIB_WEB_HTML_STRIP_H
#define LIB_WEB_HTML_STRIP_H

#include "lib/base/bytes.h"

struct error;

/* Appends the page.  Kept attributes: aria-hidden, class, hidden, id, style. */
int html_strip(struct span page, struct buf *out, struct error *err);

#endif
