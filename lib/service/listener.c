/* listener.c - see listener.h. */
#include "lib/service/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/files/path.h"

enum { BACKLOG = 64 };

/* ---- Unix sockets ---- */

/* Does somebody listen at this socket? */
static bool is_answered(const struct sockaddr_un *address)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const bool is = fd >= 0 && connect(fd, (const struct sockaddr *)address,
	                               sizeof(*address)) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

/* Makes the path free, if only a socket of nobody is there. */
static int clear_path(const struct sockaddr_un *address, struct error *err)
{
	const char *path = address->sun_path;
	struct stat found;

	if (lstat(path, &found))
		return errno == ENOENT ? 0 : error_errno(err, "look at", path);
	if (!S_ISSOCK(found.st_mode))
		return error_set(err, ERROR_USAGE,
		    "%s is there already, and is no socket", path);
	if (is_answered(address))
		return error_set(err, ERROR_USAGE,
		    "another program listens at %s: give another --socket",
		    path);
	return unlink(path) ? error_errno(err, "remove", path) : 0;
}

/* Nobody can connect before listen, so the mode is right from the start. */
static int bind_path(struct listener *listener,
    const struct sockaddr_un *address, struct error *err)
{
	const char *path = address->sun_path;

	listener->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener->fd < 0 ||
	    bind(listener->fd, (const struct sockaddr *)address,
	        sizeof(*address)))
		return error_errno(err, "make the socket", path);
	listener->path = strdup(path);
	if (!listener->path) {
		unlink(path);
		return error_memory(err, strlen(path));
	}
	if (chmod(path, S_IRUSR | S_IWUSR) || listen(listener->fd, BACKLOG))
		return error_errno(err, "listen at", path);
	return 0;
}

/* The path as loaders need it, whatever their folder is. */
static char *absolute_path(const char *path, struct error *err)
{
	char *dir = path_dir(path, err);
	char *whole = dir ? path_absolute(dir, err) : NULL;
	char *joined = whole ? path_join(whole, path_base(path), err) : NULL;

	free(whole);
	free(dir);
	return joined;
}

int listener_open_path(
    struct listener *listener, const char *path, struct error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char *whole = absolute_path(path, err);
	int rc = whole ? 0 : -1;

	*listener = (struct listener)LISTENER_INIT;
	if (whole && strlen(whole) >= sizeof(address.sun_path))
		rc = error_set(err, ERROR_USAGE,
		    "the path of a socket may have %zu bytes, got %zu: %s",
		    sizeof(address.sun_path) - 1, strlen(whole), whole);
	if (rc == 0) {
		memcpy(address.sun_path, whole, strlen(whole) + 1);
		snprintf(listener->place, sizeof(listener->place), "%s", whole);
		rc = clear_path(&address, err);
	}
	if (rc == 0)
		rc = bind_path(listener, &address, err);
	free(whole);
	if (rc)
		listener_close(listener);
	return rc;
}

/* ---- ports ---- */

static bool is_loopback(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET) {
		struct sockaddr_in four;

		memcpy(&four, address, sizeof(four));
		return ntohl(four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	}
	if (address->sa_family == AF_INET6) {
		struct sockaddr_in6 six;

		memcpy(&six, address, sizeof(six));
		return IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
	}
	return false;
}

/* Notes the address that the system has chosen. */
static int tell_place(struct listener *listener, struct error *err)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);
	char host[256], port[16];
	const struct sockaddr *bound = (const struct sockaddr *)&address;

	if (getsockname(listener->fd, (struct sockaddr *)&address, &len))
		return error_errno(err, "name", "a socket");
	if (getnameinfo(bound, len, host, sizeof(host), port, sizeof(port),
	        NI_NUMERICHOST | NI_NUMERICSERV))
		return error_set(err, ERROR_SYSTEM, "a socket has no address");
	listener->is_open = !is_loopback(bound);
	snprintf(listener->place, sizeof(listener->place),
	    address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
	return 0;
}

/* Listens at one address of the host: 0, or -1 and errno. */
static int try_address(struct listener *listener, const struct addrinfo *at)
{
	const int yes = 1;
	int why;

	listener->fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener->fd < 0)
		return -1;
	setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(listener->fd, at->ai_addr, at->ai_addrlen) == 0 &&
	    listen(listener->fd, BACKLOG) == 0)
		return 0;
	why = errno;
	close(listener->fd);
	listener->fd = -1;
	errno = why;
	return -1;
}

int listener_open_port(struct listener *listener, const char *host,
    unsigned port, struct error *err)
{
	const struct addrinfo wanted = {
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
	};
	struct addrinfo *found = NULL;
	char service[16], place[ADDRESS_TEXT];
	int rc;

	*listener = (struct listener)LISTENER_INIT;
	snprintf(service, sizeof(service), "%u", port);
	snprintf(place, sizeof(place), "%s:%u", host, port);
	rc = getaddrinfo(host, service, &wanted, &found);
	if (rc)
		return error_set(err, ERROR_USAGE, "cannot listen at %s: %s",
		    host, gai_strerror(rc));
	rc = -1;
	for (const struct addrinfo *at = found; at && rc; at = at->ai_next)
		rc = try_address(listener, at);
	if (rc)
		error_errno(err, "listen at", place);
	freeaddrinfo(found);
	if (rc == 0)
		rc = tell_place(listener, err);
	if (rc)
		listener_close(listener);
	return rc;
}

void listener_close(struct listener *listener)
{
	if (listener->path)
		unlink(listener->path);
	if (listener->fd >= 0)
		close(listener->fd);
	free(listener->path);
	*listener = (struct listener)LISTENER_INIT;
}
