/* range_server.c - see range_server.h. */
#define _GNU_SOURCE /* sendfile */
#include "test/bench/range_server.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "test/bench/bench.h"
#include "test/unit/http_serve.h"

/* Of the server's process alone. */
struct served {
	int file;
	uint64_t size;
	unsigned delay_ms;
};

struct connection {
	struct served *served;
	int socket;
};

static bool send_range(
    const struct served *served, int socket, uint64_t first, uint64_t last)
{
	off_t at = (off_t)first;
	char head[256];
	const int len = snprintf(head, sizeof(head),
	    "HTTP/1.1 206 Partial Content\r\nETag: \"one\"\r\n"
	    "Content-Length: %" PRIu64 "\r\nContent-Range: bytes %" PRIu64
	    "-%" PRIu64 "/%" PRIu64 "\r\n\r\n",
	    last - first + 1, first, last, served->size);

	if (send(socket, head, (size_t)len, MSG_MORE | MSG_NOSIGNAL) != len)
		return false;
	while ((uint64_t)at <= last)
		if (sendfile(socket, served->file, &at,
		        last + 1 - (uint64_t)at) <= 0)
			return false;
	return true;
}

static bool answer(void *arg, const struct http_ask *ask)
{
	const struct served *served = arg;
	uint64_t last = served->size - 1;

	if (ask->has_range && ask->last < last)
		last = ask->last;
	if (served->delay_ms)
		clock_sleep_until(clock_now(&clock_monotonic) +
		                  (uint64_t)served->delay_ms * 1000000);
	return ask->first <= last &&
	       send_range(served, ask->socket, ask->first, last);
}

static void *serve(void *arg)
{
	struct connection *connection = arg;

	http_serve(connection->socket, answer, connection->served);
	close(connection->socket);
	free(connection);
	return NULL;
}

/* Accepts until it is killed. */
static void serve_all(struct served *served, int listening)
{
	for (;;) {
		struct connection *connection = calloc(1, sizeof(*connection));
		pthread_t thread;

		if (!connection)
			_exit(1);
		connection->served = served;
		connection->socket = http_serve_accept(listening);
		if (connection->socket < 0)
			_exit(1);
		if (pthread_create(&thread, NULL, serve, connection))
			_exit(1);
		pthread_detach(thread);
	}
}

static void fail(const char *what)
{
	struct error err = ERROR_INIT;

	error_errno(&err, what, "a server on the loopback");
	bench_die(&err);
}

void range_server_start(
    struct range_server *server, const char *file, unsigned delay_ms)
{
	struct served served = {
		.file = open(file, O_RDONLY | O_CLOEXEC),
		.delay_ms = delay_ms,
	};
	const int listening = http_serve_listen(&server->port);
	struct stat status;

	if (listening < 0)
		fail("start");
	if (served.file < 0 || fstat(served.file, &status))
		fail("give a file to");
	served.size = (uint64_t)status.st_size;
	server->process = fork();
	if (server->process < 0)
		fail("start");
	if (server->process == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve_all(&served, listening);
	}
	close(served.file);
	close(listening);
}

void range_server_stop(const struct range_server *server)
{
	kill(server->process, SIGKILL);
	waitpid(server->process, NULL, 0);
}
