/*
 * web_page.h - makes up a web page around an article: menus, styles, scripts,
 * icons, teasers and a footer, as many as on real pages.
 */
#ifndef DATASETS_GENERATORS_WEB_PAGE_H
#define DATASETS_GENERATORS_WEB_PAGE_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/base/random.h"

struct error;
struct lexicon;

enum { WEB_PAGE_BYTES = 42700 }; /* average length of a page */

/* A page that is being written. */
struct web_page {
	const struct lexicon *lexicon; /* borrowed */
	struct random random;
	struct buf *out; /* borrowed */
	struct error *err;
	unsigned icons; /* icons so far, for their ids */
	bool failed;    /* out of memory */
};

/*
 * Appends the page of an article, which is a headline, a newline, and
 * paragraphs. Some pages write non-ASCII characters as references.
 */
int web_page_write(struct web_page *page, struct span article);

#endif
