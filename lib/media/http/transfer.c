/*
 * transfer.c - see transfer.h.
 *
 * Each handle has a multi handle of its own, so that a thread that waits looks
 * for an interrupt, and for a server that is silent, each POLL_MS.
 */
#include "lib/media/http/transfer.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/media/http/answer.h"
#include "lib/media/http/curl_options.h"

enum {
	POLL_MS = 100,
	SILENT_MS = 15000, /* longest wait for the next bytes */
	ERROR_BODY_MOST = 64 << 10,
};

struct transfer_share {
	const struct curl_library *curl;
	CURLSH *share;
	pthread_mutex_t locks[CURL_LOCK_DATA_LAST];
};

struct transfer {
	const struct curl_library *curl;
	CURL *easy;
	CURLM *multi;
	CURLSH *share;
	char reason[CURL_ERROR_SIZE];
};

/* An attempt while it runs. */
struct running {
	struct transfer *transfer;
	struct attempt *attempt;
	struct error *err;
	uint64_t heard_ns;     /* when bytes went or came last */
	size_t sent;           /* bytes of the request's body */
	bool has_begun;        /* the sink's begin was called */
	bool is_enough;        /* the rest of the body is not wanted */
	enum transfer_end end; /* DONE, unless a callback ended it */
};

/* ---- sharing between handles ---- */

static void lock_share(
    CURL *easy, curl_lock_data data, curl_lock_access access, void *arg)
{
	struct transfer_share *share = arg;

	UNUSED(easy);
	UNUSED(access);
	pthread_mutex_lock(&share->locks[data]);
}

static void unlock_share(CURL *easy, curl_lock_data data, void *arg)
{
	struct transfer_share *share = arg;

	UNUSED(easy);
	pthread_mutex_unlock(&share->locks[data]);
}

struct transfer_share *transfer_share_new(struct error *err)
{
	const struct curl_library *curl = curl_load(err);
	struct transfer_share *share;

