/* range_server.c - see range_server.h. */
#define _GNU_SOURCE /* strcasestr */
#include "test/bench/range_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "test/bench/bench.h"

enum { REQUEST_MOST = 8192, WAITING = 256 };

/* Of the server's process alone. */
struct served {
	int file;
	uint64_t size;
	unsigned delay_ms;
};

struct connection {
	const struct served *served;
	int socket;
	char text[REQUEST_MOST];
	size_t have;
};

/* Reads until a whole request is there; NULL: the client has gone. */
static char *read_request(struct connection *connection)
{
	char *end;

	connection->text[connection->have] = '\0';
	while (!(end = strstr(connection->text, "\r\n\r\n"))) {
		const ssize_t n = read(connection->socket,
		    connection->text + connection->have,
		    REQUEST_MOST - 1 - connection->have);

		if (n <= 0)
			return NULL;
		connection->have += (size_t)n;
		connection->text[connection->have] = '\0';
	}
	return end + 4;
}

static bool send_range(
    const struct connection *connection, uint64_t first, uint64_t last)
{
	off_t at = (off_t)first;
	char head[256];
	const int len = snprintf(head, sizeof(head),
	    "HTTP/1.1 206 Partial Content\r\nETag: \"one\"\r\n"
	    "Content-Length: %" PRIu64 "\r\nContent-Range: bytes %" PRIu64
	    "-%" PRIu64 "/%" PRIu64 "\r\n\r\n",
	    last - first + 1, first, last, connection->served->size);

	if (send(connection->socket, head, (size_t)len,
	        MSG_MORE | MSG_NOSIGNAL) != len)
		return false;
	while ((uint64_t)at <= last)
		if (sendfile(connection->socket, connection->served->file, &at,
		        last + 1 - (uint64_t)at) <= 0)
			return false;
	return true;
}

static bool answer(struct connection *connection, const char *end)
{
	const struct served *served = connection->served;
	const char *range = strcasestr(connection->text, "\nrange: bytes=");
	uint64_t first = 0, last = served->size - 1;
	char *rest;

	if (range && range < end) {
		first = strtoull(range + 14, &rest, 10);
		if (*rest == '-')
			last = strtoull(rest + 1, NULL, 10);
		if (last >= served->size)
			last = served->size - 1;
	}
	if (served->delay_ms)
		clock_sleep_until(clock_now(&clock_monotonic) +
		                  (uint64_t)served->delay_ms * 1000000);
	return first <= last && send_range(connection, first, last);
}

static void *serve(void *arg)
{
	struct connection *connection = arg;
	const char *end;

	while ((end = read_request(connection)) && answer(connection, end)) {
		const size_t used = (size_t)(end - connection->text);

		connection->have -= used;
		memmove(connection->text, connection->text + used,
		    connection->have);
	}
	close(connection->socket);
	free(connection);
	return NULL;
}

/* Accepts until it is killed. */
static void serve_all(const struct served *served, int listening)
{
	const int one = 1;

	for (;;) {
		struct connection *connection = calloc(1, sizeof(*connection));
		pthread_t thread;

		if (!connection)
			_exit(1);
		connection->served = served;
		connection->socket = accept(listening, NULL, NULL);
		if (connection->socket < 0)
			_exit(1);
		setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &one,
		    sizeof(one));
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

/* Returns a socket that listens at a port that the system chose. */
static int listen_somewhere(unsigned *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	const int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (listening < 0 ||
	    bind(listening, (struct sockaddr *)&address, len) ||
	    listen(listening, WAITING) ||
	    getsockname(listening, (struct sockaddr *)&address, &len))
		fail("start");
	*port = ntohs(address.sin_port);
	return listening;
}

void range_server_start(
    struct range_server *server, const char *file, unsigned delay_ms)
{
	struct served served = {
		.file = open(file, O_RDONLY | O_CLOEXEC),
		.delay_ms = delay_ms,
	};
	const int listening = listen_somewhere(&server->port);
	struct stat status;

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
