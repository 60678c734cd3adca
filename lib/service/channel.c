/* channel.c - see channel.h. */
#define _GNU_SOURCE /* TCP_USER_TIMEOUT, MSG_CMSG_CLOEXEC */
#include "lib/service/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/service/tls.h"

enum {
	BUFFER = 4 << 20, /* bytes of a Unix socket */
	PARTS = 64,       /* buffers of one system call */
	/* A host that has vanished is noticed after 15 + 3 * 5 s. */
	IDLE_S = 15,
	PROBE_S = 5,
	PROBES = 3,
};

struct channel {
	int fd;
	bool is_local;   /* a Unix socket */
	int to_pass;     /* descriptor for the next bytes; borrowed; -1: none */
	int passed;      /* that came last; owned; -1: none */
	struct tls *tls; /* owned; NULL: none */
	pthread_mutex_t lock; /* for `tls`, which takes one call at a time */
};

/* ---- the socket ---- */

static void set_option(int fd, int level, int name, int value)
{
	/* A socket of another kind refuses it, and needs none. */
	setsockopt(fd, level, name, &value, sizeof(value));
}

/* Returns whether it is a Unix socket. */
static bool set_up(int fd)
{
	struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
	socklen_t len = sizeof(address);

	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	getsockname(fd, (struct sockaddr *)&address, &len);
	if (address.ss_family == AF_UNIX) {
		set_option(fd, SOL_SOCKET, SO_SNDBUF, BUFFER);
		return true;
	}
	set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, IDLE_S);
	set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, PROBE_S);
	set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, PROBES);
	set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, CHANNEL_STALL_MS);
	return false;
}

/* Waits for an event of the socket: 0; -1: nothing came in that time. */
static int wait_for(int fd, short events, unsigned ms, struct error *err)
{
	const uint64_t end =
	    clock_now(&clock_monotonic) + (uint64_t)ms * 1000000;

	for (;;) {
		struct pollfd one = { .fd = fd, .events = events };
		const uint64_t now = clock_now(&clock_monotonic);
		const int rc =
		    poll(&one, 1, now < end ? (int)((end - now) / 1000000) : 0);

		if (rc > 0)
			return 0;
		if (rc < 0 && errno != EINTR)
			return error_errno(err, "wait for", "a connection");
		if (rc == 0 && clock_now(&clock_monotonic) >= end)
			return error_set(err, ERROR_SYSTEM,
			    "the other side does not answer since %u s",
			    ms / 1000);
	}
}

/* ---- making ---- */

static int shake_hands(struct channel *channel, struct error *err)
{
	for (;;) {
		const enum tls_answer answer = tls_handshake(channel->tls, err);

		if (answer == TLS_DONE)
			return 0;
		if (answer == TLS_FAILED)
			return -1;
		if (answer == TLS_CLOSED)
			return error_set(
			    err, ERROR_SYSTEM, "the connection was closed");
		if (wait_for(channel->fd,
		        answer == TLS_WANTS_READ ? POLLIN : POLLOUT,
		        CHANNEL_CONNECT_MS, err))
			return -1;
	}
}

struct channel *channel_new(
    int fd, struct tls_context *tls, const char *host, struct error *err)
{
	struct channel *channel = memory_zeroed(sizeof(*channel), err);

	if (!channel) {
		close(fd);
		return NULL;
	}
	channel->fd = fd;
	channel->to_pass = channel->passed = -1;
	pthread_mutex_init(&channel->lock, NULL);
	channel->is_local = set_up(fd);
	if (!tls)
		return channel;
	channel->tls = tls_new(tls, fd, host, err);
	if (channel->tls && shake_hands(channel, err) == 0)
		return channel;
	channel_free(channel);
	return NULL;
}

void channel_free(struct channel *channel)
{
	if (!channel)
		return;
	tls_free(channel->tls);
	close(channel->fd);
	if (channel->passed >= 0)
		close(channel->passed);
	pthread_mutex_destroy(&channel->lock);
	free(channel);
}

void channel_shut(struct channel *channel)
{
	shutdown(channel->fd, SHUT_RDWR);
}

/* ---- descriptors ---- */

/* Room for one of them; the system closes those that find none. */
union control {
	struct cmsghdr head; /* for its alignment */
	unsigned char room[CMSG_SPACE(sizeof(int))];
};

