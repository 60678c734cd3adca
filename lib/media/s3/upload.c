/* upload.c - see upload.h: an object from its first byte to its publication. */
#define _DEFAULT_SOURCE /* getrandom */
#include "lib/media/s3/upload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/outside.h"
#include "lib/base/stop.h"
#include "lib/media/http/object.h"
#include "lib/media/s3/upload_state.h"

const struct upload_limits upload_limits_default = {
	.part_bytes = 16 << 20,
	.grow_every = 1000,
	.senders = 4,
};

enum {
	COMPLETE_TRIES = 6,
	COMPLETE_WAIT_NS = 200000000, /* before the second try; it doubles */
	HEADER_TEXT = 64,
	COMPARED_BYTES = 1 << 20, /* at a time */
};

/* ---- sizes of parts ---- */

uint64_t upload_part_bytes(const struct upload_limits *limits, unsigned part)
{
	return limits->part_bytes << (part / limits->grow_every);
}

uint64_t upload_part_offset(const struct upload_limits *limits, unsigned part)
{
	const unsigned grown = part / limits->grow_every;
	const uint64_t block = limits->part_bytes * limits->grow_every;

	/* Blocks of 1, 2, 4, ... times the bytes of the first one. */
	return block * ((1ULL << grown) - 1) +
	       (part % limits->grow_every) * upload_part_bytes(limits, part);
}

/* ---- writing ---- */

static int make_mark(char mark[UPLOAD_MARK_TEXT], struct error *err)
{
	uint64_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return error_set(
		    err, ERROR_SYSTEM, "there are no random numbers");
	snprintf(mark, UPLOAD_MARK_TEXT, "%016" PRIx64, number);
	return 0;
}

static bool wants_checksums(void)
{
	const char *word = getenv("AWS_REQUEST_CHECKSUM_CALCULATION");

	return !word || strcmp(word, "when_required") != 0;
}

struct upload *upload_new(struct s3_client *client, const char *url,
    const struct upload_limits *limits, struct error *err)
{
	struct upload *upload = memory_zeroed(sizeof(*upload), err);

	if (!upload)
		return NULL;
	upload->client = client;
	upload->limits = limits;
	upload->spool.fd = -1;
	upload->has_checksums = wants_checksums();
	upload->began_s = (int64_t)(clock_unix_ns() / 1000000000);
	pthread_mutex_init(&upload->lock, NULL);
	pthread_cond_init(&upload->changed, NULL);
	upload->url = strdup(url);
	if (!upload->url)
		error_memory(err, strlen(url));
	else if (s3_address_parse(upload->url, &upload->address, err) == 0 &&
	         make_mark(upload->mark, err) == 0 &&
	         spool_open(&upload->spool, err) == 0) {
		if (*upload->address.key)
			return upload;
		error_set(err, ERROR_USAGE, "%.300s: has no key", url);
	}
	upload_free(upload);
	return NULL;
}

/* After an error: what was sent must not stay on the server, where it costs. */
static int give_up(struct upload *upload, struct error *err)
{
	struct error why = ERROR_INIT;

	upload_join(upload, true, &why);
	if (upload_abort(upload, &why))
		error_advise(err,
		    "parts that were sent may stay on the server: see "
		    "\"Uploads that are left\" in presto-s3(7)");
	return -1;
}

/* Queues the parts that are full. */
static int queue_full(struct upload *upload, struct error *err)
{
	for (;;) {
		const unsigned n = (unsigned)upload->part_count;
		const uint64_t bytes = upload_part_bytes(upload->limits, n);
		const uint64_t end =
		    upload_part_offset(upload->limits, n) + bytes;

		/* An object of one part is sent by a single PUT. */
		if (upload->spool.bytes < end ||
		    (n == 0 && upload->spool.bytes == end))
			return 0;
		if (upload_queue(upload, bytes, err))
			return -1;
	}
}

int upload_write(struct upload *upload, struct span bytes, struct error *err)
{
	int rc;

	pthread_mutex_lock(&upload->lock);
	rc = spool_append(&upload->spool, bytes, err);
	if (rc == 0 && upload->failed.code) {
		*err = upload->failed;
		rc = -1;
	}
	pthread_mutex_unlock(&upload->lock);
	return rc || queue_full(upload, err) ? give_up(upload, err) : 0;
}

int upload_write_at(struct upload *upload, uint64_t offset, struct span bytes,
    struct error *err)
{
	int rc;

	pthread_mutex_lock(&upload->lock);
	rc = spool_write_at(&upload->spool, offset, bytes, err);
	for (size_t i = 0; rc == 0 && i < upload->part_count; i++) {
		struct upload_part *part = &upload->parts[i];
		const uint64_t begin =
		    upload_part_offset(upload->limits, (unsigned)i);

		if (offset >= begin + part->bytes ||
		    offset + bytes.len <= begin)
			continue;
		if (part->state == PART_SENDING)
			part->is_changed = true;
		else
			part->state = PART_WAITING;
	}
	pthread_cond_broadcast(&upload->changed);
	pthread_mutex_unlock(&upload->lock);
	return rc;
}

