/*
 * charset.h - converts web pages from any charset to UTF-8.
 *
 * The charset is that of the byte order mark, else of a <meta> near the start,
 * else UTF-8 if the page is valid UTF-8, else windows-1252.  Labels have the
 * meaning that browsers give them ("iso-8859-1" is windows-1252).
 */
#ifndef LIB_WEB_CHARSET_H
#define LIB_WEB_CHARSET_H

#include "lib/base/bytes.h"

struct error;
struct charset; /* use one per worker: keeps the last converter open */

enum { CHARSET_NAME = 32 };

struct charset *charset_new(struct error *err);
void charset_free(struct charset *charset); /* NULL is fine */

/*
 * Sets *text to the page as valid UTF-8, without byte order mark and NULs;
 * invalid bytes become U+FFFD.  It is a view of the page if nothing changes,
 * else of memory that is valid until the next call.
 */
int charset_decode(struct charset *charset, struct span page, struct span *text,
    struct error *err);

#endif
