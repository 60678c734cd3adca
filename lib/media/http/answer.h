/*
 * answer.h - reads the headers of an answer.  A header that makes no sense
 * counts as not sent.
 */
#ifndef LIB_MEDIA_HTTP_ANSWER_H
#define LIB_MEDIA_HTTP_ANSWER_H

#include "lib/media/http/request.h"

/*
 * Reads one line of the headers, with or without its end.  A status line
 * forgets the headers before it: those of a redirect, or of 100 Continue.
 * `now_s`: seconds since 1970, for a Retry-After that is a date.
 */
void answer_line(struct http_response *response,
    const struct http_request *request, struct span line, int64_t now_s);
/* Forgets status and headers; the body stays. */
void answer_forget(struct http_response *response);

/*
 * Checks the range of an answer with status 206 against the request, whose
 * range begins within the object: it begins where it was asked to, ends at the
 * last byte asked for or at the end of the object, and its length agrees.
 * ERROR_DATA says what contradicts.
 */
int answer_check_range(const struct http_request *request,
    const struct http_response *response, struct error *err);

/*
 * Writes the version of the bytes that the answer is about: its ETag, else
 * Last-Modified, else "".  A weak one begins with "W/": other bytes may have it
 * as well.  Last-Modified has whole seconds, so it is weak unless the answer's
 * Date is ANSWER_SETTLED_S later: bytes that were changed twice in a second
 * have one and the same (RFC 9110, 8.8.2.2).
 */
enum { ANSWER_SETTLED_S = 60 };
void answer_version(
    const struct http_response *response, char version[HTTP_VERSION_TEXT]);

/* "not found" for 404; "" for a status without words. */
const char *answer_words(long status);

#endif