int64_t upload_read(struct upload *upload, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	return spool_read(&upload->spool, offset, data, len, err);
}

/* ---- publishing ---- */

enum found { FOUND_NOTHING, FOUND_OURS, FOUND_OTHER };

/* Looks for an object with this key, and knows its own by the mark; or -1. */
static int find_object(struct upload *upload, struct error *err)
{
	const struct s3_call call = { .method = "HEAD",
		.address = &upload->address,
		.takes_missing = true,
		.wanted = { "x-amz-meta-presto" } };
	struct http_response response = HTTP_RESPONSE_INIT;
	int rc = s3_call(upload->client, &call, &response, err);

	if (rc == 0 && response.status == 404)
		rc = FOUND_NOTHING;
	else if (rc == 0)
		rc = strcmp(response.wanted[1], upload->mark) == 0
		         ? FOUND_OURS
		         : FOUND_OTHER;
	http_response_release(&response);
	return rc;
}

/* Compares a part of the object with what was written: 1, 0 or -1. */
static int compare_piece(struct upload *upload, struct object *object,
    uint64_t offset, struct buf *there, struct error *err)
{
	struct spool_view ours;
	int64_t got;
	bool is_same;

	got = object_read(object, offset, there->data, there->len, err);
	if (got < 0 ||
	    spool_map(&upload->spool, offset, there->len, &ours, err))
		return -1;
	is_same = (size_t)got == ours.bytes.len &&
	          memcmp(there->data, ours.bytes.data, (size_t)got) == 0;
	spool_unmap(&ours);
	return is_same;
}

/*
 * Has the object with this key the bytes that were written?  1, 0 or -1.  They
 * are read: an ETag says nothing of bytes where a store encrypts them.
 */
static int has_same_bytes(struct upload *upload, struct error *err)
{
	struct buf piece = BUF_INIT;
	uint64_t size = 0, offset = 0;
	struct object *object = object_open(s3_client_pool(upload->client),
	    s3_client_address(upload->client), upload->url, &size, err);
	int rc = object ? size == upload->spool.bytes : -1;

	if (rc > 0 && buf_reserve(&piece, COMPARED_BYTES, err))
		rc = -1;
	while (rc > 0 && offset < size) {
		piece.len = size - offset < COMPARED_BYTES
		                ? (size_t)(size - offset)
		                : COMPARED_BYTES;
		rc = compare_piece(upload, object, offset, &piece, err);
		offset += piece.len;
	}
	object_close(object);
	buf_release(&piece);
	return rc;
}

/* "something has the key": 1 if that is this very object after all. */
static int look_who_won(struct upload *upload, struct error *err)
{
	const int found = find_object(upload, err);

	return found < 0 ? -1 : found == FOUND_OURS;
}

static int put_whole(struct upload *upload, struct error *err)
{
	char mark[HEADER_TEXT], sum[HEADER_TEXT], checksum[CHECKSUM_TEXT];
	struct s3_call call = { .method = "PUT",
		.address = &upload->address,
		.headers = { mark },
		.takes_missing = upload->replaces,
		.takes_failed_precondition = *upload->condition != '\0',
		.outlasts_stop = upload->replaces };
	struct http_response response = HTTP_RESPONSE_INIT;
	struct spool_view view;
	size_t headers = 1;
	int rc;

	if (spool_map(&upload->spool, 0, upload->spool.bytes, &view, err))
		return -1;
	call.body = view.bytes;
	snprintf(mark, sizeof(mark), "x-amz-meta-presto: %s", upload->mark);
	if (upload->has_checksums) {
		upload_checksum(view.bytes, checksum);
		snprintf(
		    sum, sizeof(sum), "x-amz-checksum-crc32c: %s", checksum);
		call.headers[headers++] = sum;
	}
	if (*upload->condition)
		call.headers[headers++] = upload->condition;
	rc = s3_call(upload->client, &call, &response, err);
	spool_unmap(&view);
	if (rc == 0)
		rc = response.status >= 400 ? look_who_won(upload, err) : 1;
	http_response_release(&response);
	return rc;
}

/* Appends a text of the server's in XML. */
static int add_text(struct buf *out, const char *text, struct error *err)
{
	for (; *text; text++) {
		const char *as = *text == '<'   ? "&lt;"
		                 : *text == '>' ? "&gt;"
		                 : *text == '&' ? "&amp;"
		                                : NULL;

		if (buf_append(out, as ? as : text, as ? strlen(as) : 1, err))
			return -1;
	}
	return 0;
}

static int print_parts(
    const struct upload *upload, struct buf *out, struct error *err)
{
	if (buf_printf(out, err,
	        "<CompleteMultipartUpload "
	        "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"))
		return -1;
	for (size_t i = 0; i < upload->part_count; i++) {
		const struct upload_part *part = &upload->parts[i];

		if (buf_printf(out, err,
		        "<Part><PartNumber>%zu</PartNumber><ETag>", i + 1) ||
		    add_text(out, part->etag, err) ||
		    buf_printf(out, err, "</ETag>") ||
		    (upload->has_checksums &&
		        buf_printf(out, err,
		            "<ChecksumCRC32C>%s</ChecksumCRC32C>",
		            part->checksum)) ||
		    buf_printf(out, err, "</Part>"))
			return -1;
	}
	return buf_printf(out, err, "</CompleteMultipartUpload>");
}

