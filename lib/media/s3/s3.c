/*
 * s3.c - objects of S3 as files of a medium: see lib/media/backends/backend.h.
 *
 * A key is a path, and there are no folders: a prefix with keys below it counts
 * as one.  An object appears when it is published, under its final key.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/media/backends/backend.h"
#include "lib/media/http/object.h"
#include "lib/media/s3/answers.h"
#include "lib/media/s3/client.h"
#include "lib/media/s3/page_guard.h"
#include "lib/media/s3/upload.h"

struct s3_file {
	struct medium_file base; /* first: the medium accesses this */
	struct object *object;   /* for reading; NULL: none */
	struct upload *upload;   /* for writing; NULL: none */
	bool is_created;         /* it is published when it is synced */
};

static bool s3_takes(const char *path)
{
	return strncmp(path, "s3://", 5) == 0;
}

static void *s3_state_new(struct medium_counts *counts, struct error *err)
{
	return s3_client_new(counts, err);
}

static void s3_state_free(void *state)
{
	s3_client_free(state);
}

static void s3_hurry(void *state, bool begin)
{
	http_pool_hurry(s3_client_pool(state), begin);
}

/* ---- files ---- */

static int s3_open(struct medium_file *file, struct error *err)
{
	struct s3_file *f = (struct s3_file *)file;

	f->object = object_open(s3_client_pool(file->state),
	    s3_client_address(file->state), file->path, &file->size, err);
	return f->object ? 0 : -1;
}

static int s3_begin(struct medium_file *file, struct error *err)
{
	struct s3_file *f = (struct s3_file *)file;

	f->upload =
	    upload_new(file->state, file->path, &upload_limits_default, err);
	return f->upload ? 0 : -1;
}

static int s3_create(struct medium_file *file, struct error *err)
{
	((struct s3_file *)file)->is_created = true;
	return s3_begin(file, err);
}

static void s3_close(struct medium_file *file)
{
	struct s3_file *f = (struct s3_file *)file;

	object_close(f->object);
	upload_free(f->upload);
}

static void s3_get_version(
    const struct medium_file *file, char version[MEDIUM_VERSION_TEXT])
{
	object_version(((const struct s3_file *)file)->object, version);
}

static int64_t s3_read(struct medium_file *file, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	struct s3_file *f = (struct s3_file *)file;

	return f->upload ? upload_read(f->upload, offset, data, len, err)
	                 : object_read(f->object, offset, data, len, err);
}

static int s3_write(
    struct medium_file *file, const void *data, size_t len, struct error *err)
{
	return upload_write(((struct s3_file *)file)->upload,
	    (struct span){ .data = data, .len = len }, err);
}

static int s3_write_at(struct medium_file *file, uint64_t offset,
    const void *data, size_t len, struct error *err)
{
	return upload_write_at(((struct s3_file *)file)->upload, offset,
	    (struct span){ .data = data, .len = len }, err);
}

static int s3_publish(struct medium_file *file, struct error *err)
{
	return upload_publish(((struct s3_file *)file)->upload, err);
}

static int s3_publish_new(struct medium_file *file, struct error *err)
{
	return upload_publish_new(((struct s3_file *)file)->upload, err);
}

static int s3_publish_over(
    struct medium_file *file, const char *version, struct error *err)
{
	return upload_publish_over(
	    ((struct s3_file *)file)->upload, version, err);
}

static int s3_sync(struct medium_file *file, struct error *err)
{
	int rc;

	if (!((struct s3_file *)file)->is_created)
		return 0; /* a published object is durable */
	rc = s3_publish_new(file, err);
	if (rc == 0)
		return error_set(
		    err, ERROR_SYSTEM, "%.300s exists already", file->path);
	return rc > 0 ? 0 : -1;
}

/* ---- names ---- */

/* Writes the key as a prefix: with a '/' at its end, or empty. */
static void folder_prefix(
    const struct s3_address *address, char prefix[S3_KEY_MOST + 2])
{
	const size_t len = strlen(address->key);

	memcpy(prefix, address->key, len + 1);
	if (len && prefix[len - 1] != '/')
		memcpy(prefix + len, "/", 2);
}

/* Asks for a page of keys; `most` NULL: as many as the server gives. */
static int list_page(struct s3_client *client, const struct s3_address *bucket,
    const char *most, struct s3_page *page, struct error *err)
{
	char token[S3_TOKEN_TEXT];
	struct s3_call call = { .method = "GET",
		.address = bucket,
		.query = {
		    .pairs = { { "list-type", "2" }, { "encoding-type", "url" },
		        { "prefix", page->prefix } } } };
	struct http_response response = HTTP_RESPONSE_INIT;
	size_t count = 3;
	int rc;

	memcpy(token, page->token, sizeof(token));
	if (*token)
		call.query.pairs[count++] =
		    (struct s3_pair){ "continuation-token", token };
	if (most)
		call.query.pairs[count] = (struct s3_pair){ "max-keys", most };
	rc = s3_call(client, &call, &response, err);
	if (rc == 0 && s3_page_read(buf_span(&response.body), page, err))
		rc = error_prefix(
		    err, "s3://%s/%.300s", bucket->bucket, page->prefix);
	http_response_release(&response);
	return rc;
}

