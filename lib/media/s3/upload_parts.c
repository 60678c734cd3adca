/* upload_parts.c - see upload_state.h: the requests of a multipart upload. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/hash.h"
#include "lib/media/s3/page_guard.h"
#include "lib/media/s3/upload_state.h"

enum { HEADER_TEXT = 64, NUMBER_TEXT = 12, SLACK_S = 120 };

void upload_checksum(struct span bytes, char text[CHECKSUM_TEXT])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                             "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint64_t sum = (uint64_t)hash_crc32c(bytes.data, bytes.len) << 16;

	/* 32 bits in groups of 6, the highest first: six digits and "==". */
	for (unsigned i = 0; i < 6; i++)
		text[i] = digits[sum >> (42 - 6 * i) & 63];
	memcpy(text + 6, "==", 3);
}

/* ---- beginning ---- */

int upload_begin(struct upload *upload, struct error *err)
{
	char mark[HEADER_TEXT];
	const struct s3_call call = { .method = "POST",
		.address = &upload->address,
		.query = { .pairs = { { "uploads", "" } } },
		.headers = { mark, upload->has_checksums
		                       ? "x-amz-checksum-algorithm: CRC32C"
		                       : NULL } };
	struct http_response response = HTTP_RESPONSE_INIT;
	int rc;

	snprintf(mark, sizeof(mark), "x-amz-meta-presto: %s", upload->mark);
	rc = s3_call(upload->client, &call, &response, err);
	/* An answer that was lost leaves an upload that nobody knows. */
	upload->may_have_twin = response.attempts > 1 || rc;
	if (rc == 0) {
		rc = s3_upload_read(buf_span(&response.body), upload->id, err);
		if (rc)
			error_prefix(err, "%.300s", upload->url);
	}
	http_response_release(&response);
	return rc;
}

/* ---- parts ---- */

/* Sends a part; its state is PART_SENDING meanwhile. */
static int send_part(struct upload *upload, size_t index, uint64_t bytes,
    struct upload_part *sent, struct error *err)
{
	char number[NUMBER_TEXT], sum[HEADER_TEXT];
	struct s3_call call = { .method = "PUT",
		.address = &upload->address,
		.query = { .pairs = { { "partNumber", number },
		               { "uploadId", upload->id } } },
		.takes_missing = true };
	struct http_response response = HTTP_RESPONSE_INIT;
	struct spool_view view;
	int rc;

	if (spool_map(&upload->spool,
	        upload_part_offset(upload->limits, (unsigned)index),
	        (size_t)bytes, &view, err))
		return -1;
	call.body = view.bytes;
	snprintf(number, sizeof(number), "%zu", index + 1);
	if (upload->has_checksums) {
		upload_checksum(view.bytes, sent->checksum);
		snprintf(sum, sizeof(sum), "x-amz-checksum-crc32c: %s",
		    sent->checksum);
		call.headers[0] = sum;
	}
	rc = s3_call(upload->client, &call, &response, err);
	spool_unmap(&view);
	if (rc == 0 && response.status == 404)
		rc = 1; /* the upload is gone */
	else if (rc == 0 && !*response.etag)
		rc = error_set(err, ERROR_DATA,
		    "%.300s: the server sent no ETag for a part", upload->url);
	memcpy(sent->etag, response.etag, sizeof(sent->etag));
	http_response_release(&response);
	return rc;
}

/* Finds a part to send; waits for one.  NULL: there is no more to do. */
static struct upload_part *next_part(struct upload *upload)
{
	for (;;) {
		bool is_busy = false;

		if (upload->is_stopped || upload->is_gone ||
		    upload->failed.code)
			return NULL;
		for (size_t i = 0; i < upload->part_count; i++) {
			if (upload->parts[i].state == PART_WAITING)
				return &upload->parts[i];
			is_busy |= upload->parts[i].state == PART_SENDING;
		}
		/* A part that changes while it is sent is sent again. */
		if (upload->is_whole && !is_busy)
			return NULL;
		pthread_cond_wait(&upload->changed, &upload->lock);
	}
}

