/* tls.c - see tls.h. */
#include "lib/service/tls.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

/* The name of the library that was there when presto was built: Makefile. */
#ifndef SSL_LIBRARY
#define SSL_LIBRARY "libssl.so.3"
#endif

/* Its functions, by the library's names. */
struct library {
#define SYMBOL(name) __typeof__(name) *name;
#include "lib/service/tls_symbols.def"
#undef SYMBOL
};

static const struct {
	const char *name;
	size_t offset;
} symbols[] = {
#define SYMBOL(name) { #name, offsetof(struct library, name) },
#include "lib/service/tls_symbols.def"
#undef SYMBOL
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct library only;
static bool is_loaded;

struct tls_context {
	SSL_CTX *context;
};

struct tls {
	SSL *ssl;
	bool is_client;
};

/* ---- loading ---- */

static int find_symbols(struct error *err)
{
	void *handle = dlopen(SSL_LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return error_set(err, ERROR_SYSTEM,
		    "TLS needs %s, which cannot be loaded: install libssl3 "
		    "(%s)",
		    SSL_LIBRARY, dlerror());
	for (size_t i = 0; i < ARRAY_LEN(symbols); i++) {
		/* libcrypto's are found as well: libssl needs it. */
		void *symbol = dlsym(handle, symbols[i].name);

		if (!symbol)
			return error_set(err, ERROR_SYSTEM,
			    "TLS needs another %s, with %s", SSL_LIBRARY,
			    symbols[i].name);
		memcpy(
		    (char *)&only + symbols[i].offset, &symbol, sizeof(symbol));
	}
	return 0;
}

static const struct library *load(struct error *err)
{
	const struct library *library = NULL;

	pthread_mutex_lock(&lock);
	if (!is_loaded && find_symbols(err) == 0)
		is_loaded = true;
	if (is_loaded)
		library = &only;
	pthread_mutex_unlock(&lock);
	return library;
}

/* Why the library's last call has failed; constant, or for a while. */
static const char *reason(void)
{
	const unsigned long number = only.ERR_get_error();
	const char *text = number ? only.ERR_reason_error_string(number) : NULL;

	return text ? text : "the connection was closed or is no TLS";
}

/* ---- contexts ---- */

/* Makes a context; `end` sets it up: 0, or -1. */
static struct tls_context *context_new(
    const SSL_METHOD *method, struct error *err)
{
	struct tls_context *context = memory_zeroed(sizeof(*context), err);

	if (!context)
		return NULL;
	only.ERR_clear_error();
	context->context = only.SSL_CTX_new(method);
	if (!context->context) {
		error_set(err, ERROR_SYSTEM, "cannot set up TLS: %s", reason());
		free(context);
		return NULL;
	}
	only.SSL_CTX_ctrl(context->context, SSL_CTRL_SET_MIN_PROTO_VERSION,
	    TLS1_2_VERSION, NULL);
	only.SSL_CTX_ctrl(context->context, SSL_CTRL_MODE,
	    SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER,
	    NULL);
	return context;
}

static int use_certificate(SSL_CTX *context, const char *certificate,
    const char *key, struct error *err)
{
	if (only.SSL_CTX_use_certificate_chain_file(context, certificate) != 1)
		return error_set(err, ERROR_USAGE,
		    "cannot use the certificate %s: %s", certificate, reason());
	if (only.SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) !=
	        1 ||
	    only.SSL_CTX_check_private_key(context) != 1)
		return error_set(err, ERROR_USAGE, "cannot use the key %s: %s",
		    key, reason());
	return 0;
}

struct tls_context *tls_server(
    const char *certificate, const char *key, struct error *err)
{
	const struct library *library = load(err);
	struct tls_context *context =
	    library ? context_new(library->TLS_server_method(), err) : NULL;

	if (context &&
	    use_certificate(context->context, certificate, key, err)) {
		tls_context_free(context);
		return NULL;
	}
	return context;
}

static int trust(SSL_CTX *context, const char *authorities, struct error *err)
{
	only.SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
	if (authorities ? only.SSL_CTX_load_verify_locations(
	                      context, authorities, NULL) != 1
	                : only.SSL_CTX_set_default_verify_paths(context) != 1)
		return error_set(err, ERROR_USAGE,
		    "cannot use the certificates of %s: %s",
		    authorities ? authorities : "the system", reason());
	return 0;
}

struct tls_context *tls_client(const char *authorities, struct error *err)
{
	const struct library *library = load(err);
	struct tls_context *context =
	    library ? context_new(library->TLS_client_method(), err) : NULL;

	if (context && trust(context->context, authorities, err)) {
		tls_context_free(context);
		return NULL;
	}
	return context;
}

void tls_context_free(struct tls_context *context)
{
	if (!context)
		return;
	only.SSL_CTX_free(context->context);
	free(context);
}

/* ---- connections ---- */

/* The host whose certificate is expected: a name, or an address. */
static int expect_host(SSL *ssl, const char *host)
{
	unsigned char address[sizeof(struct in6_addr)];
	char name[256];

	if (inet_pton(AF_INET, host, address) == 1 ||
	    inet_pton(AF_INET6, host, address) == 1)
		return only.X509_VERIFY_PARAM_set1_ip_asc(
		    only.SSL_get0_param(ssl), host);
	if (strlen(host) >= sizeof(name))
		return 0;
	memcpy(name, host, strlen(host) + 1);
	return only.SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME,
	           TLSEXT_NAMETYPE_host_name, name) == 1 &&
	       only.SSL_set1_host(ssl, host) == 1;
}

