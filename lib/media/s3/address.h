/*
 * address.h - where an object of S3 lies: s3://BUCKET/KEY, and the URL that is
 * asked for it.
 *
 * Requests are signed over the URL as it is sent.  So keys are encoded as S3
 * does it, and the names of a query are sorted, in this one place.
 */
#ifndef LIB_MEDIA_S3_ADDRESS_H
#define LIB_MEDIA_S3_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/bytes.h"

struct error;

enum {
	S3_BUCKET_TEXT = 64, /* bytes of a bucket's name with its NUL */
	S3_KEY_MOST = 1024,  /* bytes of a key */
	S3_REGION_TEXT = 32,
	S3_QUERY_MOST = 6,
};

struct s3_address {
	char bucket[S3_BUCKET_TEXT];
	const char *key; /* part of the parsed URL; "": the bucket itself */
};

/* "URL: ..." for a name that no bucket has, and for keys that are too long. */
int s3_address_parse(
    const char *url, struct s3_address *address, struct error *err);

/* The place of a service: one of the user's, or that of a region of AWS. */
struct s3_endpoint {
	const char *url; /* NULL: AWS; else "http://HOST:PORT", borrowed */
	char region[S3_REGION_TEXT];
};

/* Is it a word that may stand in the name of a host? */
bool s3_region_is_valid(const char *region);

struct s3_pair {
	const char *name, *value;
};

/* Names and values as they are, in any order; a NULL name ends them. */
struct s3_query {
	struct s3_pair pairs[S3_QUERY_MOST + 1];
};

/*
 * Appends the URL to `out`, and a NUL that len does not count.  The bucket is a
 * part of the host at AWS, unless its name cannot be in one; elsewhere it is
 * the first folder of the path.
 */
int s3_url(const struct s3_endpoint *endpoint, const struct s3_address *address,
    const struct s3_query *query, struct buf *out, struct error *err);

/* Appends a text, percent-encoded; '/' stays with `is_path`. */
int s3_encode(
    const char *text, bool is_path, struct buf *out, struct error *err);
/*
 * Decodes a text in place, as servers encode keys in lists: "%2F", and '+' for
 * a space.  ERROR_DATA for a wrong escape and for "%00".
 */
int s3_decode(char *text, struct error *err);

#endif
