/*
 * curl_options.h - a request as options and headers of libcurl; for use in
 * lib/media/http only.
 */
#ifndef LIB_MEDIA_HTTP_CURL_OPTIONS_H
#define LIB_MEDIA_HTTP_CURL_OPTIONS_H

#include "lib/media/http/curl_library.h"
#include "lib/media/http/request.h"

/*
 * Sets what the request asks for; the callbacks are the caller's.  `headers`
 * and `request` stay until the handle is reset.
 */
void curl_set_request(const struct curl_library *curl, CURL *easy,
    const struct http_request *request, struct curl_slist *headers);

/* Makes the list of headers; to be freed also after an error. */
int curl_make_headers(const struct curl_library *curl,
    const struct http_request *request, struct curl_slist **headers,
    struct error *err);
/* Wipes and frees them: they may have a token. */
void curl_free_headers(
    const struct curl_library *curl, struct curl_slist *headers);

#endif