/* Has the prefix a key?  The root of a bucket always counts as a folder. */
static int look_for_folder(struct s3_client *client,
    const struct s3_address *address, struct medium_status *status,
    struct error *err)
{
	char prefix[S3_KEY_MOST + 2];
	struct s3_page page = { .prefix = prefix };
	struct s3_address bucket = *address;

	bucket.key = "";
	folder_prefix(address, prefix);
	if (list_page(client, &bucket, "1", &page, err))
		return -1;
	if (page.keys || !*prefix)
		status->kind = MEDIUM_FOLDER;
	return 0;
}

static int s3_get_status(void *state, const char *path,
    struct medium_status *status, struct error *err)
{
	struct s3_address address;
	struct s3_call call = {
		.method = "HEAD", .address = &address, .takes_missing = true
	};
	struct http_response response = HTTP_RESPONSE_INIT;
	size_t len;
	int rc;

	if (s3_address_parse(path, &address, err))
		return -1;
	len = strlen(address.key);
	if (!len || address.key[len - 1] == '/')
		return look_for_folder(state, &address, status, err);
	rc = s3_call(state, &call, &response, err);
	if (rc == 0 && response.status == 404)
		rc = look_for_folder(state, &address, status, err);
	else if (rc == 0 && !response.has_length)
		rc = object_get_size(s3_client_pool(state),
		    s3_client_address(state), path, status, err);
	else if (rc == 0) {
		status->kind = MEDIUM_FILE;
		status->bytes = response.length;
		memcpy(status->version, response.etag,
		    sizeof(response.etag) < sizeof(status->version)
		        ? sizeof(response.etag)
		        : sizeof(status->version));
	}
	http_response_release(&response);
	return rc;
}

static int s3_list(void *state, const char *folder, medium_visit *visit,
    void *arg, struct error *err)
{
	char prefix[S3_KEY_MOST + 2];
	struct s3_page page = { .prefix = prefix, .visit = visit, .arg = arg };
	struct page_guard guard = { .empty = 0 };
	struct s3_address bucket;

	if (s3_address_parse(folder, &bucket, err))
		return -1;
	folder_prefix(&bucket, prefix);
	bucket.key = "";
	do {
		if (list_page(state, &bucket, NULL, &page, err))
			return -1;
		if (*page.token &&
		    page_guard_check(&guard, page.first,
		        hash_bytes(page.token, strlen(page.token), 0), err))
			return error_prefix(
			    err, "s3://%s/%.300s", bucket.bucket, prefix);
	} while (*page.token);
	return 0;
}

static int s3_remove(void *state, const char *path, struct error *err)
{
	struct s3_address address;
	const struct s3_call call = {
		.method = "DELETE",
		.address = &address,
		.takes_missing = true,
		.outlasts_stop = true, /* it may tidy up after an interrupt */
	};
	struct http_response response = HTTP_RESPONSE_INIT;
	int rc;

	if (s3_address_parse(path, &address, err))
		return -1;
	if (!*address.key)
		return error_set(
		    err, ERROR_USAGE, "%.300s: a bucket is not removed", path);
	rc = s3_call(state, &call, &response, err);
	http_response_release(&response);
	return rc;
}

static int s3_sweep(
    void *state, const char *folder, uint64_t *count, struct error *err)
{
	enum { DAY_S = 86400 };
	char url[S3_BUCKET_TEXT + S3_KEY_MOST + 16], prefix[S3_KEY_MOST + 2];
	struct s3_address address;

	if (s3_address_parse(folder, &address, err))
		return -1;
	folder_prefix(&address, prefix);
	snprintf(url, sizeof(url), "s3://%s/%s", address.bucket, prefix);
	return uploads_sweep(state, url, DAY_S, count, err);
}

const struct backend backend_s3 = {
	.file_bytes = sizeof(struct s3_file),
	.counts_itself = true,
	.takes = s3_takes,
	.state_new = s3_state_new,
	.state_free = s3_state_free,
	.hurry = s3_hurry,
	.open = s3_open,
	.begin = s3_begin,
	.create = s3_create,
	.close = s3_close,
	.get_version = s3_get_version,
	.read = s3_read,
	.write = s3_write,
	.write_at = s3_write_at,
	.sync = s3_sync,
	.publish = s3_publish,
	.publish_new = s3_publish_new,
	.publish_over = s3_publish_over,
	.get_status = s3_get_status,
	.list = s3_list,
	.remove = s3_remove,
	.sweep = s3_sweep,
};
