/* answers.c - see answers.h. */
#define _DEFAULT_SOURCE /* timegm */
#include "lib/media/s3/answers.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/printable.h"
#include "lib/base/units.h"
#include "lib/syntax/xml.h"

/* Copies a text of an answer; -1 when it is longer than `size` - 1. */
static int keep(char *to, size_t size, const char *text)
{
	const size_t len = strlen(text);

	if (len >= size)
		return -1;
	memcpy(to, text, len + 1);
	return 0;
}

static int keep_or_fail(char *to, size_t size, const char *text,
    const char *what, struct error *err)
{
	return keep(to, size, text)
	           ? error_set(err, ERROR_DATA,
	                 "the server sent %s of more than %zu bytes", what,
	                 size - 1)
	           : 0;
}

/* Returns a hash that is not 0. */
static uint64_t hash_text(const char *text, uint64_t seed)
{
	const uint64_t hash = hash_bytes(text, strlen(text), seed);

	return hash ? hash : 1;
}

/* The part of a path below its first element; "": the root itself. */
static const char *below_root(const char *path)
{
	const char *slash = strchr(path, '/');

	return slash ? slash + 1 : "";
}

static bool is_at(const char *path, const char *below)
{
	return strcmp(below_root(path), below) == 0;
}

static bool is_below(const char *path, const char *root)
{
	const size_t len = strlen(root);

	return strncmp(path, root, len) == 0 &&
	       (path[len] == '/' || !path[len]);
}

/* ---- an error ---- */

static int refusal_part(
    void *arg, const char *path, const char *text, struct error *err)
{
	struct s3_refusal *refusal = arg;
	const char *last = strrchr(path, '/');

	UNUSED(err);
	/* STS puts the error into another element. */
	last = last ? last + 1 : path;
	if (strcmp(last, "Code") == 0 && !*refusal->code)
		keep(refusal->code, sizeof(refusal->code), text);
	else if (strcmp(last, "Message") == 0 && !*refusal->message)
		printable_copy(refusal->message, sizeof(refusal->message),
		    span_text(text));
	else if (strcmp(last, "Region") == 0 && s3_region_is_valid(text))
		keep(refusal->region, sizeof(refusal->region), text);
	return 0;
}

static bool is_word(const char *text)
{
	for (; *text; text++)
		if ((*text < 'a' || *text > 'z') &&
		    (*text < 'A' || *text > 'Z') &&
		    (*text < '0' || *text > '9') && *text != '.')
			return false;
	return true;
}

void s3_refusal_read(struct span body, struct s3_refusal *refusal)
{
	struct error ignored = ERROR_INIT;

	*refusal = (struct s3_refusal){ .code = "" };
	if (xml_each(body, refusal_part, refusal, &ignored) ||
	    !is_word(refusal->code))
		*refusal = (struct s3_refusal){ .code = "" };
}

/* ---- a page of a list ---- */

struct page_reader {
	struct s3_page *page;
	char key[3 * S3_KEY_MOST + 1]; /* encoded, or as it is */
	char size[24], etag[MEDIUM_VERSION_TEXT];
	bool is_encoded, is_truncated;
	/* The encoding may be told behind the keys: they are decoded then. */
};

/* Takes the object that has just ended. */
static int take_object(struct page_reader *reader, struct error *err)
{
	struct s3_page *page = reader->page;
	struct medium_status status = { .kind = MEDIUM_FILE };
	const size_t prefix = strlen(page->prefix);
	const char *name = reader->key + prefix;

	if (reader->is_encoded && s3_decode(reader->key, err))
		return -1;
	if (strncmp(reader->key, page->prefix, prefix) != 0)
		return error_set(err, ERROR_DATA,
		    "the server listed a key that does not begin with '%.200s'",
		    page->prefix);
	page->keys++;
	if (!page->first)
		page->first = hash_text(reader->key, 0);
	if (!*name || name[strlen(name) - 1] == '/' || !page->visit)
		return 0;
	if (units_parse_uint(reader->size, &status.bytes))
		return error_set(err, ERROR_DATA,
		    "the server listed '%.200s' without a size", name);
	keep(status.version, sizeof(status.version), reader->etag);
	return page->visit(page->arg, name, &status, err);
}

