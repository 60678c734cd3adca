/*
 * html.h - web pages to the text that a reader sees (wraps libxml2).
 *
 * The page is parsed as libxml2 repairs it, from whatever charset it is in
 * (charset.h), by events: no tree is built.  Scripts, styles and what else is
 * not for reading are left out, entities are characters, white space is
 * collapsed, paragraphs are set apart by a newline.
 *
 * Nothing is fetched, no entity is expanded but HTML's own, nothing is printed.
 * What is built to hurt is bounded: elements lie at most PAGE_DEPTH deep, the
 * names of a page are at most some KB, and the page itself HTML_BYTES_MOST.
 *
 * libxml2 allocates for itself (each attribute of an element, for one); all
 * else has a reader, one a worker, that keeps it from page to page.
 */
#ifndef LIB_WEB_HTML_H
#define LIB_WEB_HTML_H

#include "lib/base/bytes.h"
#include "lib/base/library.h"

struct error;
struct html_reader;

enum { HTML_BYTES_MOST = 1 << 28 };

enum html_keep {
	HTML_KEEP_ARTICLE, /* what the page is about (readable.h) */
	HTML_KEEP_ALL,     /* all that is to be seen */
};

struct html_reader *html_reader_new(struct error *err);
void html_reader_free(struct html_reader *reader); /* NULL is fine */

/*
 * *text is valid UTF-8 without white space at its ends; it lives until the
 * next call.  Any bytes are a page; ERROR_LIMIT, ERROR_MEMORY.
 */
int html_reader_run(struct html_reader *reader, struct span file,
    enum html_keep keep, struct span *text, struct error *err);

/* The version of the library, as a session records it. */
void html_library_version(char text[LIBRARY_VERSION]);

#endif