/*
 * The server knows no such upload: an earlier try has completed it, or another
 * program has aborted it.  That one may have written the same bytes.
 */
static int after_gone(struct upload *upload, struct error *err)
{
	const int found = find_object(upload, err);
	int rc = found < 0 ? -1 : found == FOUND_OURS;

	/* The object to be replaced is gone, and not the upload. */
	if (found == FOUND_NOTHING && upload->replaces)
		return 0;
	*upload->id = '\0';
	upload->is_gone = true;
	if (found == FOUND_OTHER && *upload->condition)
		return 0;
	if (found == FOUND_OTHER)
		rc = has_same_bytes(upload, err);
	if (rc)
		return rc;
	return error_set(err, ERROR_SYSTEM,
	    "%.300s: another program has aborted its upload", upload->url);
}

/* One try: 1: published, 0: something has the key, -1: see *again. */
static int try_complete(
    struct upload *upload, struct span body, bool *again, struct error *err)
{
	const struct s3_call call = { .method = "POST",
		.address = &upload->address,
		.query = { .pairs = { { "uploadId", upload->id } } },
		.headers = { *upload->condition ? upload->condition : NULL },
		.body = body,
		.takes_missing = true,
		.takes_failed_precondition = *upload->condition != '\0' };
	struct http_response response = HTTP_RESPONSE_INIT;
	int rc = s3_call(upload->client, &call, &response, err);

	*again = false;
	if (rc == 0 && response.status == 404)
		rc = after_gone(upload, err);
	else if (rc == 0 && response.status == 412)
		rc = look_who_won(upload, err);
	else if (rc == 0 &&
	         s3_complete_read(buf_span(&response.body), again, err))
		rc = error_prefix(err, "%.300s", upload->url);
	else if (rc == 0)
		rc = 1;
	http_response_release(&response);
	return rc;
}

static int complete(struct upload *upload, struct error *err)
{
	struct buf body = BUF_INIT;
	bool again = true;
	int rc = print_parts(upload, &body, err);

	for (unsigned i = 0; rc == 0 && again && i < COMPLETE_TRIES; i++) {
		if (i)
			clock_sleep_until(
			    clock_now(&clock_monotonic) +
			    ((uint64_t)COMPLETE_WAIT_NS << (i - 1)));
		if (stop_is_set()) {
			rc = error_set(err, ERROR_INTERRUPTED, "interrupted");
			break;
		}
		*err = (struct error)ERROR_INIT;
		rc = try_complete(upload, buf_span(&body), &again, err);
		if (rc < 0 && again && i + 1 < COMPLETE_TRIES)
			rc = 0;
		else
			again = false;
	}
	buf_release(&body);
	if (rc > 0) {
		*upload->id = '\0';
		upload_abort_others(upload, 0);
	}
	return rc;
}

static int publish_parts(struct upload *upload, struct error *err)
{
	const uint64_t sent =
	    upload_part_offset(upload->limits, (unsigned)upload->part_count);

	if (upload->spool.bytes > sent &&
	    upload_queue(upload, upload->spool.bytes - sent, err))
		return -1;
	if (upload_join(upload, false, err))
		return -1;
	return upload->is_gone ? after_gone(upload, err)
	                       : complete(upload, err);
}

static int publish(struct upload *upload, struct error *err)
{
	const int rc = upload->part_count ? publish_parts(upload, err)
	                                  : put_whole(upload, err);

	outside_lend(upload->sender_cpu_ns);
	upload->sender_cpu_ns = 0;
	return rc < 0 ? give_up(upload, err) : rc;
}

int upload_publish(struct upload *upload, struct error *err)
{
	*upload->condition = '\0'; /* it may have been tried under one */
	upload->replaces = false;
	return publish(upload, err) < 0 ? -1 : 0;
}

int upload_publish_new(struct upload *upload, struct error *err)
{
	snprintf(upload->condition, UPLOAD_CONDITION_TEXT, "If-None-Match: *");
	return publish(upload, err);
}

int upload_publish_over(
    struct upload *upload, const char *etag, struct error *err)
{
	snprintf(
	    upload->condition, UPLOAD_CONDITION_TEXT, "If-Match: %s", etag);
	upload->replaces = true;
	return publish(upload, err);
}

void upload_free(struct upload *upload)
{
	struct error ignored = ERROR_INIT;

	if (!upload)
		return;
	upload_join(upload, true, &ignored);
	upload_abort(upload, &ignored);
	spool_close(&upload->spool);
	pthread_mutex_destroy(&upload->lock);
	pthread_cond_destroy(&upload->changed);
	free(upload->parts);
	free(upload->url);
	free(upload);
}
