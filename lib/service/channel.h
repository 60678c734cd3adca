/*
 * channel.h - a connection between a loader and a worker: bytes in order, over
 * a socket, with TLS or without.
 *
 * Nothing waits for ever: a side that makes no progress for CHANNEL_STALL_MS
 * ends the connection.  Nothing raises a signal, if the thread blocks SIGPIPE:
 * libssl would raise it.
 *
 * One thread may send while another one receives.
 */
#ifndef LIB_SERVICE_CHANNEL_H
#define LIB_SERVICE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#include "lib/service/message.h"

struct channel;
struct error;
struct service_place;
struct tls_context;

enum {
	CHANNEL_CONNECT_MS = 5000,
	CHANNEL_ALIVE_MS = 5000, /* a silent side says that it is alive */
	CHANNEL_STALL_MS = 30000,
};

/*
 * Takes over a connected socket: it is closed, also where this fails.  `tls`:
 * borrowed; NULL: none.  `host` as for tls_new.
 */
struct channel *channel_new(
    int fd, struct tls_context *tls, const char *host, struct error *err);
/* Connects to a worker. */
struct channel *channel_connect(const struct service_place *place,
    struct tls_context *tls, struct error *err);
void channel_free(struct channel *channel); /* NULL is fine */
/* Ends the waiting of both threads; any thread may call it. */
void channel_shut(struct channel *channel);

/* Is it a Unix socket, so that descriptors can go with bytes? */
bool channel_is_local(const struct channel *channel);
/* Sends a descriptor with the next bytes, until which it stays open. */
void channel_pass(struct channel *channel, int fd);
/*
 * Returns the descriptor that came last, which is the caller's then; -1: none
 * came since the last call.
 */
int channel_take_passed(struct channel *channel);

/* Sends all parts, whose array changes. */
int channel_send(struct channel *channel, struct iovec *parts, size_t count,
    struct error *err);
/* Reads exactly so many bytes; `channel` is a void pointer for wire_input. */
int channel_receive(void *channel, void *to, size_t bytes, struct error *err);

enum channel_event {
	CHANNEL_READY, /* there are bytes to receive, or it was closed */
	CHANNEL_WOKEN, /* `wake` can be read; -1: never */
	CHANNEL_LATE,
};

enum channel_event channel_wait(
    struct channel *channel, int wake, unsigned timeout_ms);

/* ---- messages ---- */

/* Sends a message whose body is `body`. */
int channel_tell(struct channel *channel, enum message_kind kind, uint32_t turn,
    struct span body, struct error *err);
/* Receives a frame, without its body. */
int channel_hear(
    struct channel *channel, struct frame *frame, struct error *err);
/*
 * Receives the body of a frame into `body`, which is overwritten.  A batch has
 * no place here, see batch_wire.h: ERROR_DATA.
 */
int channel_hear_body(struct channel *channel, const struct frame *frame,
    struct buf *body, struct error *err);

#endif
