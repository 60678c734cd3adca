/* channel_connect.c - connects to a worker; see channel.h. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/service/address.h"
#include "lib/service/channel.h"

/* Waits until the socket is connected: 0, or -1 and errno. */
static int finish(int fd)
{
	struct pollfd one = { .fd = fd, .events = POLLOUT };
	socklen_t len = sizeof(int);
	int rc, why = 0;

	do
		rc = poll(&one, 1, CHANNEL_CONNECT_MS);
	while (rc < 0 && errno == EINTR);
	if (rc == 0)
		errno = ETIMEDOUT;
	if (rc <= 0)
		return -1;
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &len);
	errno = why;
	return why ? -1 : 0;
}

/* Connects a new socket: its number, or -1 and errno. */
static int connect_to(const struct sockaddr *address, socklen_t len)
{
	const int fd =
	    socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int why;

	if (fd < 0)
		return -1;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	if (connect(fd, address, len) == 0 ||
	    (errno == EINPROGRESS && finish(fd) == 0))
		return fd;
	why = errno;
	close(fd);
	errno = why;
	return -1;
}

static int connect_path(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address.sun_path, path, strlen(path) + 1);
	return connect_to((const struct sockaddr *)&address, sizeof(address));
}

/* Tries all addresses of the host. */
static int connect_host(const struct service_place *place, struct error *err)
{
	const struct addrinfo wanted = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	const int rc = getaddrinfo(place->host, place->port, &wanted, &found);
	int fd = -1, why;

	if (rc) {
		error_set(err, ERROR_SYSTEM, "cannot find host %s: %s",
		    place->host, gai_strerror(rc));
		return -1;
	}
	errno = EADDRNOTAVAIL;
	for (const struct addrinfo *at = found; at && fd < 0; at = at->ai_next)
		fd = connect_to(at->ai_addr, at->ai_addrlen);
	why = errno;
	freeaddrinfo(found);
	errno = why;
	if (fd < 0)
		error_errno(err, "connect to", place->text);
	return fd;
}

struct channel *channel_connect(const struct service_place *place,
    struct tls_context *tls, struct error *err)
{
	const bool is_host = *place->host != '\0';
	int fd;

	if (is_host) {
		fd = connect_host(place, err);
	} else {
		fd = connect_path(place->port);
		if (fd < 0)
			error_errno(err, "connect to", place->text);
	}
	return fd < 0 ? NULL
	              : channel_new(fd, tls, is_host ? place->host : NULL, err);
}
