/* client.c - see client.h. */
#include "lib/media/s3/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/backends/fork_lock.h"
#include "lib/media/s3/answers.h"
#include "lib/media/s3/credentials.h"
#include "lib/media/s3/keyring.h"

/* The hash of nothing: what is signed of a request without a body. */
#define EMPTY_HASH               \
	"x-amz-content-sha256: " \
	"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/*
 * A body is protected by its checksum, which the server verifies, and by TLS.
 * CRC-32C takes a fifth of the CPU time that SHA-256 does: 9.5 and 1.8 GB/s.
 */
#define UNSIGNED_BODY "x-amz-content-sha256: UNSIGNED-PAYLOAD"

enum {
	BUCKETS_MOST = 16,
	PROVIDER_TEXT = S3_REGION_TEXT + 16,
	REFUSED_MOST = 3, /* times that a request is signed anew */
};

struct bucket_region {
	char bucket[S3_BUCKET_TEXT], region[S3_REGION_TEXT];
};

struct s3_client {
	struct http_pool *pool;
	struct object_address address;
	struct keyring *keyring;
	struct fork_lock lock; /* protects all below: lock_client */
	struct bucket_region buckets[BUCKETS_MOST];
	unsigned bucket_count;
};

/* The child of a fork finds regions anew. */
static void lock_client(struct s3_client *client)
{
	if (fork_lock_take(&client->lock))
		client->bucket_count = 0;
}

/* ---- regions ---- */

static void region_of(
    struct s3_client *client, const char *bucket, char region[S3_REGION_TEXT])
{
	memcpy(region, keyring_region(client->keyring), S3_REGION_TEXT);
	lock_client(client);
	for (unsigned i = 0; i < client->bucket_count; i++)
		if (strcmp(client->buckets[i].bucket, bucket) == 0)
			memcpy(
			    region, client->buckets[i].region, S3_REGION_TEXT);
	fork_lock_give(&client->lock);
}

/* Notes where a bucket lies; the oldest note makes room. */
static void note_region(
    struct s3_client *client, const char *bucket, const char *region)
{
	struct bucket_region *to = NULL;

	lock_client(client);
	for (unsigned i = 0; i < client->bucket_count; i++)
		if (strcmp(client->buckets[i].bucket, bucket) == 0)
			to = &client->buckets[i];
	if (!to)
		to = &client->buckets[client->bucket_count < BUCKETS_MOST
		                          ? client->bucket_count++
		                          : 0];
	snprintf(to->bucket, sizeof(to->bucket), "%s", bucket);
	snprintf(to->region, sizeof(to->region), "%s", region);
	fork_lock_give(&client->lock);
}

/* ---- one request ---- */

/* A request that is signed; made anew when the server wants it otherwise. */
struct signed_request {
	struct s3_client *client;
	struct s3_address address;
	const struct s3_query *query;
	struct credentials *credentials;
	char region[S3_REGION_TEXT], provider[PROVIDER_TEXT];
	struct buf url;
};

static void signed_release(struct signed_request *s)
{
	credentials_give(s->credentials);
	buf_release(&s->url);
}

/* Addresses and signs the request with the newest keys and region. */
static int sign(
    struct signed_request *s, struct http_request *request, struct error *err)
{
	struct s3_endpoint endpoint;
	struct credentials *taken = keyring_take(s->client->keyring, err);

	if (!taken)
		return -1;
	credentials_give(s->credentials);
	s->credentials = taken;
	region_of(s->client, s->address.bucket, s->region);
	endpoint.url = keyring_endpoint(s->client->keyring);
	memcpy(endpoint.region, s->region, sizeof(s->region));
	s->url.len = 0;
	if (s3_url(&endpoint, &s->address, s->query, &s->url, err))
		return -1;
	snprintf(s->provider, sizeof(s->provider), "aws:amz:%s:s3", s->region);
	request->url = (const char *)s->url.data;
	request->sign = (struct http_sign){ .provider = NULL };
	if (taken->key)
		request->sign = (struct http_sign){ .provider = s->provider,
			.user = taken->key,
			.password = taken->secret,
			.token = taken->token };
	return 0;
}

static bool is_one_of(const char *code, const char *const *codes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(code, codes[i]) == 0)
			return true;
	return false;
}

/* Does the refusal, or a header of a HEAD, name another region? */
static bool has_moved(const struct signed_request *s,
    const struct http_response *response, struct s3_refusal *refusal)
{
	if (!*refusal->region && s3_region_is_valid(response->wanted[0]))
		memcpy(refusal->region, response->wanted[0],
		    strlen(response->wanted[0]) + 1);
	return *refusal->region && !keyring_endpoint(s->client->keyring) &&
	       strcmp(refusal->region, s->region) != 0;
}

/* The meaning of a status without words of the server, as after HEAD. */
static const char *words_of(long status)
{
	switch (status) {
	case 401:
	case 403:
		return "access denied";
	case 404:
		return "there is no such object";
	default:
		return "the server refused the request";
	}
}

/* For a refusal of keys, it tells where they came from. */
static int refuse(const struct signed_request *s, long status,
    const struct s3_refusal *refusal, struct error *err)
{
	const struct credentials *keys = s->credentials;
	/* A server might repeat what it was sent. */
	const bool is_shown =
	    *refusal->message &&
	    !(keys->key && strstr(refusal->message, keys->key)) &&
	    !(keys->secret && strstr(refusal->message, keys->secret)) &&
	    !(keys->token && strstr(refusal->message, keys->token));
	const bool about_keys = status == 401 || status == 403;

	return error_set(err, ERROR_SYSTEM, "status %ld %s%s%s%s%s", status,
	    *refusal->code ? refusal->code : words_of(status),
	    is_shown ? ": " : "", is_shown ? refusal->message : "",
	    !about_keys ? ""
	    : keys->key ? "; the key came from "
	                : "; the request was not signed",
	    about_keys && keys->key ? keys->source : "");
}