bool channel_is_local(const struct channel *channel)
{
	return channel->is_local;
}

void channel_pass(struct channel *channel, int fd)
{
	channel->to_pass = fd;
}

int channel_take_passed(struct channel *channel)
{
	const int fd = channel->passed;

	channel->passed = -1;
	return fd;
}

/* Adds the descriptor that is to be passed to a message. */
static void add_passed(const struct channel *channel, struct msghdr *message,
    union control *control)
{
	struct cmsghdr *head;

	if (channel->to_pass < 0)
		return;
	memset(control, 0, sizeof(*control));
	message->msg_control = control;
	message->msg_controllen = sizeof(*control);
	head = CMSG_FIRSTHDR(message);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &channel->to_pass, sizeof(int));
}

/* Keeps the last descriptor of a message, and closes all others. */
static void keep_passed(struct channel *channel, struct msghdr *message)
{
	struct cmsghdr *head = CMSG_FIRSTHDR(message);

	for (; head; head = CMSG_NXTHDR(message, head)) {
		const size_t count =
		    (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (head->cmsg_level != SOL_SOCKET ||
		    head->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count; i++) {
			if (channel->passed >= 0)
				close(channel->passed);
			memcpy(&channel->passed,
			    CMSG_DATA(head) + i * sizeof(int), sizeof(int));
		}
	}
}

static ssize_t receive_some(struct channel *channel, void *to, size_t bytes)
{
	union control control;
	struct iovec part = { to, bytes };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got;

	if (!channel->is_local)
		return recv(channel->fd, to, bytes, 0);
	got = recvmsg(channel->fd, &message, MSG_CMSG_CLOEXEC);
	if (got > 0 && message.msg_controllen > 0)
		keep_passed(channel, &message);
	return got;
}

/* ---- bytes ---- */

/* The result of a read or a write of some bytes. */
enum moved { MOVED, MOVED_WAIT_READ, MOVED_WAIT_WRITE, MOVED_END, MOVED_ERROR };

static enum moved moved_of(enum tls_answer answer)
{
	switch (answer) {
	case TLS_DONE:
		return MOVED;
	case TLS_WANTS_READ:
		return MOVED_WAIT_READ;
	case TLS_WANTS_WRITE:
		return MOVED_WAIT_WRITE;
	case TLS_CLOSED:
		return MOVED_END;
	default:
		return MOVED_ERROR;
	}
}

/* The same for a system call, whose result is `done`. */
static enum moved moved_by_call(
    ssize_t done, enum moved wait, const char *verb, struct error *err)
{
	if (done > 0)
		return MOVED;
	if (done == 0 || errno == ECONNRESET || errno == EPIPE)
		return MOVED_END;
	if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
		return wait;
	error_errno(err, verb, "a connection");
	return MOVED_ERROR;
}

static enum moved read_some(struct channel *channel, void *to, size_t bytes,
    size_t *done, struct error *err)
{
	enum tls_answer answer;
	ssize_t got;

	if (channel->tls) {
		pthread_mutex_lock(&channel->lock);
		answer = tls_read(channel->tls, to, bytes, done, err);
		pthread_mutex_unlock(&channel->lock);
		return moved_of(answer);
	}
	got = receive_some(channel, to, bytes);
	*done = got > 0 ? (size_t)got : 0;
	return moved_by_call(got, MOVED_WAIT_READ, "read from", err);
}

static enum moved write_some(struct channel *channel, struct iovec *parts,
    size_t count, size_t *done, struct error *err)
{
	struct msghdr message = {
		.msg_iov = parts,
		.msg_iovlen = count < PARTS ? count : PARTS,
	};
	union control control;
	enum tls_answer answer;
	ssize_t sent;

	if (channel->tls) {
		pthread_mutex_lock(&channel->lock);
		answer = tls_write(
		    channel->tls, parts->iov_base, parts->iov_len, done, err);
		pthread_mutex_unlock(&channel->lock);
		return moved_of(answer);
	}
	add_passed(channel, &message, &control);
	sent = sendmsg(channel->fd, &message, MSG_NOSIGNAL);
	if (sent > 0)
		channel->to_pass = -1;
	*done = sent > 0 ? (size_t)sent : 0;
	return moved_by_call(sent, MOVED_WAIT_WRITE, "write to", err);
}

/* Waits if that is wanted: 0, to try again; -1. */
static int go_on(struct channel *channel, enum moved moved, struct error *err)
{
	switch (moved) {
	case MOVED:
		return 0;
	case MOVED_WAIT_READ:
		return wait_for(channel->fd, POLLIN, CHANNEL_STALL_MS, err);
	case MOVED_WAIT_WRITE:
		return wait_for(channel->fd, POLLOUT, CHANNEL_STALL_MS, err);
	case MOVED_END:
		return error_set(
		    err, ERROR_SYSTEM, "the connection was closed");
	default:
		return -1;
	}
}

/* Leaves out bytes that were sent, and parts that have none left. */
static void pass(struct iovec **parts, size_t *count, size_t bytes)
{
	while (*count > 0 && bytes >= (*parts)->iov_len) {
		bytes -= (*parts)->iov_len;
		(*parts)++;
		(*count)--;
	}
	if (*count > 0) {
		(*parts)->iov_base = (char *)(*parts)->iov_base + bytes;
		(*parts)->iov_len -= bytes;
	}
}

int channel_send(struct channel *channel, struct iovec *parts, size_t count,
    struct error *err)
{
	size_t done = 0;

	pass(&parts, &count, 0);
	while (count > 0) {
		if (go_on(channel,
		        write_some(channel, parts, count, &done, err), err))
			return -1;
		pass(&parts, &count, done);
	}
	return 0;
}

int channel_receive(void *arg, void *to, size_t bytes, struct error *err)
{
	struct channel *channel = arg;
	char *at = to;
	size_t done = 0;

	while (bytes > 0) {
		if (go_on(channel, read_some(channel, at, bytes, &done, err),
		        err))
			return -1;
		at += done;
		bytes -= done;
	}
	return 0;
}

/* Bytes that TLS has read already do not show at the socket. */
static bool has_bytes(struct channel *channel)
{
	bool has = false;

	if (!channel->tls)
		return false;
	pthread_mutex_lock(&channel->lock);
	has = tls_has_bytes(channel->tls);
	pthread_mutex_unlock(&channel->lock);
	return has;
}

enum channel_event channel_wait(
    struct channel *channel, int wake, unsigned timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = channel->fd, .events = POLLIN },
		{ .fd = wake, .events = POLLIN },
	};
	int rc;

	if (has_bytes(channel))
		return CHANNEL_READY;
	do
		rc = poll(fds, ARRAY_LEN(fds), (int)timeout_ms);
	while (rc < 0 && errno == EINTR);
	if (rc <= 0)
		return CHANNEL_LATE;
	if (fds[1].revents)
		return CHANNEL_WOKEN;
	return CHANNEL_READY;
}