/* Sends the part, with the lock held before and behind. */
static void send_next(struct upload *upload, struct upload_part *part)
{
	const size_t index = (size_t)(part - upload->parts);
	const uint64_t bytes = part->bytes;
	struct upload_part sent = { .bytes = bytes };
	struct error err = ERROR_INIT;
	int rc;

	part->state = PART_SENDING;
	part->is_changed = false;
	pthread_mutex_unlock(&upload->lock);
	rc = send_part(upload, index, bytes, &sent, &err);
	pthread_mutex_lock(&upload->lock);
	part = &upload->parts[index]; /* the array may have moved */
	sent.state = part->is_changed ? PART_WAITING : PART_SENT;
	*part = sent;
	if (rc > 0)
		upload->is_gone = true;
	/* Bytes that change on their way have another checksum. */
	if (rc < 0 && sent.state == PART_SENT && !upload->failed.code)
		upload->failed = err;
	pthread_cond_broadcast(&upload->changed);
}

static void *sender(void *arg)
{
	const uint64_t began = clock_now(&clock_thread_cpu);
	struct upload *upload = arg;
	struct upload_part *part;

	pthread_mutex_lock(&upload->lock);
	while ((part = next_part(upload)))
		send_next(upload, part);
	upload->sender_cpu_ns += clock_now(&clock_thread_cpu) - began;
	pthread_mutex_unlock(&upload->lock);
	return NULL;
}

/* Starts another sender if that is allowed; one there must be. */
static int start_sender(struct upload *upload, struct error *err)
{
	if (upload->sender_count == upload->limits->senders ||
	    upload->sender_count == UPLOAD_SENDERS_MOST)
		return 0;
	if (pthread_create(&upload->senders[upload->sender_count], NULL, sender,
	        upload) == 0)
		upload->sender_count++;
	else if (!upload->sender_count)
		return error_set(
		    err, ERROR_SYSTEM, "cannot start a thread for an upload");
	return 0;
}

int upload_queue(struct upload *upload, uint64_t bytes, struct error *err)
{
	struct upload_part *parts;
	int rc;

	if (upload->part_count == UPLOAD_PARTS_MOST)
		return error_set(err, ERROR_LIMIT,
		    "%.300s: S3 takes no object of more than %d parts",
		    upload->url, UPLOAD_PARTS_MOST);
	if (upload->part_count == 0 && upload_begin(upload, err))
		return -1;
	pthread_mutex_lock(&upload->lock);
	parts = array_grow(upload->parts, &upload->part_capacity,
	    upload->part_count + 1, sizeof(*parts), err);
	if (parts) {
		upload->parts = parts;
		parts[upload->part_count++] =
		    (struct upload_part){ .bytes = bytes };
	}
	rc = parts ? start_sender(upload, err) : -1;
	pthread_cond_broadcast(&upload->changed);
	pthread_mutex_unlock(&upload->lock);
	return rc;
}

int upload_join(struct upload *upload, bool stop, struct error *err)
{
	pthread_mutex_lock(&upload->lock);
	upload->is_whole = true;
	upload->is_stopped |= stop;
	pthread_cond_broadcast(&upload->changed);
	pthread_mutex_unlock(&upload->lock);
	for (unsigned i = 0; i < upload->sender_count; i++)
		pthread_join(upload->senders[i], NULL);
	upload->sender_count = 0;
	if (!upload->failed.code)
		return 0;
	*err = upload->failed;
	return -1;
}

/* ---- aborting ---- */

static int abort_one(struct s3_client *client, const struct s3_address *at,
    const char *id, struct error *err)
{
	const struct s3_call call = { .method = "DELETE",
		.address = at,
		.query = { .pairs = { { "uploadId", id } } },
		.takes_missing = true,
		.outlasts_stop = true };
	struct http_response response = HTTP_RESPONSE_INIT;
	const int rc = s3_call(client, &call, &response, err);

	http_response_release(&response);
	return rc;
}

