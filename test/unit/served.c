/* served.c - see served.h. */
#include "test/unit/served.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "test/unit/test.h"

enum { STREAMS = 7, PER_STREAM = 23, WINDOW = 40 };

void served_init(struct served *served, const char *text, enum served_way way)
{
	struct error err = ERROR_INIT;

	memset(served, 0, sizeof(*served));
	fake_init(&served->fake, STREAMS, PER_STREAM);
	served->fake.varied = true;
	served->lend = 32;
	if (way == SERVED_CHUNKS)
		fake_offer_chunks(&served->fake);
	if (way == SERVED_PICKS)
		fake_offer_picks(&served->fake);
	test_ok(
	    ini_parse_text(&served->ini, "test.conf", text, strlen(text), &err),
	    &err);
	test_ok(pipeline_read(&served->pipeline, &served->ini, &err), &err);
	test_ok(
	    pipeline_bind(&served->pipeline, &served->fake.reader.schema, &err),
	    &err);
	served->plan = (struct ordered_plan){
		.reader = &served->fake.reader,
		.pipeline = &served->pipeline,
		.to = served->pipeline.count,
		.threads = 2,
		.batch = 8,
		.seed = 5,
		.world_size = 1,
		.window = WINDOW,
	};
	served->facts = (struct service_facts){
		.name = "test",
		.version = "0",
		.schema = served->pipeline.schemas[served->pipeline.count],
		.samples = STREAMS * PER_STREAM,
		.seed = 5,
		.identity = 1,
	};
}

void served_release(struct served *served)
{
	pipeline_release(&served->pipeline);
	ini_release(&served->ini);
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;
	const struct served *served = worker->served;
	const struct server_plan plan = {
		.facts = &served->facts,
		.source = served->plan,
		.token = served->token,
		.tls = served->tls,
		.loaders = 4,
		.lend = served->lend,
		.stop = &worker->stop,
		.until = -1,
		.drain_s = 10,
	};
	struct error err = ERROR_INIT;

	test_ok(
	    server_run(&plan, &worker->listener, &worker->sums, &err), &err);
	return NULL;
}

void worker_start(struct worker *worker, struct served *served, const char *dir,
    const char *name)
{
	char *path = dir ? test_path(dir, name) : NULL;
	struct error err = ERROR_INIT;

	worker->served = served;
	atomic_init(&worker->stop, false);
	test_ok(
	    path ? listener_open_path(&worker->listener, path, &err)
	         : listener_open_port(&worker->listener, "127.0.0.1", 0, &err),
	    &err);
	free(path);
	assert_int_equal(
	    pthread_create(&worker->thread, NULL, worker_main, worker), 0);
}

void worker_stop(struct worker *worker)
{
	atomic_store(&worker->stop, true);
	pthread_join(worker->thread, NULL);
	listener_close(&worker->listener);
}