static int page_part(
    void *arg, const char *path, const char *text, struct error *err)
{
	struct page_reader *reader = arg;
	struct s3_page *page = reader->page;

	if (!is_below(path, "ListBucketResult"))
		return error_set(
		    err, ERROR_DATA, "the server sent no list of keys");
	if (is_at(path, "Contents/Key"))
		return keep_or_fail(
		    reader->key, sizeof(reader->key), text, "a key", err);
	if (is_at(path, "Contents/Size")) {
		if (keep(reader->size, sizeof(reader->size), text))
			*reader->size = '\0';
	} else if (is_at(path, "Contents/ETag")) {
		if (keep(reader->etag, sizeof(reader->etag), text))
			*reader->etag = '\0';
	} else if (is_at(path, "Contents")) {
		if (take_object(reader, err))
			return -1;
		*reader->key = *reader->size = *reader->etag = '\0';
	} else if (is_at(path, "IsTruncated")) {
		reader->is_truncated = strcmp(text, "true") == 0;
	} else if (is_at(path, "NextContinuationToken")) {
		return keep_or_fail(
		    page->token, sizeof(page->token), text, "a token", err);
	}
	return 0;
}

/* Is told before keys are visited, wherever the server puts it. */
static int encoding_part(
    void *arg, const char *path, const char *text, struct error *err)
{
	bool *is_encoded = arg;

	UNUSED(err);
	if (is_at(path, "EncodingType"))
		*is_encoded = strcmp(text, "url") == 0;
	return 0;
}

int s3_page_read(struct span body, struct s3_page *page, struct error *err)
{
	struct page_reader reader = { .page = page };

	page->first = 0;
	*page->token = '\0';
	if (xml_each(body, encoding_part, &reader.is_encoded, err) ||
	    xml_each(body, page_part, &reader, err))
		return -1;
	if (reader.is_truncated && !*page->token)
		return error_set(err, ERROR_DATA,
		    "the server sent a page of a list without a token for the "
		    "next");
	if (!reader.is_truncated)
		*page->token = '\0';
	return 0;
}

/* ---- uploads ---- */

static int upload_part(
    void *arg, const char *path, const char *text, struct error *err)
{
	if (!is_below(path, "InitiateMultipartUploadResult"))
		return error_set(
		    err, ERROR_DATA, "the server sent no id of an upload");
	return is_at(path, "UploadId") ? keep_or_fail(arg, S3_UPLOAD_TEXT, text,
	                                     "an id of an upload", err)
	                               : 0;
}

int s3_upload_read(struct span body, char id[S3_UPLOAD_TEXT], struct error *err)
{
	*id = '\0';
	if (xml_each(body, upload_part, id, err))
		return -1;
	return *id ? 0
	           : error_set(
	                 err, ERROR_DATA, "the server sent no id of an upload");
}

static int root_name(
    void *arg, const char *path, const char *text, struct error *err)
{
	UNUSED(text);
	UNUSED(err);
	if (!strchr(path, '/'))
		keep(arg, S3_CODE_TEXT, path);
	return 0;
}

int s3_complete_read(struct span body, bool *again, struct error *err)
{
	struct s3_refusal refusal;
	char root[S3_CODE_TEXT] = "";

	*again = true;
	/* A connection that ended early leaves a document without its end. */
	if (xml_each(body, root_name, root, err))
		return -1;
	/* AWS says ...Result, moto ...Output. */
	if (strncmp(root, "CompleteMultipartUpload", 23) == 0)
		return 0;
	s3_refusal_read(body, &refusal);
	*again = strcmp(refusal.code, "InternalError") == 0 ||
	         strcmp(refusal.code, "SlowDown") == 0 ||
	         strcmp(refusal.code, "ServiceUnavailable") == 0 ||
	         strcmp(refusal.code, "RequestTimeout") == 0;
	return error_set(err, ERROR_SYSTEM,
	    "the upload could not be completed: %s%s%s",
	    *refusal.code ? refusal.code : "the answer is of another kind",
	    *refusal.message ? ": " : "", refusal.message);
}

struct uploads_reader {
	struct s3_uploads_page *page;
	char key[3 * S3_KEY_MOST + 1], id[S3_UPLOAD_TEXT];
	int64_t initiated_s;
	bool is_encoded;
};

static int take_upload(struct uploads_reader *reader, struct error *err)
{
	struct s3_upload_entry entry = { .key = reader->key,
		.id = reader->id,
		.initiated_s = reader->initiated_s };
	int rc;

	if (reader->is_encoded && s3_decode(reader->key, err))
		return -1;
	if (!reader->page->first)
		reader->page->first =
		    hash_text(reader->id, hash_text(reader->key, 0));
	rc = *reader->id && *reader->key
	         ? reader->page->visit(reader->page->arg, &entry, err)
	         : 0;
	*reader->key = *reader->id = '\0';
	reader->initiated_s = -1;
	return rc;
}

