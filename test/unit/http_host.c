/* http_host.c - see http_host.h. */
#include "test/unit/http_host.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "test/unit/test.h"

enum { STEP = 16384 };

bool host_send(int socket, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		const ssize_t n = send(socket, at, len, MSG_NOSIGNAL);

		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

bool host_say(int socket, const char *format, ...)
{
	char text[1024];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return len >= 0 && host_send(socket, text, (size_t)len);
}

static bool answer(void *arg, const struct http_ask *ask)
{
	struct http_host *host = arg;

	atomic_fetch_add(&host->asked, 1);
	return host->answer(host->arg, ask);
}

static void *serve(void *arg)
{
	const struct http_link *link = arg;

	http_serve(link->socket, answer, link->host);
	shutdown(link->socket, SHUT_RDWR);
	return NULL;
}

static void *accept_all(void *arg)
{
	struct http_host *host = arg;

	while (host->count < HTTP_HOST_LINKS) {
		const int got = http_serve_accept(host->listening);
		struct http_link *link;

		if (got < 0)
			break;
		link = calloc(1, sizeof(*link));
		if (!link)
			break;
		link->host = host;
		link->socket = got;
		host->links[host->count++] = link;
		if (pthread_create(&link->thread, NULL, serve, link))
			abort();
	}
	return NULL;
}

void http_host_start(struct http_host *host, http_answer *answers, void *arg)
{
	unsigned port = 0;

	memset(host, 0, sizeof(*host));
	atomic_init(&host->asked, 0);
	host->answer = answers;
	host->arg = arg;
	host->listening = http_serve_listen(&port);
	assert_true(host->listening >= 0);
	snprintf(host->url, sizeof(host->url), "http://127.0.0.1:%u", port);
	assert_int_equal(
	    pthread_create(&host->thread, NULL, accept_all, host), 0);
}

void http_host_stop(struct http_host *host)
{
	shutdown(host->listening, SHUT_RDWR);
	pthread_join(host->thread, NULL);
	close(host->listening);
	for (size_t i = 0; i < host->count; i++) {
		struct http_link *link = host->links[i];

		shutdown(link->socket, SHUT_RDWR);
		pthread_join(link->thread, NULL);
		close(link->socket);
		free(link);
	}
}

/* ---- an object ---- */

unsigned char host_byte(uint64_t at)
{
	return (unsigned char)(at * 31 + at / 1000);
}

static bool send_bytes(
    struct host_object *object, int socket, uint64_t first, uint64_t end)
{
	unsigned char bytes[STEP];

	while (first < end) {
		const size_t n =
		    end - first < STEP ? (size_t)(end - first) : STEP;

		for (size_t i = 0; i < n; i++)
			bytes[i] = host_byte(first + i);
		atomic_fetch_add(&object->bytes, n);
		if (!host_send(socket, bytes, n))
			return false;
		first += n;
	}
	return true;
}

bool host_answer_object(void *arg, const struct http_ask *ask)
{
	struct host_object *object = arg;
	const char *version = object->version ? object->version : "";
	uint64_t end = object->size;

	if (object->delay_ms)
		clock_sleep_until(clock_now(&clock_monotonic) +
		                  (uint64_t)object->delay_ms * 1000000);
	if (ask->has_range && ask->last < end)
		end = ask->last + 1;
	if (strcmp(ask->method, "HEAD") == 0)
		return host_say(ask->socket,
		    "HTTP/1.1 200 OK\r\n%sContent-Length: %" PRIu64 "\r\n\r\n",
		    version, object->size);
	atomic_fetch_add(&object->requests, 1);
	if (!ask->has_range)
		return host_say(ask->socket,
		           "HTTP/1.1 200 OK\r\n%sContent-Length: %" PRIu64
		           "\r\n\r\n",
		           version, object->size) &&
		       send_bytes(object, ask->socket, 0, end);
	if (ask->first >= end)
		return host_say(ask->socket,
		    "HTTP/1.1 416 No\r\n%sContent-Range: bytes */%" PRIu64
		    "\r\nContent-Length: 0\r\n\r\n",
		    version, object->size);
	return host_say(ask->socket,
	           "HTTP/1.1 206 Partial\r\n%sContent-Length: %" PRIu64
	           "\r\nContent-Range: bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64
	           "\r\n\r\n",
	           version, end - ask->first, ask->first, end - 1,
	           object->size) &&
	       send_bytes(object, ask->socket, ask->first, end);
}
