/*
 * url.h - paths that are URLs: s3://BUCKET/KEY, http://HOST/PATH and
 * https://HOST/PATH.  Every other text is a local path, also "http:/x".
 */
#ifndef LIB_FILES_URL_H
#define LIB_FILES_URL_H

#include <stdbool.h>
#include <stddef.h>

/* Is it such a URL? */
bool url_is(const char *path);
/* Returns the bytes of "SCHEME://HOST", the folder of all; 0: no URL. */
size_t url_root(const char *path);
/* Returns the bytes in front of '?', which only http and https have. */
size_t url_path_len(const char *url);
/* Does it contain "USER@" or "USER:PASSWORD@"? */
bool url_has_user(const char *url);

enum { URL_TEXT = 512 };

/*
 * Writes the URL for a message: without user and password, with "?..." in place
 * of the query, which may have a signature.  A longer one is cut.  Returns
 * `text`.
 */
const char *url_text(const char *url, char text[URL_TEXT]);

#endif
