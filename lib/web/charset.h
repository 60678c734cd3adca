/*
 * charset.h - the bytes of a web page as UTF-8, whatever they are in.
 *
 * Which charset it is: by the byte order mark; else what a <meta> in the first
 * bytes says; else UTF-8 if they are valid as such, and windows-1252 if not.
 * Labels mean what browsers take them for ("iso-8859-1" is windows-1252).
 */
#ifndef LIB_WEB_CHARSET_H
#define LIB_WEB_CHARSET_H

#include "lib/base/bytes.h"

struct error;
struct charset; /* one a worker: keeps the last conversion open */

enum { CHARSET_NAME = 32 };

struct charset *charset_new(struct error *err);
void charset_free(struct charset *charset); /* NULL is fine */

/* What the page says of itself, in lower case; "" when it says nothing. */
void charset_declared(struct span page, char name[CHARSET_NAME]);

/*
 * *text is the page as valid UTF-8 without mark and without NULs, U+FFFD for
 * what could not be read: a view of the page where nothing has to be done,
 * else of memory that lives until the next call.
 */
int charset_decode(struct charset *charset, struct span page, struct span *text,
    struct error *err);

#endif
