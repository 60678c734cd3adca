/*
 * session_state.h - the state that both threads of a session share; for
 * lib/service/session*.c only.
 *
 * The reader takes the loader's messages, the sender sends everything.  The
 * reader hands spans to the ordered loader at once, so that its threads go on
 * to the next span while the sender waits for batches of the one before.
 */
#ifndef LIB_SERVICE_SESSION_STATE_H
#define LIB_SERVICE_SESSION_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "lib/service/batch_wire.h"
#include "lib/service/channel.h"
#include "lib/service/server.h"

/* Batches that are lent; under the session's lock. */
struct lending {
	struct batch **batches; /* [places]: by place; NULL: not lent; owned */
	unsigned places;        /* 0: the loader gets bytes */
	unsigned count;         /* batches that the loader has */
	uint32_t sending;       /* place whose message is being sent; 0: none */
};

struct session {
	const struct server_plan *plan; /* borrowed */
	int fd;                         /* until there is a channel */
	bool is_one_too_many;
	struct channel *channel;       /* owned */
	struct ordered_loader *loader; /* owned */
	pthread_t sender, reader;
	atomic_bool has_ended;
	atomic_bool is_sending; /* a batch, to a loader that takes it */

	pthread_mutex_t lock; /* protects what follows */
	pthread_cond_t news;
	struct ordered_span spans[ORDERED_SPANS]; /* by number modulo that */
	uint64_t asked, delivered;                /* spans */
	int64_t credit;                           /* batches */
	uint32_t wanted_turn;
	bool is_reset; /* the sender has to forget the spans */
	bool is_over, is_leaving;
	struct lending lending;

	/* The sender's own. */
	bool has_failed;            /* until the next reset */
	bool has_told;              /* LEAVING was sent */
	uint32_t turn;              /* RESETs that it has followed */
	uint64_t begun;             /* spans that were begun */
	uint64_t next;              /* number of the batch that comes next */
	uint64_t skipped, filtered; /* samples that the loader knows of */
	struct batch_packer packer;
	struct buf body;
	struct server_sums sums;
};

/*
 * Sends what was put into `body`; `rc` is that of putting it.  For the sender.
 */
int session_tell(
    struct session *session, enum message_kind kind, int rc, struct error *err);
/*
 * Prepares to lend batches of the session's loader, which was just made:
 * returns the descriptor of their memory, to be closed; -1: nothing is lent.
 */
int session_share(struct session *session, const struct service_order *order);
/*
 * Lends a batch, before it is sent: its place; 0: it is not lent.  A lent one
 * is the session's, and may be gone at once: the loader returns it.
 */
uint32_t session_lend(struct session *session, struct batch *batch);
/* The batch, lent or not, was sent. */
void session_sent(struct session *session);
/* Takes the places of a RETURN back; ERROR_DATA if one is not lent. */
int session_take_back(
    struct session *session, struct span body, struct error *err);
/* Takes everything back: the loader has gone. */
void session_reclaim(struct session *session);
/* The reader's thread. */
void *session_read(void *session);
/* The sender's work, until the connection is over. */
void session_send(struct session *session);

#endif
