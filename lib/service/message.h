/*
 * message.h - the messages between a loader and the workers of a service.
 *
 * A message is a frame of FRAME_BYTES bytes and a body of the length that the
 * frame tells.  doc/formats.md has the bytes.  A parser checks every number
 * before it is used: ERROR_DATA says what is wrong.
 *
 *	loader                          worker
 *	HELLO version, token, name
 *	                                WELCOME dataset, or REFUSED
 *	OPEN order
 *	                                OPENED batches, unit, or REFUSED
 *	RESET, CREDIT, ASK span ...
 *	                                BATCH ..., END, FAILED, LEAVING
 *	RETURN places
 *
 * Both send ALIVE where they have sent nothing for a while.
 *
 * Over a Unix socket a worker may lend batches: the elements of fields of known
 * size then lie in memory whose descriptor came with OPENED, in places of one
 * size, and BATCH says in which.  The worker leaves a place alone until RETURN
 * has named it.
 */
#ifndef LIB_SERVICE_MESSAGE_H
#define LIB_SERVICE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/loader/ordered/ordered.h"
#include "lib/sample/classes.h"
#include "lib/sample/sample.h"

struct error;

enum {
	MESSAGE_VERSION = 2,
	MESSAGE_TOKEN = 4096, /* bytes of a token, at most */
	MESSAGE_NAME = 256,   /* bytes of a dataset's name */
	FRAME_BYTES = 16,
};

enum message_kind {
	MESSAGE_HELLO = 1,
	MESSAGE_WELCOME,
	MESSAGE_REFUSED,
	MESSAGE_OPEN,
	MESSAGE_OPENED,
	MESSAGE_RESET,
	MESSAGE_CREDIT,
	MESSAGE_ASK,
	MESSAGE_BATCH,
	MESSAGE_END,
	MESSAGE_FAILED,
	MESSAGE_LEAVING,
	MESSAGE_ALIVE,
	MESSAGE_RETURN,
	MESSAGE_KINDS, /* one more than the last */
};

struct frame {
	enum message_kind kind;
	uint32_t turn;  /* RESETs so far: what came before one is dropped */
	uint64_t bytes; /* bytes of the body */
};

void frame_put(const struct frame *frame, unsigned char text[FRAME_BYTES]);
/* ERROR_DATA if it is none, or if its body is longer than its kind can be. */
int frame_parse(const unsigned char text[FRAME_BYTES], struct frame *frame,
    struct error *err);

/* ---- bodies; the parsers of texts give views of the body ---- */

struct hello {
	uint32_t version;
	struct span token; /* empty: none */
	struct span name;  /* the dataset that is wanted; empty: any */
};

/* The dataset of a service. */
struct service_facts {
	char name[MESSAGE_NAME]; /* name of the dataset */
	char version[32];        /* the worker's presto */
	struct schema schema;
	uint64_t samples; /* 0: not known in advance */
	uint64_t seed;
	uint64_t identity;      /* fingerprint of samples and order */
	uint64_t steps;         /* a fingerprint of the online steps */
	bool skip_errors;       /* on_error = skip */
	struct classes classes; /* owned */
};

/* The order of a loader, see struct ordered_plan. */
struct service_order {
	uint32_t batch, rank, world_size;
	uint64_t seed;
	bool shuffle, drop_last;
	bool borrows; /* batches may be lent */
};

struct opened {
	uint64_t order;   /* fingerprint of the order */
	uint64_t batches; /* batches of an epoch; UINT64_MAX: not known */
	uint64_t unit;    /* see ordered_loader_unit */
	uint32_t places;  /* of memory that is lent; 0: none */
};

struct ended {
	uint32_t epoch;
	uint64_t batches; /* batches that the epoch has */
};

/* An error, of a batch or of the other side's last message. */
struct failed {
	uint32_t epoch;
	uint64_t batch;
	bool is_usage;
	char text[1024];
};

int hello_put(const struct hello *hello, struct buf *out, struct error *err);
int hello_parse(struct span body, struct hello *hello, struct error *err);
int service_facts_put(
    const struct service_facts *facts, struct buf *out, struct error *err);
/* `facts` becomes the caller's, to be released. */
int service_facts_parse(
    struct span body, struct service_facts *facts, struct error *err);
void service_facts_release(struct service_facts *facts);
int order_put(
    const struct service_order *order, struct buf *out, struct error *err);
int order_parse(
    struct span body, struct service_order *order, struct error *err);
int opened_put(const struct opened *opened, struct buf *out, struct error *err);
int opened_parse(struct span body, struct opened *opened, struct error *err);
int span_put(
    const struct ordered_span *span, struct buf *out, struct error *err);
int span_parse(struct span body, struct ordered_span *span, struct error *err);
int credit_put(uint32_t batches, struct buf *out, struct error *err);
int credit_parse(struct span body, uint32_t *batches, struct error *err);
int places_put(
    const uint32_t *places, unsigned count, struct buf *out, struct error *err);
/* Takes the first place of a list: 1; 0: there is none; -1: it is invalid. */
int places_take(struct span *body, uint32_t *place, struct error *err);
int ended_put(const struct ended *ended, struct buf *out, struct error *err);
int ended_parse(struct span body, struct ended *ended, struct error *err);
int failed_put(const struct failed *failed, struct buf *out, struct error *err);
int failed_parse(struct span body, struct failed *failed, struct error *err);

#endif
