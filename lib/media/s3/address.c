/* address.c - see address.h. */
#include "lib/media/s3/address.h"

#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

enum { SCHEME_BYTES = 5 }; /* length of "s3://" */

static bool is_among(char c, const char *others)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c && strchr(others, c));
}

int s3_address_parse(
    const char *url, struct s3_address *address, struct error *err)
{
	const char *bucket = url + SCHEME_BYTES;
	const size_t len = strcspn(bucket, "/");

	if (len < 3 || len >= S3_BUCKET_TEXT)
		return error_set(err, ERROR_USAGE,
		    "%.200s: the name of a bucket has 3 to %d characters", url,
		    S3_BUCKET_TEXT - 1);
	for (size_t i = 0; i < len; i++)
		if (!is_among(bucket[i], i ? ".-_" : ""))
			return error_set(err, ERROR_USAGE,
			    "%.200s: the name of a bucket has letters, digits, "
			    "'.', '-' and '_' only",
			    url);
	memcpy(address->bucket, bucket, len);
	address->bucket[len] = '\0';
	address->key = bucket + len;
	if (*address->key)
		address->key++;
	if (strlen(address->key) > S3_KEY_MOST)
		return error_set(err, ERROR_USAGE,
		    "%.200s...: a key has at most %d bytes", url, S3_KEY_MOST);
	return 0;
}

bool s3_region_is_valid(const char *region)
{
	const size_t len = strlen(region);

	for (size_t i = 0; i < len; i++)
		if (!is_among(region[i], i ? "-" : ""))
			return false;
	return len > 0 && len < S3_REGION_TEXT;
}

int s3_encode(
    const char *text, bool is_path, struct buf *out, struct error *err)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		const char code[] = { '%', digits[c >> 4], digits[c & 15] };
		const bool stays = is_among(*text, is_path ? "-_.~/" : "-_.~");

		if (buf_append(out, stays ? text : code,
		        stays ? 1 : sizeof(code), err))
			return -1;
	}
	return 0;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int s3_decode(char *text, struct error *err)
{
	char *to = text;

	for (const char *at = text; *at; at++) {
		int high, low;

		if (*at != '%') {
			*to++ = *at == '+' ? ' ' : *at;
			continue;
		}
		high = digit(at[1]);
		low = high < 0 ? -1 : digit(at[2]);
		if (low < 0 || high + low == 0)
			return error_set(err, ERROR_DATA,
			    "the server sent a key with a wrong escape");
		*to++ = (char)(high * 16 + low);
		at += 2;
	}
	*to = '\0';
	return 0;
}

/* ---- the URL ---- */

/* Appends "https://s3.REGION.amazonaws.com/", with the bucket in its place. */
static int print_host(const struct s3_endpoint *endpoint,
    const struct s3_address *address, struct buf *out, struct error *err)
{
	const bool is_china = strncmp(endpoint->region, "cn-", 3) == 0;
	/*
	 * No certificate holds for several names below the service's own, and
	 * no host has the other letters, which are in names of old buckets.
	 */
	const bool is_path =
	    endpoint->url ||
	    strpbrk(address->bucket, "._ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	if (endpoint->url) {
		size_t len = strlen(endpoint->url);

		while (len && endpoint->url[len - 1] == '/')
			len--;
		if (buf_append(out, endpoint->url, len, err))
			return -1;
	} else if (buf_printf(out, err, "https://%s%ss3.%s.amazonaws.com%s",
	               is_path ? "" : address->bucket, is_path ? "" : ".",
	               endpoint->region, is_china ? ".cn" : "")) {
		return -1;
	}
	if (is_path && buf_printf(out, err, "/%s", address->bucket))
		return -1;
	return buf_append(out, "/", 1, err);
}

/* Finds the pair behind `before` in the order of names; NULL: none. */
static const struct s3_pair *next_pair(
    const struct s3_query *query, const struct s3_pair *before)
{
	const struct s3_pair *next = NULL;

	for (const struct s3_pair *p = query->pairs; p->name; p++)
		if ((!before || strcmp(p->name, before->name) > 0) &&
		    (!next || strcmp(p->name, next->name) < 0))
			next = p;
	return next;
}

static int print_query(
    const struct s3_query *query, struct buf *out, struct error *err)
{
	const char *sign = "?";

	for (const struct s3_pair *p = next_pair(query, NULL); p;
	     p = next_pair(query, p)) {
		if (buf_append(out, sign, 1, err) ||
		    s3_encode(p->name, false, out, err) ||
		    buf_append(out, "=", 1, err) ||
		    s3_encode(p->value, false, out, err))
			return -1;
		sign = "&";
	}
	return 0;
}

int s3_url(const struct s3_endpoint *endpoint, const struct s3_address *address,
    const struct s3_query *query, struct buf *out, struct error *err)
{
	if (print_host(endpoint, address, out, err) ||
	    s3_encode(address->key, true, out, err) ||
	    (query && print_query(query, out, err)))
		return -1;
	return buf_printf(out, err, "%s", "");
}