	if (!curl)
		return NULL;
	share = memory_zeroed(sizeof(*share), err);
	if (!share)
		return NULL;
	share->curl = curl;
	for (size_t i = 0; i < ARRAY_LEN(share->locks); i++)
		pthread_mutex_init(&share->locks[i], NULL);
	share->share = curl->curl_share_init();
	if (!share->share) {
		transfer_share_free(share);
		error_memory(err, sizeof(*share));
		return NULL;
	}
	curl->curl_share_setopt(share->share, CURLSHOPT_USERDATA, share);
	curl->curl_share_setopt(share->share, CURLSHOPT_LOCKFUNC, lock_share);
	curl->curl_share_setopt(
	    share->share, CURLSHOPT_UNLOCKFUNC, unlock_share);
	curl->curl_share_setopt(
	    share->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
	curl->curl_share_setopt(
	    share->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
	return share;
}

void transfer_share_free(struct transfer_share *share)
{
	if (!share)
		return;
	if (share->share)
		share->curl->curl_share_cleanup(share->share);
	for (size_t i = 0; i < ARRAY_LEN(share->locks); i++)
		pthread_mutex_destroy(&share->locks[i]);
	free(share);
}

struct transfer *transfer_new(struct transfer_share *share, struct error *err)
{
	const struct curl_library *curl = share->curl;
	struct transfer *transfer = memory_zeroed(sizeof(*transfer), err);

	if (!transfer)
		return NULL;
	transfer->curl = curl;
	transfer->share = share->share;
	transfer->easy = curl->curl_easy_init();
	transfer->multi = curl->curl_multi_init();
	if (transfer->easy && transfer->multi)
		return transfer;
	transfer_free(transfer);
	error_set(err, ERROR_SYSTEM, "libcurl has no more handles");
	return NULL;
}

void transfer_free(struct transfer *transfer)
{
	if (!transfer)
		return;
	if (transfer->easy)
		transfer->curl->curl_easy_cleanup(transfer->easy);
	if (transfer->multi)
		transfer->curl->curl_multi_cleanup(transfer->multi);
	free(transfer);
}

/* ---- callbacks ---- */

static void heard(struct running *running)
{
	running->heard_ns = clock_now(&clock_monotonic);
}

static size_t take_header(char *data, size_t size, size_t count, void *arg)
{
	struct running *running = arg;
	const struct span line = { .data = (const unsigned char *)data,
		.len = size * count };

	heard(running);
	answer_line(running->attempt->response, running->attempt->request, line,
	    (int64_t)time(NULL));
	return size * count;
}

static bool is_good(const struct attempt *attempt)
{
	return attempt->response->status >= 200 &&
	       attempt->response->status < 300;
}

/* Offers a good answer to the sink, once; false: it takes no bytes. */
static bool begin_sink(struct running *running)
{
	const struct attempt *attempt = running->attempt;
	const struct http_sink *sink = attempt->request->sink;
	int rc;

	if (running->has_begun || !sink || !is_good(attempt))
		return !running->is_enough;
	running->has_begun = true;
	rc = sink->begin(sink->arg, attempt->response, running->err);
	if (rc == 0)
		return true;
	if (rc < 0)
		running->end = TRANSFER_FAILED;
	else if (rc == HTTP_AGAIN)
		running->end = TRANSFER_CONTRADICTED;
	running->is_enough = true;
	return false;
}

/* Keeps the bytes of a body; of one that nobody asked for the first ones. */
static int keep_body(struct running *running, struct span bytes)
{
	struct attempt *attempt = running->attempt;
	struct buf *body = &attempt->response->body;
	const size_t most = is_good(attempt) ? HTTP_BODY_MOST : ERROR_BODY_MOST;
	const size_t room = most > body->len ? most - body->len : 0;

	if (bytes.len > room) {
		if (is_good(attempt))
			return error_set(running->err, ERROR_LIMIT,
			    "the answer has more than %d MB",
			    HTTP_BODY_MOST >> 20);
		bytes.len = room;
	}
	if (buf_grow(body, body->len + bytes.len, running->err))
		return -1;
	return buf_append(body, bytes.data, bytes.len, running->err);
}

static size_t take_body(char *data, size_t size, size_t count, void *arg)
{
	struct running *running = arg;
	struct attempt *attempt = running->attempt;
	const struct http_sink *sink = attempt->request->sink;
	const struct span bytes = { .data = (const unsigned char *)data,
		.len = size * count };
	int rc;

	heard(running);
	if (!begin_sink(running))
		return 0;
	if (sink && is_good(attempt))
		rc = sink->put(sink->arg, bytes, running->err);
	else
		rc = keep_body(running, bytes);
	if (rc) {
		running->end =
		    rc == HTTP_AGAIN ? TRANSFER_CONTRADICTED : TRANSFER_FAILED;
		return 0;
	}
	if (is_good(attempt))
		attempt->bytes += bytes.len;
	return bytes.len;
}

static size_t give_body(char *to, size_t size, size_t count, void *arg)
{
	struct running *running = arg;
	const struct span body = running->attempt->request->body;
	size_t len = body.len - running->sent;

	heard(running);
	if (len > size * count)
		len = size * count;
	if (len > 0)
		memcpy(to, body.data + running->sent, len);
	running->sent += len;
	return len;
}

/* A connection that was reused may be dead: the body is sent once more. */
static int seek_body(void *arg, curl_off_t offset, int origin)
{
	struct running *running = arg;

	if (origin != SEEK_SET || offset < 0 ||
	    (uint64_t)offset > running->attempt->request->body.len)
		return CURL_SEEKFUNC_CANTSEEK;
	running->sent = (size_t)offset;
	return CURL_SEEKFUNC_OK;
}

/* ---- a request as options ---- */

static void set_callbacks(struct running *running)
{
	const struct curl_library *curl = running->transfer->curl;
	CURL *easy = running->transfer->easy;

	curl->curl_easy_setopt(easy, CURLOPT_SHARE, running->transfer->share);
	curl->curl_easy_setopt(
	    easy, CURLOPT_ERRORBUFFER, running->transfer->reason);
	curl->curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
	curl->curl_easy_setopt(easy, CURLOPT_HEADERDATA, running);
	curl->curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
	curl->curl_easy_setopt(easy, CURLOPT_WRITEDATA, running);
	curl->curl_easy_setopt(easy, CURLOPT_READFUNCTION, give_body);
	curl->curl_easy_setopt(easy, CURLOPT_READDATA, running);
	curl->curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek_body);
	curl->curl_easy_setopt(easy, CURLOPT_SEEKDATA, running);
}

/* ---- running ---- */

/* Should the request be given up?  Sets the end and the message. */
static bool is_over(struct running *running, uint64_t began_ns)
{
	const struct attempt *attempt = running->attempt;
	const struct http_request *request = attempt->request;
	const uint64_t now = clock_now(&clock_monotonic);
	uint64_t most_ms = SILENT_MS;

	if (request->outlasts_stop) {
		if (now - began_ns > (uint64_t)HTTP_LAST_MS * 1000000) {
			running->end = TRANSFER_FAILED;
			error_set(running->err, ERROR_SYSTEM,
			    "not done within %d s", HTTP_LAST_MS / 1000);
			return true;
		}
	} else if (attempt->stops(attempt->stops_arg)) {
		running->end = TRANSFER_STOPPED;
		error_set(running->err, ERROR_INTERRUPTED, "interrupted");
		return true;
	}
	if (request->answer_ms)
		most_ms = request->answer_ms;
	if (now - running->heard_ns <= most_ms * 1000000)
		return false;
	running->end = TRANSFER_BROKEN;
	error_set(running->err, ERROR_SYSTEM,
	    "the server sent nothing for %" PRIu64 " ms", most_ms);
	return true;
}

/* Was the request on its way, so that a limit of time is not connecting's? */
static bool was_sent(const struct transfer *transfer)
{
	curl_off_t us = 0;

	transfer->curl->curl_easy_getinfo(
	    transfer->easy, CURLINFO_PRETRANSFER_TIME_T, &us);
	return us > 0;
}

/* How libcurl's result is to be taken. */
static enum transfer_end judge(const struct transfer *transfer, CURLcode code)
{
	switch (code) {
	case CURLE_OK:
		return TRANSFER_DONE;
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
		return TRANSFER_NO_CONNECTION;
	case CURLE_SSL_CONNECT_ERROR:
		return TRANSFER_NO_CONNECTION;
	case CURLE_OPERATION_TIMEDOUT:
		return was_sent(transfer) ? TRANSFER_SLOW
		                          : TRANSFER_NO_CONNECTION;
	case CURLE_WEIRD_SERVER_REPLY:
	case CURLE_PARTIAL_FILE:
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_SEND_FAIL_REWIND:
	case CURLE_CHUNK_FAILED:
		return TRANSFER_BROKEN;
	default:
		return TRANSFER_FAILED;
	}
}

/* Waits until libcurl is done with the request; returns its result. */
static CURLcode wait_for_end(struct running *running)
{
	const struct transfer *transfer = running->transfer;
	const struct curl_library *curl = transfer->curl;
	const uint64_t began = clock_now(&clock_monotonic);
	CURLcode code = CURLE_OK;
	int active = 1, left;
	CURLMsg *message;

	for (;;) {
		if (curl->curl_multi_perform(transfer->multi, &active) !=
		    CURLM_OK)
			return CURLE_FAILED_INIT;
		if (!active || is_over(running, began))
			break;
		curl->curl_multi_poll(transfer->multi, NULL, 0, POLL_MS, NULL);
	}
	while ((message = curl->curl_multi_info_read(transfer->multi, &left)))
		if (message->msg == CURLMSG_DONE)
			code = message->data.result;
	return code;
}

static void note_times(struct running *running)
{
	const struct transfer *transfer = running->transfer;
	const struct curl_library *curl = transfer->curl;
	struct http_response *response = running->attempt->response;
	curl_off_t sent = 0, first = 0, whole = 0;

	curl->curl_easy_getinfo(
	    transfer->easy, CURLINFO_PRETRANSFER_TIME_T, &sent);
	curl->curl_easy_getinfo(
	    transfer->easy, CURLINFO_STARTTRANSFER_TIME_T, &first);
	curl->curl_easy_getinfo(transfer->easy, CURLINFO_TOTAL_TIME_T, &whole);
	response->first_byte_ns =
	    first > sent ? (uint64_t)(first - sent) * 1000 : 0;
	response->whole_ns = whole > sent ? (uint64_t)(whole - sent) * 1000 : 0;
}

/* Puts libcurl's reason, and the address it had, into words. */
static void explain(struct running *running, CURLcode code)
{
	const struct transfer *transfer = running->transfer;
	const struct curl_library *curl = transfer->curl;
	const char *reason = transfer->reason[0]
	                         ? transfer->reason
	                         : curl->curl_easy_strerror(code);
	char *address = NULL;
	long port = 0;

	curl->curl_easy_getinfo(transfer->easy, CURLINFO_PRIMARY_IP, &address);
	curl->curl_easy_getinfo(transfer->easy, CURLINFO_PRIMARY_PORT, &port);
	if (address && *address)
		error_set(running->err, ERROR_SYSTEM, "%s (%s port %ld)",
		    reason, address, port);
	else
		error_set(running->err, ERROR_SYSTEM, "%s", reason);
}

static enum transfer_end end_of(struct running *running, CURLcode code)
{
	if (running->end != TRANSFER_DONE)
		return running->end;
	/* A body that is not wanted is broken off: libcurl calls it an error.
	 */
	if (running->is_enough)
		return TRANSFER_DONE;
	if (code != CURLE_OK) {
		explain(running, code);
		return judge(running->transfer, code);
	}
	/* An empty body calls nothing back. */
	begin_sink(running);
	return running->end;
}

enum transfer_end transfer_run(
    struct transfer *transfer, struct attempt *attempt, struct error *err)
{
	const struct curl_library *curl = transfer->curl;
	struct running running = {
		.transfer = transfer,
		.attempt = attempt,
		.err = err,
		.end = TRANSFER_DONE,
	};
	struct curl_slist *headers = NULL;
	enum transfer_end end = TRANSFER_FAILED;

	heard(&running);
	attempt->bytes = 0;
	attempt->response->body.len = 0;
	answer_forget(attempt->response);
	transfer->reason[0] = '\0';
	if (curl_make_headers(curl, attempt->request, &headers, err))
		goto done;
	curl->curl_easy_reset(transfer->easy);
	set_callbacks(&running);
	curl_set_request(curl, transfer->easy, attempt->request, headers);
	if (curl->curl_multi_add_handle(transfer->multi, transfer->easy)) {
		error_set(err, ERROR_SYSTEM, "libcurl refuses the request");
		goto done;
	}
	end = end_of(&running, wait_for_end(&running));
	note_times(&running);
	curl->curl_multi_remove_handle(transfer->multi, transfer->easy);
	/* Nothing that points into this function, nor a password, stays. */
	curl->curl_easy_reset(transfer->easy);
done:
	curl_free_headers(curl, headers);
	return end;
}