static int uploads_part(
    void *arg, const char *path, const char *text, struct error *err)
{
	struct uploads_reader *reader = arg;
	struct s3_uploads_page *page = reader->page;

	if (!is_below(path, "ListMultipartUploadsResult"))
		return error_set(
		    err, ERROR_DATA, "the server sent no list of uploads");
	if (is_at(path, "Upload/Key"))
		return keep_or_fail(
		    reader->key, sizeof(reader->key), text, "a key", err);
	if (is_at(path, "Upload/UploadId"))
		return keep_or_fail(reader->id, sizeof(reader->id), text,
		    "an id of an upload", err);
	if (is_at(path, "Upload/Initiated"))
		reader->initiated_s = s3_time_parse(text);
	else if (is_at(path, "Upload"))
		return take_upload(reader, err);
	else if (is_at(path, "IsTruncated"))
		page->has_more = strcmp(text, "true") == 0;
	else if (is_at(path, "NextKeyMarker"))
		return keep_or_fail(
		    page->next_key, sizeof(page->next_key), text, "a key", err);
	else if (is_at(path, "NextUploadIdMarker"))
		return keep_or_fail(page->next_id, sizeof(page->next_id), text,
		    "an id of an upload", err);
	return 0;
}

int s3_uploads_read(
    struct span body, struct s3_uploads_page *page, struct error *err)
{
	struct uploads_reader reader = { .page = page, .initiated_s = -1 };

	page->first = 0;
	page->has_more = false;
	*page->next_key = *page->next_id = '\0';
	if (xml_each(body, encoding_part, &reader.is_encoded, err) ||
	    xml_each(body, uploads_part, &reader, err))
		return -1;
	if (reader.is_encoded && s3_decode(page->next_key, err))
		return -1;
	if (page->has_more && !*page->next_key)
		return error_set(err, ERROR_DATA,
		    "the server sent a page of a list without a key for the "
		    "next");
	return 0;
}

/* ---- credentials of a role ---- */

static int role_part(
    void *arg, const char *path, const char *text, struct error *err)
{
	static const char at[] = "AssumeRoleWithWebIdentityResult/Credentials/";
	struct s3_role_keys *keys = arg;
	const char *part = below_root(path);

	if (strncmp(part, at, sizeof(at) - 1) != 0)
		return 0;
	part += sizeof(at) - 1;
	if (strcmp(part, "AccessKeyId") == 0)
		return keep_or_fail(
		    keys->key, sizeof(keys->key), text, "a key", err);
	if (strcmp(part, "SecretAccessKey") == 0)
		return keep_or_fail(
		    keys->secret, sizeof(keys->secret), text, "a secret", err);
	if (strcmp(part, "SessionToken") == 0)
		return keep_or_fail(
		    keys->token, sizeof(keys->token), text, "a token", err);
	if (strcmp(part, "Expiration") == 0)
		keys->expires_s = s3_time_parse(text);
	return 0;
}

int s3_role_read(struct span body, struct s3_role_keys *keys, struct error *err)
{
	*keys = (struct s3_role_keys){ .expires_s = -1 };
	if (xml_each(body, role_part, keys, err))
		return -1;
	if (!*keys->key || !*keys->secret)
		return error_set(
		    err, ERROR_DATA, "the answer has no credentials");
	return 0;
}

/* Takes the fraction and the zone behind a time; -1: they are none. */
static int take_zone(const char *text, int64_t *east_s)
{
	int hours, minutes, end = 0;
	char sign;

	if (*text == '.')
		text += 1 + strspn(text + 1, "0123456789");
	*east_s = 0;
	if (strcmp(text, "Z") == 0)
		return 0;
	if (sscanf(text, "%c%2d:%2d%n", &sign, &hours, &minutes, &end) != 3 ||
	    text[end] || (sign != '+' && sign != '-') || hours < 0 ||
	    hours > 23 || minutes < 0 || minutes > 59)
		return -1;
	*east_s = (sign == '-' ? -60 : 60) * (hours * 60 + minutes);
	return 0;
}

int64_t s3_time_parse(const char *text)
{
	struct tm tm = { .tm_year = 0 };
	int64_t east_s;
	int end = 0;

	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon,
	        &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &end) != 6 ||
	    take_zone(text + end, &east_s))
		return -1;
	if (tm.tm_year < 1970 || tm.tm_mon < 1 || tm.tm_mon > 12 ||
	    tm.tm_mday < 1 || tm.tm_mday > 31 || tm.tm_hour > 23 ||
	    tm.tm_min > 59 || tm.tm_sec > 60 || tm.tm_hour < 0 ||
	    tm.tm_min < 0 || tm.tm_sec < 0)
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	return (int64_t)timegm(&tm) - east_s;
}
