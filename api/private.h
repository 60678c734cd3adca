/* private.h - what the files of libpresto share; for api only. */
#ifndef API_PRIVATE_H
#define API_PRIVATE_H

#include <stddef.h>

#include "api/presto.h"
#include "lib/sample/sample.h"

struct batch;
struct error;
struct project;
struct service;

/* One of both is set. */
struct presto_dataset {
	struct project *project; /* owned */
	struct service *service; /* owned */
};

/* The representation that loaders deliver. */
const struct schema *dataset_schema(const struct presto_dataset *dataset);
bool dataset_skips_errors(const struct presto_dataset *dataset);
/* The name in reports: its path, its source, or its service's name. */
const char *dataset_name(const struct presto_dataset *dataset);

/* Tells the caller of the library, if it wants to know; returns -1. */
int error_tell(const struct error *err, struct presto_error *out);

/*
 * Copies a struct that begins with its size: `from` of the caller to `to` with
 * so many bytes, which has defaults.  ERROR_USAGE if a size is not set, or if a
 * later presto.h has members that are used here; `name` is that of the struct.
 */
int sized_take(void *to, size_t bytes, const void *from, const char *name,
    struct error *err);
/* Copies as much of `from` as the caller's struct has room for. */
void sized_give(void *to, const void *from);

void type_give(const struct type *type, struct presto_type *out);

/*
 * Makes room for a batch of up to so many samples, before one is taken that
 * could not be delivered without memory.  presto_batch_free is fine, too.
 */
struct presto_batch *presto_batch_new(
    unsigned samples, unsigned fields, struct error *err);
/* Puts a batch there, which presto_batch_free gives back (batch_give). */
void presto_batch_fill(struct presto_batch *made, struct batch *batch);
/* The bytes of all fields. */
uint64_t presto_batch_bytes(const struct presto_batch *batch);

#endif
