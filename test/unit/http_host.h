/*
 * http_host.h - a server of HTTP on the loopback, in threads of the test: what
 * each request is answered is a function of the test's.
 */
#ifndef TEST_UNIT_HTTP_HOST_H
#define TEST_UNIT_HTTP_HOST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "test/unit/http_serve.h"

enum { HTTP_HOST_LINKS = 256 };

struct http_host;

struct http_link {
	struct http_host *host;
	int socket;
	pthread_t thread;
};

struct http_host {
	char url[64]; /* http://127.0.0.1:PORT */
	atomic_uint asked;
	http_answer *answer;
	void *arg;
	int listening;
	pthread_t thread;
	struct http_link *links[HTTP_HOST_LINKS];
	size_t count;
};

/* Many threads call the answer. */
void http_host_start(struct http_host *host, http_answer *answer, void *arg);
/* Ends all connections, and waits for their threads. */
void http_host_stop(struct http_host *host);

/* False: the client has gone. */
bool host_say(int socket, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool host_send(int socket, const void *data, size_t len);

/* An object of made-up bytes, which is answered as a good server does. */
struct host_object {
	uint64_t size;
	const char *version; /* lines of the headers, each with its end */
	/* What was sent so far: requests with a body, and bytes of bodies. */
	atomic_uint_fast64_t requests, bytes;
	unsigned delay_ms; /* before each answer */
};

unsigned char host_byte(uint64_t at);
http_answer host_answer_object; /* of a struct host_object */

#endif
