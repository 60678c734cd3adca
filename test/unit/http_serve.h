/*
 * http_serve.h - what servers of HTTP on the loopback share, in tests and in
 * benches: the requests of each connection are answered in turn.
 */
#ifndef TEST_UNIT_HTTP_SERVE_H
#define TEST_UNIT_HTTP_SERVE_H

#include <stdbool.h>
#include <stdint.h>

/* A request, as far as tests need it. */
struct http_ask {
	char method[8], path[64];
	bool has_range;
	uint64_t first, last;
	int socket; /* takes the answer */
};

/* Answers a request; false: the connection ends. */
typedef bool http_answer(void *arg, const struct http_ask *ask);

/* Listens at a port that the system chooses; -1 with errno. */
int http_serve_listen(unsigned *port);
/* Waits for a connection, which sends without delay; -1: none comes. */
int http_serve_accept(int listening);
/* Returns when the connection has ended; its socket stays open. */
void http_serve(int socket, http_answer *answer, void *arg);

#endif
