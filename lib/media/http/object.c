/* object.c - see object.h. */
#include "lib/media/http/object.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/media/http/answer.h"
#include "lib/media/http/object_state.h"

enum { HEAD_BYTES = 256 << 10 };

/* ---- addresses and messages ---- */

/* Puts the path in front of a message that has the address of a server. */
static int name_path(
    const char *path, const struct http_request *request, struct error *err)
{
	char text[URL_TEXT], sent[URL_TEXT];

	url_text(path, text);
	if (request->url && strcmp(text, url_text(request->url, sent)) == 0)
		return -1;
	return error_prefix(err, "%s", text);
}

/* Performs a request for the object's path; it is repeated as need be. */
static int ask(struct http_pool *pool, const struct object_address *address,
    const char *path, struct http_request *request,
    struct http_response *response, struct error *err)
{
	int rc;

	request->retries = true;
	if (address->prepare(address->arg, path, request, err))
		return -1;
	rc = http_perform(pool, request, response, err);
	if (rc)
		name_path(path, request, err);
	if (address->done)
		address->done(address->arg, request);
	return rc;
}

/* ---- versions ---- */

/* Files may be stored in a form that servers name an encoding. */
static bool is_stored_encoded(const char *path)
{
	static const char *const ends[] = { ".br", ".bz2", ".gz", ".tgz", ".xz",
		".Z", ".zst" };
	const struct span name = { .data = (const unsigned char *)path,
		.len = url_path_len(path) };

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (span_ends_with(name, ends[i]))
			return true;
	return false;
}

/* Are the bytes those of the object itself? */
static int check_encoding(const struct object *object,
    const struct http_response *response, struct error *err)
{
	if (!response->encoding[0] || object->address->is_verbatim ||
	    strcasecmp(response->encoding, "identity") == 0 ||
	    is_stored_encoded(object->path))
		return 0;
	error_set(err, ERROR_DATA,
	    "the server packs its bytes by %s, although it was asked not to",
	    response->encoding);
	return -1;
}

static int changed(
    const char *was, const char *is, const char *what, struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "it changed while it was read (%s %s, before %s); read it again "
	    "when nothing writes to it",
	    what, is, was);
}

/* Is an answer of the same version as the first one?  0, -1 or HTTP_AGAIN. */
static int check_version(const struct object *object,
    const struct http_response *response, struct error *err)
{
	char was[32], is[32];

	if (object->etag[0] && response->etag[0] &&
	    strcmp(object->etag, response->etag) != 0)
		return changed(object->etag, response->etag, "ETag", err);
	if (!object->etag[0] && object->modified[0] &&
	    response->last_modified[0] &&
	    strcmp(object->modified, response->last_modified) != 0)
		return changed(object->modified, response->last_modified,
		    "Last-Modified", err);
	if (!response->has_total || response->total == object->size)
		return 0;
	snprintf(was, sizeof(was), "%" PRIu64, object->size);
	snprintf(is, sizeof(is), "%" PRIu64, response->total);
	changed(was, is, "bytes", err);
	return HTTP_AGAIN;
}

/* Weak ETags cannot be asked for. */
static const char *strong_etag(const struct object *object)
{
	return object->etag[0] == '"' ? object->etag : NULL;
}

/* ---- one range into memory ---- */

struct range_sink {
	const struct object *object;
	const struct http_request *request;
	unsigned char *data;
	size_t len, done;
};

static int range_begin(
    void *arg, const struct http_response *response, struct error *err)
{
	struct range_sink *sink = arg;
	int rc;

	sink->done = 0;
	if (response->status != 206) {
		error_set(err, ERROR_DATA,
		    "asked for a range, the server answers with the whole "
		    "object (status %ld)",
		    response->status);
		return HTTP_AGAIN;
	}
	rc = check_version(sink->object, response, err);
	if (rc == 0)
		rc = check_encoding(sink->object, response, err);
	if (rc == 0 && answer_check_range(sink->request, response, err))
		rc = HTTP_AGAIN;
	return rc;
}

static int range_put(void *arg, struct span bytes, struct error *err)
{
	struct range_sink *sink = arg;

	if (bytes.len > sink->len - sink->done) {
		error_set(err, ERROR_DATA,
		    "the answer to a range has more bytes than were asked for");
		return HTTP_AGAIN;
	}
	memcpy(sink->data + sink->done, bytes.data, bytes.len);
	sink->done += bytes.len;
	return 0;
}

