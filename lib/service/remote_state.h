/*
 * remote_state.h - the state that the threads of a remote loader share; for
 * lib/service/remote*.c only.
 *
 * Each worker has a link, whose thread connects, asks for spans, and receives
 * batches into the link's queue.  Claims say which link has which span, in the
 * order of the epoch: the consumer takes the next batch from the queue of the
 * link that has claimed it.
 *
 * A reset drops all claims and queues, and begins at the consumer's position: a
 * seek, a failed batch, or a link that is lost while batches of it are missing.
 * Resets are counted in `turn`; what belongs to an earlier turn is dropped.
 */
#ifndef LIB_SERVICE_REMOTE_STATE_H
#define LIB_SERVICE_REMOTE_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "lib/base/error.h"
#include "lib/loader/consumer.h"
#include "lib/service/address.h"
#include "lib/service/message.h"
#include "lib/service/remote.h"

struct channel;
struct lent;
struct tls_context;

enum {
	LINK_CLAIMS = 8, /* claims of a link that are not delivered, at most */
	CLAIMS = ADDRESS_PLACES * LINK_CLAIMS,
};

struct service {
	struct service_address address;
	struct service_facts facts; /* owned */
	struct buf token;           /* owned */
	struct tls_context *tls;    /* owned; NULL: none */
};

enum item_kind { ITEM_BATCH, ITEM_END, ITEM_FAILED };

struct item {
	enum item_kind kind;
	struct batch *batch; /* NULL: it lost all its samples */
	uint64_t
	    number; /* number of the batch; ITEM_END: batches of the epoch */
	uint32_t skipped, filtered;
};

struct claim {
	struct ordered_span span;
	struct link *link;
};

struct link {
	struct remote_loader *loader;
	const struct service_place *place;
	pthread_t thread;
	int wake;                /* eventfd */
	struct channel *channel; /* changes under the lock */
	struct lent
	    *lent; /* memory of the connection; NULL: none; the thread's */

	/* Under the lock. */
	struct item *items; /* [loader->items_most], a ring; owned */
	size_t first, count;
	unsigned claims;     /* claims that are not delivered */
	uint32_t uncredited; /* batches taken since the last credit */
	bool is_waiting;     /* for bytes, or to be woken */
	bool is_connected;
	bool is_refused;     /* for good: a wrong token, another dataset */
	struct error why;    /* is_refused, or the last error */
	struct error failed; /* error of ITEM_FAILED */

	/* The thread's own. */
	struct ordered_span spans[LINK_CLAIMS]; /* spans that it receives */
	unsigned span_count;
	uint64_t next; /* number of the batch that comes next */
	uint32_t turn; /* 0: the worker was not told yet */
	bool is_leaving;
	uint32_t last_credit; /* for what a worker that leaves has to send */
	uint64_t heard_ns, told_ns; /* the last message, from and to it */
	struct buf body;
};

struct remote_loader {
	const struct service *service;
	struct service_order order;
	struct opened opened;
	struct batch_home *home;
	unsigned window;   /* batches of a link */
	size_t items_most; /* items of a queue */
	pid_t process;
	unsigned started;   /* threads */
	struct link *links; /* [service->address.count]; owned */

	atomic_bool stops;
	struct consumer consumer;

	pthread_mutex_t lock; /* protects what follows */
	uint32_t turn;
	struct claim claims[CLAIMS]; /* a ring */
	size_t claim_first, claim_count;
	struct ordered_position cursor;   /* where the next claim begins */
	struct ordered_position position; /* changed by the consumer only */
	uint64_t answered_ns;             /* when a worker was connected last */
	uint64_t skipped, filtered;
};

/* The batches of an epoch are known, so that workers can share it. */
static inline bool remote_is_known(const struct remote_loader *loader)
{
	return loader->opened.batches != UINT64_MAX;
}

/* Greets a worker: connects, and sets the facts (to be released). */
struct channel *remote_greet(const struct service *service,
    const struct service_place *place, struct service_facts *facts,
    struct error *err);
/*
 * Greets the worker of a link, checks that it serves what the service does, and
 * opens the order.  Sets link->lent if the worker lends batches; where they
 * cannot be mapped, asks it for bytes.
 */
struct channel *remote_open(
    struct link *link, struct opened *opened, struct error *err);

/* With the lock held: drops everything behind the position. */
void remote_reset(struct remote_loader *loader);
/* Wakes the consumer if it waits. */
void remote_notify(struct remote_loader *loader);
void *remote_link_main(void *link);
/* Batches that a link has asked for, and has not received. */
uint64_t remote_link_to_come(const struct link *link);
/*
 * Will a worker that leaves send what is to come soon?  Else the others are
 * asked at once.
 */
bool remote_link_can_finish(const struct link *link);
/* Receives a message, and does what it says: 0; -1: the connection is over. */
int remote_link_take(struct link *link, struct error *err);
/* Wakes the thread of a link. */
void remote_link_wake(const struct link *link);

#endif
