/*
 * html.h - extracts the visible text of web pages (wraps libxml2).
 *
 * The page is decoded from any charset (charset.h), and parsed and repaired by
 * libxml2, by events, without a tree.  Scripts, styles and other invisible
 * content are removed, entities become characters, white space is collapsed,
 * and paragraphs are separated by newlines.
 *
 * Nothing is fetched or printed, and no entities are expanded but those of
 * HTML.  Malicious pages are bounded: elements are nested at most PAGE_DEPTH
 * deep, names take at most some KB, and a page HTML_BYTES_MOST.
 *
 * libxml2 allocates memory of its own (for each attribute, for example).  All
 * other memory belongs to a reader, which reuses it; use one per worker.
 */
#ifndef LIB_WEB_HTML_H
#define LIB_WEB_HTML_H

#include "lib/base/bytes.h"
#include "lib/base/library.h"

struct error;
struct html_reader;

enum { HTML_BYTES_MOST = 1 << 28 };

enum html_keep {
	HTML_KEEP_ARTICLE, /* the main article (readable.h) */
	HTML_KEEP_ALL,     /* all visible text */
};

struct html_reader *html_reader_new(struct error *err);
void html_reader_free(struct html_reader *reader); /* NULL is fine */

/*
 * Sets *text to valid UTF-8 without white space at its ends, valid until the
 * next call.  Any bytes are accepted; ERROR_LIMIT, ERROR_MEMORY.
 */
int html_reader_run(struct html_reader *reader, struct span file,
    enum html_keep keep, struct span *text, struct error *err);

/* The version of the library, as a session records it. */
void html_library_version(char text[LIBRARY_VERSION]);

#endif