/* ---- messages ---- */

int channel_tell(struct channel *channel, enum message_kind kind, uint32_t turn,
    struct span body, struct error *err)
{
	const struct frame frame = {
		.kind = kind,
		.turn = turn,
		.bytes = body.len,
	};
	unsigned char head[FRAME_BYTES];
	union { /* sendmsg only reads it */
		const unsigned char *given;
		void *part;
	} data = { .given = body.data };
	struct iovec parts[] = {
		{ .iov_base = head, .iov_len = sizeof(head) },
		{ .iov_base = data.part, .iov_len = body.len },
	};

	frame_put(&frame, head);
	return channel_send(channel, parts, ARRAY_LEN(parts), err);
}

int channel_hear(
    struct channel *channel, struct frame *frame, struct error *err)
{
	unsigned char head[FRAME_BYTES];

	if (channel_receive(channel, head, sizeof(head), err))
		return -1;
	return frame_parse(head, frame, err);
}

int channel_hear_body(struct channel *channel, const struct frame *frame,
    struct buf *body, struct error *err)
{
	/* Its length is not checked before batch_read takes it in parts. */
	if (frame->kind == MESSAGE_BATCH)
		return error_set(
		    err, ERROR_DATA, "a batch came that was not asked for");
	if (buf_reserve(body, (size_t)frame->bytes, err) ||
	    channel_receive(channel, body->data, (size_t)frame->bytes, err))
		return -1;
	body->len = (size_t)frame->bytes;
	return 0;
}
