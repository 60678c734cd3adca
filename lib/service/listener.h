/*
 * listener.h - where a worker waits for loaders: a Unix socket that only its
 * user may open, or a port of an address.
 */
#ifndef LIB_SERVICE_LISTENER_H
#define LIB_SERVICE_LISTENER_H

#include <stdbool.h>

#include "lib/service/address.h"

struct error;

struct listener {
	int fd;
	char *path;               /* owned: of the socket; NULL: a port */
	char place[ADDRESS_TEXT]; /* "127.0.0.1:4242", or the path */
	bool is_open;             /* other machines can reach it */
};

#define LISTENER_INIT     \
	{                 \
		.fd = -1, \
	}

/*
 * Makes the socket with mode 0600.  One that a killed worker has left behind is
 * replaced; ERROR_USAGE if somebody listens there, or if it is another file.
 */
int listener_open_path(
    struct listener *listener, const char *path, struct error *err);
/* `port` 0: the system chooses.  `host`: a name, or an address. */
int listener_open_port(struct listener *listener, const char *host,
    unsigned port, struct error *err);
/* Removes the socket; an unopened listener is fine. */
void listener_close(struct listener *listener);

#endif
