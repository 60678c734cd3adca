/*
 * request.h - one request over HTTP and its answer, over libcurl.
 *
 * A pool keeps handles with their open connections, so that requests one after
 * the other share them.  Many threads may use a pool, one request each.  After
 * a fork the child makes connections of its own.
 *
 * With `retries`, what may be repeated is repeated with growing random waits:
 * no connection, resets, timeouts, answers that are too short, and the statuses
 * 408, 429, 500, 502, 503 and 504 (Retry-After is kept to).  A request must
 * then have the same effect twice: GET, HEAD, PUT and DELETE do, POST does not.
 * A server that does not answer at all is given up within a minute.
 *
 * A connection that moves fewer than HTTP_LEAST_RATE bytes a second for
 * HTTP_SLOW_S counts as broken, and such a request is sent RETRY_SLOW times: a
 * server that drips holds nobody for ever.  POST is exempt, unless the request
 * has a wait of its own: servers send spaces while they work on it, and it ends
 * after HTTP_POST_S.
 *
 * libcurl is loaded at the first request.  The environment has the words that
 * curl takes: http_proxy, https_proxy, no_proxy, CURL_CA_BUNDLE, SSL_CERT_FILE;
 * ~/.netrc has users and passwords.
 */
#ifndef LIB_MEDIA_HTTP_REQUEST_H
#define LIB_MEDIA_HTTP_REQUEST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct http_pool;
struct http_request;
struct http_response;
struct medium_counts;

/* For CURLOPT_AWS_SIGV4; all borrowed.  Whoever owns them wipes them. */
struct http_sign {
	const char *provider; /* "aws:amz:REGION:SERVICE"; NULL: not signed */
	const char *user, *password;
	const char *token; /* sent as x-amz-security-token; NULL: none */
};

enum {
	HTTP_VERSION_TEXT = 80, /* bytes of an ETag that are kept */
	HTTP_HEADERS_MOST = 12,
	HTTP_WANTED = 2, /* headers of an answer that a request names */
	HTTP_BODY_MOST = 64
	                 << 20, /* bytes of a body that is kept in a buffer */
	HTTP_LAST_MS = 10000,
	HTTP_LEAST_RATE = 1000, /* bytes a second */
	HTTP_SLOW_S = 30,
	HTTP_POST_S = 600,
};

/*
 * Where the bytes of a successful answer go.  `begin` is called before them,
 * for each attempt that is answered with 200 to 299, and may refuse the answer;
 * `put` takes the bytes.  Both return 0; -1 with `err` set; or HTTP_AGAIN with
 * `err` set: the answer contradicts itself or the request, so it is tried
 * again.  `begin` may return HTTP_ENOUGH: the bytes are not wanted.
 */
enum { HTTP_ENOUGH = 1, HTTP_AGAIN = 2 };

struct http_sink {
	int (*begin)(
	    void *arg, const struct http_response *response, struct error *err);
	int (*put)(void *arg, struct span bytes, struct error *err);
	void *arg;
};

/*
 * Asks the user of a request what to do after a status of 300 or more that is
 * not followed (signed requests follow nothing), before the rule of retries: 1:
 * repeat it at once (credentials were renewed, and `request` changed), 0: go
 * on, -1: `err` says what the answer means. `tries` counts the calls for this
 * request, from 1.
 */
typedef int http_refused(void *arg, unsigned tries,
    struct http_request *request, const struct http_response *response,
    struct error *err);

struct http_request {       /* all borrowed; zero: none */
	const char *method; /* "GET", "HEAD", "PUT", "POST", "DELETE" */
	const char *url;    /* as it is sent; its query is sorted for S3 */
	/* Lines "Name: value", up to HTTP_HEADERS_MOST, NULL behind the last.
	 */
	const char *headers[HTTP_HEADERS_MOST + 1];
	const char *if_match; /* sent as If-Match; NULL: none */
	struct span body;     /* for PUT and POST */
	bool has_range;
	uint64_t first, last; /* the range in bytes, inclusive */
	struct http_sign sign;
	bool retries;
	/*
	 * It is sent although the program is interrupted, or the pool hurried,
	 * and given up after HTTP_LAST_MS: for what must not stay on a server.
	 */
	bool outlasts_stop;
	/* Names of headers, for response.wanted; NULL: none. */
	const char *wanted[HTTP_WANTED];
	/* A status is expected and no error: 404, 412, */
	bool takes_missing, takes_failed_precondition;
	bool takes_bad_range;    /* 416 */
	const atomic_bool *stop; /* ends it as an interrupt does; NULL: none */
	const struct http_sink *sink; /* NULL: the body goes to response.body */
	http_refused *refused;        /* NULL: statuses are judged by rule */
	void *refused_arg;
	/* Longest wait for an answer, and for a drip; 0: the pool's. */
	unsigned answer_ms;
};

struct http_response {
	long status;                  /* that the last attempt got */
	char etag[HTTP_VERSION_TEXT]; /* as sent, with quotes; "": none */
	char last_modified[HTTP_VERSION_TEXT];
	/* Values of request.wanted; "": not sent, or longer. */
	char wanted[HTTP_WANTED][HTTP_VERSION_TEXT];
	char encoding[32]; /* Content-Encoding; "": none */
	bool is_chunked;   /* Transfer-Encoding: its end is marked */
	bool has_length;
	uint64_t length; /* Content-Length */
	/* Content-Range of 206 and 416: first and last are of 206 only. */
	bool has_range, has_total;
	uint64_t first, last, total;
	int64_t retry_after_s;      /* -1: not sent */
	int64_t date_s, modified_s; /* since 1970; -1: not sent */
	struct buf body;            /* owned; of an error the first 64 KiB */
	unsigned attempts;          /* requests that were sent */
	uint64_t first_byte_ns, whole_ns; /* times of the last attempt */
};

#define HTTP_RESPONSE_INIT                                           \
	{                                                            \
		.body = BUF_INIT, .retry_after_s = -1, .date_s = -1, \
		.modified_s = -1,                                    \
	}

/* `counts` (may be NULL) gets each request and the bytes of bodies. */
struct http_pool *http_pool_new(
    struct medium_counts *counts, struct error *err);
void http_pool_free(struct http_pool *pool); /* NULL is fine */
/* While hurried, requests end with ERROR_INTERRUPTED: see medium_hurry. */
void http_pool_hurry(struct http_pool *pool, bool begin);

/*
 * Performs a request.  Returns 0 for a status of 200 to 299, and for those that
 * the request takes; response->status has it.  Else "URL: ..." with the status
 * or the reason: ERROR_SYSTEM, ERROR_DATA where an answer contradicts itself,
 * ERROR_INTERRUPTED.  No message has a user, a password or a query.
 */
int http_perform(struct http_pool *pool, struct http_request *request,
    struct http_response *response, struct error *err);
/* Empty and usable again. */
void http_response_release(struct http_response *response);

#endif
