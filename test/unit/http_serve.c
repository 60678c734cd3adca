/* http_serve.c - see http_serve.h. */
#define _GNU_SOURCE /* strcasestr */
#include "test/unit/http_serve.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { REQUEST_MOST = 8192, WAITING = 256 };

struct requests {
	int socket;
	char text[REQUEST_MOST]; /* ends with NUL */
	size_t have;
};

int http_serve_listen(unsigned *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	const int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (listening < 0 ||
	    bind(listening, (struct sockaddr *)&address, len) ||
	    listen(listening, WAITING) ||
	    getsockname(listening, (struct sockaddr *)&address, &len))
		return -1;
	*port = ntohs(address.sin_port);
	return listening;
}

int http_serve_accept(int listening)
{
	const int one = 1, got = accept(listening, NULL, NULL);

	if (got >= 0)
		setsockopt(got, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return got;
}

/* Returns the end of a whole request; NULL: the client has gone. */
static char *read_request(struct requests *requests)
{
	char *end;

	requests->text[requests->have] = '\0';
	while (!(end = strstr(requests->text, "\r\n\r\n"))) {
		const ssize_t n =
		    recv(requests->socket, requests->text + requests->have,
		        REQUEST_MOST - 1 - requests->have, 0);

		if (n <= 0)
			return NULL;
		requests->have += (size_t)n;
		requests->text[requests->have] = '\0';
	}
	return end + 4;
}

static bool parse(
    const struct requests *requests, const char *end, struct http_ask *ask)
{
	const char *range = strcasestr(requests->text, "\nrange: bytes=");

	*ask = (struct http_ask){ .socket = requests->socket };
	if (range && range < end)
		ask->has_range = sscanf(range + 14, "%" SCNu64 "-%" SCNu64,
		                     &ask->first, &ask->last) == 2;
	return sscanf(requests->text, "%7s %63s", ask->method, ask->path) == 2;
}

void http_serve(int socket, http_answer *answer, void *arg)
{
	struct requests requests = { .socket = socket };
	struct http_ask ask;
	const char *end;

	while ((end = read_request(&requests)) && parse(&requests, end, &ask) &&
	       answer(arg, &ask)) {
		const size_t used = (size_t)(end - requests.text);

		requests.have -= used;
		memmove(requests.text, requests.text + used, requests.have);
	}
}
