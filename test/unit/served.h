/*
 * served.h - workers of a service in this process, for tests: images of a fake
 * reader, behind a few steps.
 */
#ifndef TEST_UNIT_SERVED_H
#define TEST_UNIT_SERVED_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/loader/ordered/ordered.h"
#include "lib/pipeline/pipeline.h"
#include "lib/service/listener.h"
#include "lib/service/server.h"
#include "lib/syntax/ini.h"
#include "test/unit/fake_reader.h"

struct tls_context;

/* How the fake reader gives its samples. */
enum served_way { SERVED_STREAMS, SERVED_CHUNKS, SERVED_PICKS, SERVED_WAYS };

/* What is served, and how a loader here would read it. */
struct served {
	struct ini ini;
	struct pipeline pipeline;
	struct fake fake;
	struct ordered_plan plan;
	struct service_facts facts;
	struct span token;       /* set it before workers start */
	struct tls_context *tls; /* likewise; borrowed */
	unsigned lend;           /* likewise: batches; at first 32 */
};

void served_init(
    struct served *served, const char *pipeline, enum served_way way);
void served_release(struct served *served);

struct worker {
	struct served *served; /* borrowed */
	struct listener listener;
	struct server_sums sums;
	atomic_bool stop;
	pthread_t thread;
};

/* Serves at the socket DIR/NAME, or, without a folder, at a port of 127.0.0.1.
 */
void worker_start(struct worker *worker, struct served *served, const char *dir,
    const char *name);
/* Ends it as SIGTERM does, and waits. */
void worker_stop(struct worker *worker);

#endif
