/*
 * client.h - asks an object store of S3's kind: signed requests, and what its
 * refusals mean.
 *
 * Keys, region and endpoint are found at the first request, since most media
 * never see an s3:// path.  Keys that end are renewed before they do.  A bucket
 * that lies in another region says so, and the client remembers that.
 *
 * Many threads may use a client.
 */
#ifndef LIB_MEDIA_S3_CLIENT_H
#define LIB_MEDIA_S3_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/media/http/object.h"
#include "lib/media/http/request.h"
#include "lib/media/s3/address.h"

struct error;
struct medium_counts;
struct s3_client;

struct s3_client *s3_client_new(
    struct medium_counts *counts, struct error *err);
void s3_client_free(struct s3_client *client); /* NULL is fine */
struct http_pool *s3_client_pool(struct s3_client *client);

enum { S3_HEADERS_MOST = 6 };

/* A request; all borrowed; zero: none. */
struct s3_call {
	const char *method;
	const struct s3_address *address;
	struct s3_query query;
	const char *headers[S3_HEADERS_MOST + 1]; /* "name: value", then NULL */
	struct span body;
	bool is_once; /* it must not be repeated after it was sent */
	/* As in struct http_request. */
	bool takes_missing, takes_failed_precondition, outlasts_stop;
	const char *wanted[HTTP_WANTED];
};

/*
 * Performs a call, see http_perform.  Errors name the place as s3:// and the
 * words of the server; for a refusal also where the key came from, which helps
 * more than the key.
 */
int s3_call(struct s3_client *client, const struct s3_call *call,
    struct http_response *response, struct error *err);

/* Addresses of objects that are read by ranges; lives as long as the client. */
const struct object_address *s3_client_address(struct s3_client *client);

#endif
