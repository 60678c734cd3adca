/*
 * transfer.h - a handle of libcurl with its open connections, which performs
 * one request at a time; for use in lib/media/http only.
 */
#ifndef LIB_MEDIA_HTTP_TRANSFER_H
#define LIB_MEDIA_HTTP_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/media/http/request.h"

struct transfer;
struct transfer_share;

/* How an attempt ended.  All but DONE leave a message without its address. */
enum transfer_end {
	TRANSFER_DONE,          /* answered, with any status */
	TRANSFER_NO_CONNECTION, /* no connection was made */
	TRANSFER_BROKEN,        /* reset, silent for too long, or too short */
	TRANSFER_SLOW,          /* below HTTP_LEAST_RATE for too long */
	TRANSFER_CONTRADICTED,  /* the sink returned HTTP_AGAIN */
	TRANSFER_STOPPED,       /* interrupted */
	TRANSFER_FAILED,        /* another try would end the same way */
};

struct attempt { /* all borrowed */
	const struct http_request *request;
	struct http_response *response; /* is filled */
	bool (*stops)(void *arg);       /* asked at least each 100 ms */
	void *stops_arg;
	uint64_t bytes; /* set: the body's, of a status below 300 */
};

/* Handles share answers of DNS, and sessions of TLS. */
struct transfer_share *transfer_share_new(struct error *err);
void transfer_share_free(struct transfer_share *share); /* NULL is fine */

struct transfer *transfer_new(struct transfer_share *share, struct error *err);
enum transfer_end transfer_run(
    struct transfer *transfer, struct attempt *attempt, struct error *err);
void transfer_free(struct transfer *transfer);

#endif