/* Can another key or region help?  1: signed anew, 0: no, or -1. */
static int sign_anew(struct signed_request *s, struct http_request *request,
    const struct http_response *response, struct s3_refusal *refusal,
    struct error *err)
{
	static const char *const stale[] = { "ExpiredToken",
		"ExpiredTokenException", "InvalidAccessKeyId", "InvalidToken",
		"TokenRefreshRequired" };
	const long status = response->status;
	bool is_stale = is_one_of(refusal->code, stale, ARRAY_LEN(stale));

	/* The answer to HEAD has no words. */
	if (strcmp(request->method, "HEAD") == 0)
		is_stale |= status == 400 || status == 403;
	if (has_moved(s, response, refusal))
		note_region(s->client, s->address.bucket, refusal->region);
	else if (!is_stale ||
	         !keyring_renew(s->client->keyring, s->credentials))
		return 0;
	return sign(s, request, err) ? -1 : 1;
}

/* Is it no error for this request, or one that the rule of retries explains? */
static bool is_left(const struct http_request *request, long status,
    const struct s3_refusal *refusal)
{
	switch (status) {
	case 404:
		return request->takes_missing &&
		       strcmp(refusal->code, "NoSuchBucket") != 0;
	case 412:
		return request->takes_failed_precondition || request->if_match;
	case 416:
		return true;
	case 408:
	case 429:
		return request->retries;
	default:
		return request->retries && status >= 500;
	}
}

/* An http_refused: signs anew if that can help, else explains. */
static int on_refused(void *arg, unsigned tries, struct http_request *request,
    const struct http_response *response, struct error *err)
{
	struct signed_request *s = arg;
	struct s3_refusal refusal;
	int rc = 0;

	s3_refusal_read(buf_span(&response->body), &refusal);
	if (tries <= REFUSED_MOST)
		rc = sign_anew(s, request, response, &refusal, err);
	if (rc || is_left(request, response->status, &refusal))
		return rc;
	/* Another writer is at work on the same key: it decides soon. */
	if (response->status == 409 && request->takes_failed_precondition &&
	    tries <= REFUSED_MOST)
		return 1;
	return refuse(s, response->status, &refusal, err);
}

/* Fills all that calls and objects have in common. */
static int prepare(
    struct signed_request *s, struct http_request *request, struct error *err)
{
	request->refused = on_refused;
	request->refused_arg = s;
	request->wanted[0] = "x-amz-bucket-region";
	return sign(s, request, err);
}

int s3_call(struct s3_client *client, const struct s3_call *call,
    struct http_response *response, struct error *err)
{
	struct signed_request s = { .client = client,
		.address = *call->address,
		.query = &call->query };
	struct http_request request = { .method = call->method,
		.body = call->body,
		.retries = !call->is_once,
		.takes_missing = call->takes_missing,
		.takes_failed_precondition = call->takes_failed_precondition,
		.outlasts_stop = call->outlasts_stop };
	size_t count = 0;
	int rc = -1;

	request.headers[count++] = call->body.len ? UNSIGNED_BODY : EMPTY_HASH;
	for (size_t i = 0; call->headers[i]; i++)
		request.headers[count++] = call->headers[i];
	request.wanted[1] = call->wanted[0];
	if (prepare(&s, &request, err) == 0)
		rc = http_perform(client->pool, &request, response, err);
	if (rc)
		error_prefix(err, "s3://%s%s%.300s", s.address.bucket,
		    *s.address.key ? "/" : "", s.address.key);
	signed_release(&s);
	return rc;
}

/* ---- objects that are read ---- */

static int address_prepare(void *arg, const char *path,
    struct http_request *request, struct error *err)
{
	static const struct s3_query none;
	struct signed_request *s = memory_zeroed(sizeof(*s), err);
	size_t count = 0;

	if (!s)
		return -1;
	s->client = arg;
	s->query = &none;
	while (request->headers[count])
		count++;
	request->headers[count] = EMPTY_HASH;
	if (s3_address_parse(path, &s->address, err) == 0) {
		if (prepare(s, request, err) == 0)
			return 0;
		error_prefix(err, "%.300s", path);
	}
	signed_release(s);
	free(s);
	return -1;
}

static void address_done(void *arg, struct http_request *request)
{
	UNUSED(arg);
	signed_release(request->refused_arg);
	free(request->refused_arg);
	request->refused_arg = NULL;
}

const struct object_address *s3_client_address(struct s3_client *client)
{
	return &client->address;
}

/* ---- the client ---- */

struct s3_client *s3_client_new(struct medium_counts *counts, struct error *err)
{
	struct s3_client *client = memory_zeroed(sizeof(*client), err);

	if (!client)
		return NULL;
	fork_lock_init(&client->lock);
	client->pool = http_pool_new(counts, err);
	if (client->pool)
		client->keyring = keyring_new(client->pool, err);
	if (!client->keyring) {
		s3_client_free(client);
		return NULL;
	}
	client->address = (struct object_address){ .prepare = address_prepare,
		.done = address_done,
		.arg = client,
		.is_verbatim = true };
	return client;
}

void s3_client_free(struct s3_client *client)
{
	if (!client)
		return;
	http_pool_free(client->pool);
	keyring_free(client->keyring);
	fork_lock_destroy(&client->lock);
	free(client);
}

struct http_pool *s3_client_pool(struct s3_client *client)
{
	return client->pool;
}
