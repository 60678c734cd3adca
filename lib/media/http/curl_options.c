/* curl_options.c - see curl_options.h. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "lib/media/http/curl_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

enum {
	CONNECT_MS = 10000,
	REDIRECTS_MOST = 8,
	BUFFER_BYTES = 512 << 10,
};

#define SET(option, value) curl->curl_easy_setopt(easy, option, value)

static bool has_body(const struct http_request *request)
{
	return strcmp(request->method, "PUT") == 0 ||
	       strcmp(request->method, "POST") == 0;
}

static void set_method(const struct curl_library *curl, CURL *easy,
    const struct http_request *request)
{
	if (strcmp(request->method, "HEAD") == 0) {
		SET(CURLOPT_NOBODY, 1L);
		return;
	}
	if (!has_body(request)) {
		if (strcmp(request->method, "GET") != 0)
			SET(CURLOPT_CUSTOMREQUEST, request->method);
		return;
	}
	SET(CURLOPT_UPLOAD, 1L);
	SET(CURLOPT_CUSTOMREQUEST, request->method);
	SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->body.len);
	/* Servers may ignore "Expect: 100-continue", which is then waited for.
	 */
	SET(CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
}

/* Signs the request; a redirect would need another signature. */
static void set_signature(const struct curl_library *curl, CURL *easy,
    const struct http_request *request)
{
	if (!request->sign.provider) {
		SET(CURLOPT_FOLLOWLOCATION, 1L);
		SET(CURLOPT_MAXREDIRS, (long)REDIRECTS_MOST);
		SET(CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
		return;
	}
	SET(CURLOPT_AWS_SIGV4, request->sign.provider);
	SET(CURLOPT_USERNAME, request->sign.user);
	SET(CURLOPT_PASSWORD, request->sign.password);
}

/* libcurl itself asks no environment for certificates; curl and AWS do. */
static void set_certificates(
    const struct curl_library *curl, CURL *easy, bool is_signed)
{
	static const char *const names[] = { "AWS_CA_BUNDLE", "CURL_CA_BUNDLE",
		"SSL_CERT_FILE" };
	const char *folder = getenv("SSL_CERT_DIR");

	for (size_t i = is_signed ? 0 : 1; i < ARRAY_LEN(names); i++) {
		const char *file = getenv(names[i]);

		if (file && *file) {
			SET(CURLOPT_CAINFO, file);
			break;
		}
	}
	if (folder && *folder)
		SET(CURLOPT_CAPATH, folder);
}

/* A drip is no answer: see HTTP_LEAST_RATE. */
static void set_least_rate(const struct curl_library *curl, CURL *easy,
    const struct http_request *request)
{
	const long slow_s = request->answer_ms
	                        ? (long)((request->answer_ms + 999) / 1000)
	                        : HTTP_SLOW_S;

	if (strcmp(request->method, "POST") == 0 && !request->answer_ms) {
		SET(CURLOPT_TIMEOUT, (long)HTTP_POST_S);
		return;
	}
	SET(CURLOPT_LOW_SPEED_LIMIT, (long)HTTP_LEAST_RATE);
	SET(CURLOPT_LOW_SPEED_TIME, slow_s);
}

static void set_url(const struct curl_library *curl, CURL *easy,
    const struct http_request *request)
{
	const bool is_safe = strncmp(request->url, "https:", 6) == 0;

	SET(CURLOPT_URL, request->url);
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	/* A request over TLS is not repeated without it. */
	SET(CURLOPT_REDIR_PROTOCOLS_STR, is_safe ? "https" : "http,https");
	SET(CURLOPT_PATH_AS_IS, 1L);
	SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(CURLOPT_USERAGENT, "presto/" PRESTO_VERSION);
}

void curl_set_request(const struct curl_library *curl, CURL *easy,
    const struct http_request *request, struct curl_slist *headers)
{
	char range[64];

	set_url(curl, easy, request);
	set_method(curl, easy, request);
	set_signature(curl, easy, request);
	set_certificates(curl, easy, request->sign.provider != NULL);
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_BUFFERSIZE, (long)BUFFER_BYTES);
	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	set_least_rate(curl, easy, request);
	SET(CURLOPT_TCP_KEEPALIVE, 1L);
	SET(CURLOPT_HTTPHEADER, headers);
	if (request->has_range) {
		snprintf(range, sizeof(range), "%" PRIu64 "-%" PRIu64,
		    request->first, request->last);
		SET(CURLOPT_RANGE, range);
	}
}

#undef SET

static int add_header(const struct curl_library *curl,
    struct curl_slist **headers, const char *name, const char *value,
    struct error *err)
{
	struct buf line = BUF_INIT;
	struct curl_slist *more = NULL;

	if (buf_printf(&line, err, "%s%s%s", name, *name ? ": " : "", value) ==
	    0)
		more =
		    curl->curl_slist_append(*headers, (const char *)line.data);
	if (!more)
		error_memory(err, line.len);
	else
		*headers = more;
	if (line.data)
		explicit_bzero(line.data, line.len);
	buf_release(&line);
	return more ? 0 : -1;
}

/* Frees headers; they may have a token. */
void curl_free_headers(
    const struct curl_library *curl, struct curl_slist *headers)
{
	for (struct curl_slist *at = headers; at; at = at->next)
		explicit_bzero(at->data, strlen(at->data));
	curl->curl_slist_free_all(headers);
}

int curl_make_headers(const struct curl_library *curl,
    const struct http_request *request, struct curl_slist **headers,
    struct error *err)
{
	for (size_t i = 0; request->headers[i]; i++)
		if (add_header(curl, headers, "", request->headers[i], err))
			return -1;
	if (request->if_match &&
	    add_header(curl, headers, "If-Match", request->if_match, err))
		return -1;
	if (request->sign.token &&
	    add_header(curl, headers, "x-amz-security-token",
	        request->sign.token, err))
		return -1;
	/* Every header of a signed request is signed, and proxies change this.
	 */
	if (!request->sign.provider &&
	    add_header(curl, headers, "Accept-Encoding", "identity", err))
		return -1;
	return 0;
}