int upload_abort(struct upload *upload, struct error *err)
{
	if (*upload->id &&
	    abort_one(upload->client, &upload->address, upload->id, err))
		return -1;
	*upload->id = '\0';
	if (upload->may_have_twin)
		upload_abort_others(upload, upload->began_s - SLACK_S);
	return 0;
}

/* ---- uploads of others ---- */

struct sweep {
	struct s3_client *client;
	struct s3_address address; /* the bucket; its key is set for each */
	const char *only;          /* a key; NULL: all */
	int64_t since_s, before_s; /* -1: no limit */
	uint64_t count;
};

static int sweep_one(
    void *arg, const struct s3_upload_entry *entry, struct error *err)
{
	struct sweep *sweep = arg;
	struct s3_address at = sweep->address;

	if ((sweep->only && strcmp(entry->key, sweep->only) != 0) ||
	    (sweep->since_s > 0 && entry->initiated_s < sweep->since_s) ||
	    (sweep->before_s >= 0 &&
	        (entry->initiated_s < 0 ||
	            entry->initiated_s >= sweep->before_s)))
		return 0;
	at.key = entry->key;
	sweep->count++;
	return abort_one(sweep->client, &at, entry->id, err);
}

/* Asks for the page behind `page`, and visits its uploads. */
static int sweep_page(struct sweep *sweep, const char *prefix,
    struct s3_uploads_page *page, struct error *err)
{
	char key[sizeof(page->next_key)], id[S3_UPLOAD_TEXT];
	struct s3_call call = { .method = "GET",
		.address = &sweep->address,
		.query = { .pairs = { { "uploads", "" },
		               { "encoding-type", "url" },
		               { "prefix", prefix } } },
		.outlasts_stop = true };
	struct http_response response = HTTP_RESPONSE_INIT;
	int rc;

	memcpy(key, page->next_key, sizeof(key));
	memcpy(id, page->next_id, sizeof(id));
	if (*key) {
		call.query.pairs[3] = (struct s3_pair){ "key-marker", key };
		call.query.pairs[4] =
		    (struct s3_pair){ "upload-id-marker", id };
	}
	rc = s3_call(sweep->client, &call, &response, err);
	if (rc == 0)
		rc = s3_uploads_read(buf_span(&response.body), page, err);
	http_response_release(&response);
	return rc;
}

/* Visits all uploads whose keys begin with the address's, page by page. */
static int sweep_all(
    struct sweep *sweep, const struct s3_address *prefix, struct error *err)
{
	struct s3_uploads_page page = { .visit = sweep_one, .arg = sweep };
	struct page_guard guard = { .empty = 0 };

	sweep->address = *prefix;
	sweep->address.key = "";
	do {
		uint64_t token;

		if (sweep_page(sweep, prefix->key, &page, err))
			return -1;
		token = hash_bytes(page.next_key, strlen(page.next_key), 0);
		token = hash_bytes(page.next_id, strlen(page.next_id), token);
		if (page.has_more &&
		    page_guard_check(&guard, page.first, token, err))
			return error_prefix(err, "s3://%s", prefix->bucket);
	} while (page.has_more);
	return 0;
}

void upload_abort_others(struct upload *upload, int64_t since_s)
{
	struct sweep sweep = { .client = upload->client,
		.only = upload->address.key,
		.since_s = since_s,
		.before_s = -1 };
	struct error ignored = ERROR_INIT;

	sweep_all(&sweep, &upload->address, &ignored);
}

int uploads_sweep(struct s3_client *client, const char *prefix,
    int64_t older_than_s, uint64_t *count, struct error *err)
{
	struct sweep sweep = { .client = client,
		.before_s =
		    (int64_t)(clock_unix_ns() / 1000000000) - older_than_s };
	struct s3_address at;
	int rc;

	if (s3_address_parse(prefix, &at, err))
		return -1;
	rc = sweep_all(&sweep, &at, err);
	*count += sweep.count;
	return rc;
}
