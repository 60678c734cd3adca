/*
 * xml.h - reads small XML documents of programs that may be hostile (wraps
 * libxml2): the answers of object stores.
 *
 * Blanks in front of a document are skipped.  Names of elements come without
 * the prefix of their namespace.  Attributes, comments and instructions are
 * ignored.  A document type is refused, and with it every entity that a
 * document could define.
 */
#ifndef LIB_SYNTAX_XML_H
#define LIB_SYNTAX_XML_H

#include "lib/base/bytes.h"

struct error;

enum {
	XML_BYTES_MOST = 16 << 20, /* in a document */
	XML_TEXT_MOST = 1 << 16,   /* bytes of the text of an element */
	XML_PATH_MOST = 512,       /* bytes of a path with its NUL */
};

/*
 * An element has ended.  `path` has the names from the root to it, such as
 * "ListBucketResult/Contents/Key".  `text` is its text, "" for an element that
 * has elements.  Both are valid during the call.  Returns 0, or -1 to stop.
 */
typedef int xml_visit(
    void *arg, const char *path, const char *text, struct error *err);

/*
 * Visits each element when it ends, the root last.  ERROR_DATA "line 3: ..."
 * for what is not well-formed, or exceeds a limit above.
 */
int xml_each(
    struct span document, xml_visit *visit, void *arg, struct error *err);

#endif
