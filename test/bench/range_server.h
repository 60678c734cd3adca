/*
 * range_server.h - a server of byte ranges on the loopback, in a process of its
 * own: one object of made-up bytes under every name, HTTP/1.1, kept alive.  It
 * takes little time itself, so that clients are what is measured.
 */
#ifndef TEST_BENCH_RANGE_SERVER_H
#define TEST_BENCH_RANGE_SERVER_H

#include <stdint.h>
#include <sys/types.h>

struct range_server {
	pid_t process;
	unsigned port;
};

/* Waits `delay_ms` before each answer.  The file has the object. */
void range_server_start(
    struct range_server *server, const char *file, unsigned delay_ms);
void range_server_stop(const struct range_server *server);

#endif