struct tls *tls_new(
    struct tls_context *context, int fd, const char *host, struct error *err)
{
	struct tls *tls = memory_zeroed(sizeof(*tls), err);

	if (!tls)
		return NULL;
	only.ERR_clear_error();
	tls->is_client = host != NULL;
	tls->ssl = only.SSL_new(context->context);
	if (tls->ssl && only.SSL_set_fd(tls->ssl, fd) == 1 &&
	    (!host || expect_host(tls->ssl, host)))
		return tls;
	error_set(err, ERROR_SYSTEM, "cannot set up TLS: %s", reason());
	tls_free(tls);
	return NULL;
}

void tls_free(struct tls *tls)
{
	if (tls && tls->ssl)
		only.SSL_free(tls->ssl);
	free(tls);
}

/* Says why a call has failed: the certificate, or what the library says. */
static enum tls_answer fail(struct tls *tls, struct error *err)
{
	const long verdict = only.SSL_get_verify_result(tls->ssl);

	if (tls->is_client && verdict != X509_V_OK)
		error_set(err, ERROR_SYSTEM,
		    "the certificate is not trusted: %s; $PRESTO_CA_FILE names "
		    "a file with certificates to trust",
		    only.X509_verify_cert_error_string(verdict));
	else
		error_set(err, ERROR_SYSTEM, "TLS: %s", reason());
	return TLS_FAILED;
}

static enum tls_answer answer_of(struct tls *tls, int rc, struct error *err)
{
	switch (only.SSL_get_error(tls->ssl, rc)) {
	case SSL_ERROR_NONE:
		return TLS_DONE;
	case SSL_ERROR_WANT_READ:
		return TLS_WANTS_READ;
	case SSL_ERROR_WANT_WRITE:
		return TLS_WANTS_WRITE;
	case SSL_ERROR_ZERO_RETURN:
		return TLS_CLOSED;
	default:
		return fail(tls, err);
	}
}

enum tls_answer tls_handshake(struct tls *tls, struct error *err)
{
	int rc;

	only.ERR_clear_error();
	errno = 0;
	rc = tls->is_client ? only.SSL_connect(tls->ssl)
	                    : only.SSL_accept(tls->ssl);
	return answer_of(tls, rc, err);
}

enum tls_answer tls_read(
    struct tls *tls, void *to, size_t bytes, size_t *done, struct error *err)
{
	*done = 0;
	only.ERR_clear_error();
	return answer_of(tls, only.SSL_read_ex(tls->ssl, to, bytes, done), err);
}

enum tls_answer tls_write(struct tls *tls, const void *from, size_t bytes,
    size_t *done, struct error *err)
{
	*done = 0;
	only.ERR_clear_error();
	return answer_of(
	    tls, only.SSL_write_ex(tls->ssl, from, bytes, done), err);
}

bool tls_has_bytes(struct tls *tls)
{
	return only.SSL_has_pending(tls->ssl) == 1;
}