int object_fetch(struct object *object, uint64_t offset, void *data, size_t len,
    struct error *err)
{
	struct http_request request = {
		.method = "GET",
		.has_range = true,
		.first = offset,
		.last = offset + len - 1,
		.if_match = strong_etag(object),
		.stop = &object->closed,
	};
	struct range_sink state = { object, &request, data, len, 0 };
	const struct http_sink sink = { range_begin, range_put, &state };
	struct http_response response = HTTP_RESPONSE_INIT;
	char text[URL_TEXT];
	int rc;

	request.sink = &sink;
	rc = ask(object->pool, object->address, object->path, &request,
	    &response, err);
	if (rc == 0 && state.done != len)
		rc = error_set(err, ERROR_DATA,
		    "%s: asked for %zu bytes at %" PRIu64
		    ", the answer has only %zu",
		    url_text(object->path, text), len, offset, state.done);
	if (rc == 0)
		window_note(object, response.whole_ns);
	http_response_release(&response);
	return rc;
}

/* ---- opening ---- */

struct first_sink {
	struct object *object;
	const struct http_request *request;
	bool is_whole; /* the server ignores ranges */
};

/* Takes size and version from the first answer. */
static int first_begin(
    void *arg, const struct http_response *response, struct error *err)
{
	struct first_sink *sink = arg;
	struct object *object = sink->object;

	object->head.len = 0;
	answer_version(response, object->version);
	if (check_encoding(object, response, err))
		return -1;
	snprintf(object->etag, sizeof(object->etag), "%s", response->etag);
	snprintf(object->modified, sizeof(object->modified), "%s",
	    response->last_modified);
	sink->is_whole = response->status != 206;
	if (!sink->is_whole) {
		if (answer_check_range(sink->request, response, err))
			return HTTP_AGAIN;
		if (!response->has_total)
			return error_set(err, ERROR_DATA,
			    "the server does not say how long it is");
		object->size = response->total;
		return 0;
	}
	if (!response->has_length && !response->is_chunked)
		return error_set(
		    err, ERROR_DATA, "the server does not say how long it is");
	if (response->has_length && response->length > OBJECT_WHOLE_MOST)
		return error_set(err, ERROR_LIMIT,
		    "the server knows no ranges of bytes, and the object is "
		    "larger than %d MiB: copy it to a local disk",
		    OBJECT_WHOLE_MOST >> 20);
	return 0;
}

static int first_put(void *arg, struct span bytes, struct error *err)
{
	struct first_sink *sink = arg;
	struct buf *head = &sink->object->head;
	const size_t most = sink->is_whole ? OBJECT_WHOLE_MOST : HEAD_BYTES;

	if (bytes.len > most - head->len)
		return error_set(err, ERROR_LIMIT,
		    "the answer has more than %zu bytes", most);
	if (buf_grow(head, head->len + bytes.len, err))
		return -1;
	return buf_append(head, bytes.data, bytes.len, err);
}

/* ---- status by HEAD ---- */

static void set_version(
    const struct http_response *response, struct medium_status *status)
{
	status->kind = MEDIUM_FILE;
	answer_version(response, status->version);
}

/* Does a status of HEAD leave open what GET would say? */
static bool is_unsure(const struct http_response *response)
{
	return response->status == 405 || response->status == 501 ||
	       (response->status >= 200 && response->status < 300 &&
	           !response->has_length);
}

/* 1: *status is set; 0: HEAD does not tell the size; -1. */
static int ask_head(struct http_pool *pool,
    const struct object_address *address, const char *path,
    struct medium_status *status, struct error *err)
{
	struct http_request request = {
		.method = "HEAD",
		.takes_missing = true,
	};
	struct http_response response = HTTP_RESPONSE_INIT;
	struct error why = ERROR_INIT;
	int rc = ask(pool, address, path, &request, &response, &why) ? -1 : 1;

	*status = (struct medium_status){ .kind = MEDIUM_NOTHING };
	if (is_unsure(&response)) {
		rc = 0;
	} else if (rc < 0) {
		*err = why;
	} else if (response.status != 404) {
		set_version(&response, status);
		status->bytes = response.length;
	}
	http_response_release(&response);
	return rc;
}

/* ---- the first bytes ---- */

/* A range of an empty object does not exist: so its size tells. */
static int open_empty(struct object *object,
    const struct http_response *response, struct error *err)
{
	struct medium_status status;
	char text[URL_TEXT];
	int rc;

	if (response->has_total && response->total == 0)
		return 0;
	rc =
	    ask_head(object->pool, object->address, object->path, &status, err);
	if (rc < 0)
		return -1;
	if (rc > 0 && status.kind == MEDIUM_FILE && status.bytes == 0)
		return 0;
	return error_set(err, ERROR_DATA,
	    "%s: the server says that it has no bytes from 0 on",
	    url_text(object->path, text));
}

