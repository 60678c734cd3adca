/*
 * web_page.h - a made-up web page around an article: menus, styles, scripts,
 * icons, teasers, a footer, as much of them as real pages have.
 */
#ifndef DATASETS_GENERATORS_WEB_PAGE_H
#define DATASETS_GENERATORS_WEB_PAGE_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/base/random.h"

struct error;
struct lexicon;

enum { WEB_PAGE_BYTES = 42700 }; /* of one, on average */

/* A page that is being written. */
struct web_page {
	const struct lexicon *lexicon; /* borrowed */
	struct random random;
	struct buf *out; /* borrowed */
	struct error *err;
	unsigned icons; /* so far: their ids */
	bool failed;    /* out of memory */
};

/*
 * Appends the page of an article: its headline, a newline, its paragraphs.  In
 * some pages what is not ASCII is written as references.
 */
int web_page_write(struct web_page *page, struct span article);

#endif
