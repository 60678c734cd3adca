/*
 * far_store.h - the small object store of test/far/s3_server.py on loopback,
 * for tests of what speaks to one.  Faults are lines of its control file.
 */
#ifndef TEST_UNIT_FAR_STORE_H
#define TEST_UNIT_FAR_STORE_H

#include <sys/types.h>

#include "lib/media/medium.h"
#include "lib/media/s3/client.h"

struct store {
	char *dir, *control;
	pid_t pid;
	struct medium *medium;
	struct s3_client *client;
};

/* Group fixtures: start the server, and the environment says where it is. */
int store_start(void **state);
int store_stop(void **state);

/* Sets the faults from now on; "": none. */
void store_fault(const struct store *store, const char *lines);
/* Writes an object through the medium, and fails unless it holds a text. */
void store_put(struct store *store, const char *url, const char *text);
void store_holds(struct store *store, const char *url, const char *text);
struct medium_status store_status(struct store *store, const char *url);

#endif
