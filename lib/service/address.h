/*
 * address.h - where the workers of a service are.
 *
 *	presto://HOST:PORT[,HOST:PORT ...][/NAME]     TCP
 *	prestos://HOST:PORT[,HOST:PORT ...][/NAME]    TCP with TLS
 *	presto:///PATH[,/PATH ...]                    Unix sockets
 *
 * An IPv6 address stands in brackets.  NAME is that of the dataset which the
 * workers have to serve.
 */
#ifndef LIB_SERVICE_ADDRESS_H
#define LIB_SERVICE_ADDRESS_H

#include <stdbool.h>

#include "lib/service/message.h"

struct error;

enum {
	ADDRESS_PLACES = 64,
	ADDRESS_TEXT = 512,
};

/* One worker. */
struct service_place {
	char text[ADDRESS_TEXT]; /* as given, for messages */
	char host[256];          /* "": `port` is the path of a socket */
	char port[ADDRESS_TEXT];
};

struct service_address {
	bool tls;
	char name[MESSAGE_NAME]; /* "": any dataset */
	unsigned count;
	struct service_place places[ADDRESS_PLACES];
};

/* Does the path of a dataset name a service? */
bool address_is(const char *path);
/* ERROR_USAGE says what is wrong. */
int address_parse(
    const char *url, struct service_address *address, struct error *err);

#endif
