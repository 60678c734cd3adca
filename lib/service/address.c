/* address.c - see address.h. */
#include "lib/service/address.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"

static const char plain[] = "presto://", secure[] = "prestos://";

enum { PORT_MOST = 65535 };

static bool begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

bool address_is(const char *path)
{
	return begins_with(path, plain) || begins_with(path, secure);
}

static int invalid(
    const struct service_place *place, const char *what, struct error *err)
{
	return error_set(err, ERROR_USAGE,
	    "'%s' %s; write presto://HOST:PORT, "
	    "or presto:///PATH/OF/SOCKET",
	    place->text, what);
}

static int split_host(struct service_place *place, struct error *err)
{
	const char *text = place->text, *colon = strrchr(text, ':');
	const bool is_six = *text == '[' && colon && colon[-1] == ']';
	uint64_t port;
	size_t len;

	if (!colon || colon == text)
		return invalid(place, "has no port", err);
	len = (size_t)(colon - text) - 2 * is_six;
	if (len == 0 || len >= sizeof(place->host) ||
	    (!is_six && memchr(text, ':', len)))
		return invalid(place, "has no valid host", err);
	if (units_parse_uint(colon + 1, &port) || port == 0 || port > PORT_MOST)
		return invalid(place, "has no port from 1 to 65535", err);
	memcpy(place->host, text + is_six, len);
	place->host[len] = '\0';
	snprintf(place->port, sizeof(place->port), "%u", (unsigned)port);
	return 0;
}

/* Adds a worker: "HOST:PORT" or "/PATH". */
static int add_place(struct service_address *address, const char *text,
    size_t len, struct error *err)
{
	struct service_place *place = &address->places[address->count];

	if (address->count == ADDRESS_PLACES)
		return error_set(err, ERROR_USAGE,
		    "more than %d workers in one address", ADDRESS_PLACES);
	if (len == 0 || len >= sizeof(place->text))
		return error_set(err, ERROR_USAGE,
		    "the address of a worker must have 1 to %zu bytes, got "
		    "%zu",
		    sizeof(place->text) - 1, len);
	memcpy(place->text, text, len);
	place->text[len] = '\0';
	address->count++;
	if (*place->text != '/')
		return split_host(place, err);
	place->host[0] = '\0';
	memcpy(place->port, place->text, len + 1);
	return 0;
}

/* Takes the name behind the hosts away; sockets have none. */
static int split_name(struct service_address *address, const char *rest,
    size_t *len, struct error *err)
{
	const char *slash = strchr(rest, '/');

	*len = strlen(rest);
	address->name[0] = '\0';
	if (!slash || slash == rest)
		return 0;
	*len = (size_t)(slash - rest);
	if (strlen(slash + 1) >= sizeof(address->name))
		return error_set(err, ERROR_USAGE,
		    "the name of the dataset is too long: %s", slash + 1);
	snprintf(address->name, sizeof(address->name), "%s", slash + 1);
	return 0;
}

int address_parse(
    const char *url, struct service_address *address, struct error *err)
{
	const char *rest;
	size_t len;

	address->tls = begins_with(url, secure);
	address->count = 0;
	rest = url + (address->tls ? strlen(secure) : strlen(plain));
	if (split_name(address, rest, &len, err))
		return -1;
	for (;;) {
		const char *comma = memchr(rest, ',', len);
		const size_t part = comma ? (size_t)(comma - rest) : len;

		if (add_place(address, rest, part, err))
			return error_prefix(err, "%s", url);
		if (!comma)
			break;
		rest = comma + 1;
		len -= part + 1;
	}
	for (unsigned i = 0; address->tls && i < address->count; i++)
		if (!*address->places[i].host)
			return error_set(err, ERROR_USAGE,
			    "%s: a Unix socket needs no TLS: write presto://",
			    url);
	return 0;
}
