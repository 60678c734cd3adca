/*
 * tls.h - encrypted connections, by OpenSSL's libssl.  The library is loaded
 * when it is first needed.  A build without it refuses TLS in words.
 *
 * A client checks that the certificate of the worker is signed by an authority
 * that it trusts, and that it is the certificate of this host.
 */
#ifndef LIB_SERVICE_TLS_H
#define LIB_SERVICE_TLS_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct tls_context; /* certificates; for any number of connections */
struct tls;         /* one connection */

/* Files in PEM format: the certificate, with those of its chain, and its key.
 */
struct tls_context *tls_server(
    const char *certificate, const char *key, struct error *err);
/* `authorities`: a file in PEM format; NULL: those of the system. */
struct tls_context *tls_client(const char *authorities, struct error *err);
void tls_context_free(struct tls_context *context); /* NULL is fine */

/*
 * Begins a connection over a socket that does not block; the socket stays the
 * caller's.  `host`: the name or address that the client has asked for; NULL:
 * this is the server.
 */
struct tls *tls_new(
    struct tls_context *context, int fd, const char *host, struct error *err);
void tls_free(struct tls *tls); /* NULL is fine; sends nothing */

enum tls_answer {
	TLS_DONE,
	TLS_WANTS_READ, /* call it again when the socket can be read */
	TLS_WANTS_WRITE,
	TLS_CLOSED, /* by the other side */
	TLS_FAILED, /* see the error */
};

/* The functions below are not called by two threads at a time. */
enum tls_answer tls_handshake(struct tls *tls, struct error *err);
/* Read or write some bytes, *done of them. */
enum tls_answer tls_read(
    struct tls *tls, void *to, size_t bytes, size_t *done, struct error *err);
enum tls_answer tls_write(struct tls *tls, const void *from, size_t bytes,
    size_t *done, struct error *err);
/* Are there bytes that were received but not read? */
bool tls_has_bytes(struct tls *tls);

#endif
