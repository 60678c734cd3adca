/* server.c - see server.h: takes connections, and ends sessions. */
#define _GNU_SOURCE /* accept4 */
#include "lib/service/server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/service/listener.h"
#include "lib/service/session.h"

enum {
	LOOK_MS = 100, /* between two looks whether it is to stop */
	SURPLUS = 16,  /* connections that are refused in words */
};

struct server {
	const struct server_plan *plan;
	struct server_sums *sums;
	struct session **sessions; /* [count]; owned */
	size_t count, capacity;
	bool is_at_end; /* end of plan->until */
};

/* Frees the sessions that are over, or all. */
static void reap(struct server *server, bool all)
{
	size_t kept = 0;

	for (size_t i = 0; i < server->count; i++) {
		struct session *session = server->sessions[i];

		if (all || session_is_over(session))
			session_free(session, server->sums);
		else
			server->sessions[kept++] = session;
	}
	server->count = kept;
}

static void take(struct server *server, int fd)
{
	struct session **sessions;
	struct error ignored = ERROR_INIT;

	reap(server, false);
	sessions =
	    server->count < server->plan->loaders + SURPLUS
	        ? array_grow(server->sessions, &server->capacity,
	              server->count + 1, sizeof(struct session *), &ignored)
	        : NULL;
	if (!sessions) {
		close(fd);
		return;
	}
	server->sessions = sessions;
	sessions[server->count] = session_new(
	    server->plan, fd, server->count >= server->plan->loaders, &ignored);
	if (sessions[server->count])
		server->count++;
}

/* Reads what nobody needs; true at the end. */
static bool is_at_end(int fd)
{
	char text[512];
	const ssize_t got = read(fd, text, sizeof(text));

	return got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

/* Takes a connection if there is one: 0, or -1 if none can ever come. */
static int accept_one(
    struct server *server, const struct listener *listener, struct error *err)
{
	struct pollfd fds[] = {
		{ .fd = listener->fd, .events = POLLIN },
		{ .fd = server->plan->until, .events = POLLIN },
	};
	int fd;

	if (poll(fds, ARRAY_LEN(fds), LOOK_MS) <= 0)
		return 0;
	if (fds[1].revents)
		server->is_at_end = is_at_end(server->plan->until);
	if (!fds[0].revents)
		return 0;
	fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC);
	if (fd >= 0)
		take(server, fd);
	else if (errno == EBADF || errno == EINVAL || errno == ENOTSOCK)
		return error_errno(err, "listen at", listener->place);
	else if (errno == EMFILE || errno == ENFILE) /* others will end */
		clock_sleep_until(
		    clock_now(&clock_monotonic) + (uint64_t)LOOK_MS * 1000000);
	return 0;
}

/* Lets the sessions end in order, as long as that may take. */
static void drain(struct server *server)
{
	const uint64_t end = clock_now(&clock_monotonic) +
	                     (uint64_t)(server->plan->drain_s * 1e9);

	for (size_t i = 0; i < server->count; i++)
		session_leave(server->sessions[i]);
	while (server->count > 0 && clock_now(&clock_monotonic) < end) {
		clock_sleep_until(
		    clock_now(&clock_monotonic) + (uint64_t)LOOK_MS * 100000);
		reap(server, false);
	}
	for (size_t i = 0; i < server->count; i++)
		session_stop(server->sessions[i]);
	reap(server, true);
}

int server_run(const struct server_plan *plan, const struct listener *listener,
    struct server_sums *sums, struct error *err)
{
	struct server server = { .plan = plan, .sums = sums };
	sigset_t pipe, before;
	int rc = 0;

	*sums = (struct server_sums){ .loaders = 0 };
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	while (rc == 0 && !atomic_load(plan->stop) && !server.is_at_end) {
		rc = accept_one(&server, listener, err);
		reap(&server, false);
	}
	drain(&server);
	free(server.sessions);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}