static int fetch_first(struct object *object, struct error *err)
{
	struct http_request request = {
		.method = "GET",
		.has_range = true,
		.first = 0,
		.last = HEAD_BYTES - 1,
		.takes_bad_range = true,
	};
	struct first_sink state = { .object = object, .request = &request };
	const struct http_sink sink = { first_begin, first_put, &state };
	struct http_response response = HTTP_RESPONSE_INIT;
	char text[URL_TEXT];
	int rc;

	request.sink = &sink;
	rc = ask(object->pool, object->address, object->path, &request,
	    &response, err);
	if (rc == 0 && response.status == 416)
		rc = open_empty(object, &response, err);
	else if (rc == 0 && state.is_whole)
		object->size = object->head.len;
	else if (rc == 0 && object->head.len < HEAD_BYTES &&
	         object->head.len < object->size)
		rc = error_set(err, ERROR_DATA,
		    "%s: asked for its first %d bytes, the answer has only %zu",
		    url_text(object->path, text), HEAD_BYTES, object->head.len);
	if (rc == 0)
		window_note(object, response.whole_ns);
	http_response_release(&response);
	return rc;
}

struct object *object_open(struct http_pool *pool,
    const struct object_address *address, const char *path, uint64_t *size,
    struct error *err)
{
	struct object *object = memory_zeroed(sizeof(*object), err);

	if (!object)
		return NULL;
	atomic_init(&object->users, 1);
	atomic_init(&object->closed, false);
	fork_lock_init(&object->lock);
	pthread_cond_init(&object->filled, NULL);
	object->pool = pool;
	object->address = address;
	object->path = strdup(path);
	if (!object->path)
		error_memory(err, strlen(path));
	if (!object->path || fetch_first(object, err)) {
		object_close(object);
		return NULL;
	}
	*size = object->size;
	return object;
}

void object_lock(struct object *object)
{
	if (!fork_lock_take(&object->lock))
		return;
	pthread_cond_init(&object->filled, NULL);
	atomic_store(&object->users, 1);
	object->followed = 0;
	object->window = (struct window){ .is_open = false };
}

void object_unlock(struct object *object)
{
	fork_lock_give(&object->lock);
}

void object_drop(struct object *object)
{
	if (atomic_fetch_sub(&object->users, 1) > 1)
		return;
	window_clear(object);
	buf_release(&object->head);
	pthread_cond_destroy(&object->filled);
	fork_lock_destroy(&object->lock);
	free(object->path);
	free(object);
}

void object_close(struct object *object)
{
	if (!object)
		return;
	/* Threads that fetch for it stop, and free what they have. */
	atomic_store(&object->closed, true);
	/* The child of a fork has no such threads. */
	object_lock(object);
	object_unlock(object);
	object_drop(object);
}

void object_version(
    const struct object *object, char version[MEDIUM_VERSION_TEXT])
{
	snprintf(version, MEDIUM_VERSION_TEXT, "%s", object->version);
}

/* ---- reading ---- */

/* Copies what the head has; returns how many bytes. */
static size_t read_head(
    const struct object *object, uint64_t offset, void *data, size_t len)
{
	const size_t have = object->head.len;
	size_t n = 0;

	if (offset < have) {
		n = have - (size_t)offset;
		n = n < len ? n : len;
		memcpy(data, object->head.data + offset, n);
	}
	return n;
}

int64_t object_read(struct object *object, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	const uint64_t left = offset < object->size ? object->size - offset : 0;
	const size_t there = len < left ? len : (size_t)left;
	const bool is_ahead = window_wants(object, offset, there);
	size_t done = read_head(object, offset, data, there);

	while (done < there) {
		unsigned char *to = (unsigned char *)data + done;
		int64_t n = 0;

		if (is_ahead)
			n = window_read(
			    object, offset + done, to, there - done, err);
		if (n == 0 &&
		    object_fetch(object, offset + done, to, there - done, err))
			return -1;
		if (n < 0)
			return -1;
		done = n > 0 ? done + (size_t)n : there;
	}
	return (int64_t)there;
}

/* ---- status ---- */

int object_get_size(struct http_pool *pool,
    const struct object_address *address, const char *path,
    struct medium_status *status, struct error *err)
{
	struct object *object =
	    object_open(pool, address, path, &status->bytes, err);

	if (!object)
		return -1;
	status->kind = MEDIUM_FILE;
	object_version(object, status->version);
	object_close(object);
	return 0;
}

int object_get_status(struct http_pool *pool,
    const struct object_address *address, const char *path,
    struct medium_status *status, struct error *err)
{
	const int rc = ask_head(pool, address, path, status, err);

	if (rc == 0)
		return object_get_size(pool, address, path, status, err);
	return rc < 0 ? -1 : 0;
}
