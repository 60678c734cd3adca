/*
 * server.h - a worker: runs online steps here, and hands the batches to loaders
 * on other machines, or in other programs.
 *
 * A loader asks for spans of batches of its order.  What batch n of an epoch
 * holds depends on the dataset and the order only, so any worker with the same
 * dataset can deliver it, and a worker keeps nothing that a loader would miss.
 *
 * Each loader has a session: a connection, an ordered loader with its threads,
 * and as many batches on their way as the loader has given credit for.
 *
 * Loaders at a Unix socket get batches lent, see lent.h: those of the ordered
 * loader, which made them in memory that the loader maps.  They are not copied.
 */
#ifndef LIB_SERVICE_SERVER_H
#define LIB_SERVICE_SERVER_H

#include <stdatomic.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/loader/ordered/ordered.h"
#include "lib/service/message.h"

struct error;
struct listener;
struct tls_context;

struct server_plan {
	const struct service_facts *facts; /* borrowed */
	/*
	 * The data and its threads.  The loaders decide about batch, shuffle,
	 * drop_last, seed, rank and world_size.
	 */
	struct ordered_plan source;
	struct span token;       /* token of the loaders; empty: none */
	struct tls_context *tls; /* borrowed; NULL: none */
	unsigned loaders;        /* at the same time, at most */
	unsigned lend;           /* batches to each local loader, at most */
	/* When it is set, the worker ends in order, within `drain_s`. */
	const atomic_bool *stop;
	int until; /* a descriptor whose end is as `stop`; -1: none */
	double drain_s;
};

/* Sums of a worker. */
struct server_sums {
	uint64_t loaders, refused; /* refused: wrong token, other dataset ... */
	uint64_t batches, samples, bytes;
	uint64_t lent; /* batches that were lent, among the others */
};

/*
 * Serves until `stop` is set, or `until` ends.  Then it takes no more loaders,
 * tells those that are there, delivers what they have asked for, and returns.
 */
int server_run(const struct server_plan *plan, const struct listener *listener,
    struct server_sums *sums, struct error *err);

#endif
