/*
 * remote.h - a loader whose batches come from the workers of a service: the
 * batches, their order, positions and errors are those of an ordered loader
 * (ordered.h) with the same dataset and plan.
 *
 * Visitation: exactly once.  The loader asks workers for spans of batches, and
 * a batch counts as delivered when remote_loader_next has returned it.  If a
 * worker dies, or is silent for CHANNEL_STALL_MS, all batches that were not
 * delivered are asked for anew, from the workers that are left.  A worker that
 * is there again takes part again.
 *
 * Memory is bounded by a window of batches for each worker: a worker sends no
 * more than the caller has taken, and the window.
 *
 * Used by one thread, except remote_loader_interrupt.
 */
#ifndef LIB_SERVICE_REMOTE_H
#define LIB_SERVICE_REMOTE_H

#include "lib/loader/ordered/ordered.h"
#include "lib/service/message.h"

struct batch;
struct error;
struct remote_loader;
struct service;

/*
 * Asks the first worker that answers what the service delivers.  The token
 * comes from $PRESTO_TOKEN, or from the file $PRESTO_TOKEN_FILE; TLS trusts the
 * certificates in $PRESTO_CA_FILE, or those of the system.
 */
struct service *service_open(const char *url, struct error *err);
void service_free(struct service *service); /* after its loaders; or NULL */
const struct service_facts *service_facts(const struct service *service);

struct remote_loader *remote_loader_new(const struct service *service,
    const struct service_order *order, struct error *err);
/* Batches that were delivered remain valid.  Does nothing in a fork's child. */
void remote_loader_free(struct remote_loader *loader); /* NULL is fine */

/* These are as those of an ordered loader. */
uint64_t remote_loader_batches(const struct remote_loader *loader);
uint64_t remote_loader_order(const struct remote_loader *loader);
/*
 * ERROR_SYSTEM, too, if no worker answers for a minute: the next call tries
 * again.
 */
int remote_loader_next(struct remote_loader *loader, unsigned wait_ms,
    struct batch **batch, struct error *err);
void remote_loader_interrupt(struct remote_loader *loader);
struct ordered_position remote_loader_position(
    const struct remote_loader *loader);
void remote_loader_seek(
    struct remote_loader *loader, struct ordered_position position);
uint64_t remote_loader_skipped(const struct remote_loader *loader);
uint64_t remote_loader_filtered(const struct remote_loader *loader);

#endif
