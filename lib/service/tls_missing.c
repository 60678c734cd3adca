/* tls_missing.c - tls.h in a build without libssl. */
#include <stddef.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/service/tls.h"

static struct tls_context *refuse(struct error *err)
{
	error_set(err, ERROR_USAGE,
	    "this build of presto lacks libssl, which TLS needs");
	return NULL;
}

struct tls_context *tls_server(
    const char *certificate, const char *key, struct error *err)
{
	UNUSED(certificate);
	UNUSED(key);
	return refuse(err);
}

struct tls_context *tls_client(const char *authorities, struct error *err)
{
	UNUSED(authorities);
	return refuse(err);
}

void tls_context_free(struct tls_context *context)
{
	UNUSED(context);
}

struct tls *tls_new(
    struct tls_context *context, int fd, const char *host, struct error *err)
{
	UNUSED(context);
	UNUSED(fd);
	UNUSED(host);
	refuse(err);
	return NULL;
}

void tls_free(struct tls *tls)
{
	UNUSED(tls);
}

enum tls_answer tls_handshake(struct tls *tls, struct error *err)
{
	UNUSED(tls);
	refuse(err);
	return TLS_FAILED;
}

enum tls_answer tls_read(
    struct tls *tls, void *to, size_t bytes, size_t *done, struct error *err)
{
	UNUSED(tls);
	UNUSED(to);
	UNUSED(bytes);
	*done = 0;
	refuse(err);
	return TLS_FAILED;
}

enum tls_answer tls_write(struct tls *tls, const void *from, size_t bytes,
    size_t *done, struct error *err)
{
	UNUSED(tls);
	UNUSED(from);
	UNUSED(bytes);
	*done = 0;
	refuse(err);
	return TLS_FAILED;
}

bool tls_has_bytes(struct tls *tls)
{
	UNUSED(tls);
	return false;
}
