/*
 * keyring.h - the keys of a client of S3 (client.h), renewed before they end,
 * with its region and its endpoint.
 *
 * New keys may come from far: from instance metadata, or from a program that
 * takes a minute.  One thread asks for them, and others go on with keys that
 * have not ended yet, or wait.
 */
#ifndef LIB_MEDIA_S3_KEYRING_H
#define LIB_MEDIA_S3_KEYRING_H

#include <stdbool.h>

struct credentials;
struct error;
struct http_pool;
struct keyring;

/* Reads nothing yet. */
struct keyring *keyring_new(struct http_pool *pool, struct error *err);
void keyring_free(struct keyring *keyring); /* NULL is fine */
/* Returns keys that have not ended, to be given back. */
struct credentials *keyring_take(struct keyring *keyring, struct error *err);
/* The server has refused these keys: are there newer ones? */
bool keyring_renew(struct keyring *keyring, const struct credentials *refused);

/* As the environment has it; after keys were taken. */
const char *keyring_region(const struct keyring *keyring);
/* NULL: AWS. */
const char *keyring_endpoint(const struct keyring *keyring);

#endif
