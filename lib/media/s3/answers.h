/*
 * answers.h - the XML that S3 answers with.
 *
 * Answers come from a server that may be damaged or hostile: all that they say
 * is checked, and ERROR_DATA says what is wrong.
 */
#ifndef LIB_MEDIA_S3_ANSWERS_H
#define LIB_MEDIA_S3_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/media/backends/backend.h"
#include "lib/media/s3/address.h"

/* ---- an error ---- */

enum { S3_CODE_TEXT = 64, S3_MESSAGE_TEXT = 256 };

struct s3_refusal {
	char code[S3_CODE_TEXT]; /* "NoSuchKey"; "": the body has none */
	char message[S3_MESSAGE_TEXT];
	char region[S3_REGION_TEXT]; /* the bucket's; "": not told */
};

/* Reads the body of an error; what is no such body has no code. */
void s3_refusal_read(struct span body, struct s3_refusal *refusal);

/* ---- a page of a list ---- */

enum { S3_TOKEN_TEXT = 2048 };

struct s3_page {
	const char *prefix;  /* begins all its keys; names follow; borrowed */
	medium_visit *visit; /* NULL: objects are counted only */
	void *arg;
	uint64_t keys;  /* so far, also those that are folders */
	uint64_t first; /* hash of the first key of this page; 0: it has none */
	char token[S3_TOKEN_TEXT]; /* for the next page; "": there is none */
};

/*
 * Reads a page of ListObjectsV2 and visits its objects.  A key that ends with
 * '/' is a folder that a program has made, and is not visited.
 */
int s3_page_read(struct span body, struct s3_page *page, struct error *err);

/* ---- uploads ---- */

enum { S3_UPLOAD_TEXT = 1024 }; /* bytes of the id of an upload */

/* Gets the id of an upload that has begun. */
int s3_upload_read(
    struct span body, char id[S3_UPLOAD_TEXT], struct error *err);
/*
 * Looks at the answer to the end of an upload.  It has the status 200 also when
 * the server failed after it had begun to answer: then -1, with *again when it
 * may be repeated.
 */
int s3_complete_read(struct span body, bool *again, struct error *err);

/* An upload that has not ended. */
struct s3_upload_entry {
	const char *key, *id;
	int64_t initiated_s; /* since 1970; -1: not told */
};

typedef int s3_upload_visit(
    void *arg, const struct s3_upload_entry *entry, struct error *err);

struct s3_uploads_page {
	s3_upload_visit *visit;
	void *arg;
	uint64_t first; /* hash of the page's first entry; 0: it has none */
	bool has_more;
	char next_key[3 * S3_KEY_MOST + 1]; /* as it was encoded, it fits */
	char next_id[S3_UPLOAD_TEXT];
};

/* Reads a page of ListMultipartUploads. */
int s3_uploads_read(
    struct span body, struct s3_uploads_page *page, struct error *err);

/* ---- credentials of a role ---- */

enum { S3_SECRET_TEXT = 4096 };

struct s3_role_keys {
	char key[256], secret[256], token[S3_SECRET_TEXT];
	int64_t expires_s; /* since 1970; -1: not told */
};

/* Reads the answer of AssumeRoleWithWebIdentity.  The caller wipes `keys`. */
int s3_role_read(
    struct span body, struct s3_role_keys *keys, struct error *err);

/*
 * Parses "2026-11-23T22:00:00Z", also with fractions and with "+01:00" in the
 * place of "Z", as seconds since 1970; or -1.
 */
int64_t s3_time_parse(const char *text);

#endif
