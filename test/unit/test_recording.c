/* test_recording.c - the events of a traced epoch. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/loader/loader.h"
#include "lib/loader/state.h"
#include "lib/measure/trace_event.h"
#include "lib/syntax/ini.h"
#include "test/unit/fake_reader.h"
#include "test/unit/test.h"

enum { STREAMS = 7, PER_STREAM = 23, SAMPLES = STREAMS * PER_STREAM };
enum { FETCHERS = 2, WORKERS = 3, THREADS = FETCHERS + WORKERS + 1 };

static const char steps[] = "[pipeline]\n"
                            "cut = center_crop size=4\n"
                            "flipped = hflip\n"
                            "centered = center\n";

struct setup {
	struct ini ini;
	struct pipeline pipeline;
	struct fake fake;
	struct loader *loader;
};

static void set_up(struct setup *s)
{
	struct error err = ERROR_INIT;
	struct loader_plan plan;

	fake_init(&s->fake, STREAMS, PER_STREAM);
	s->ini = (struct ini)INI_INIT;
	test_ok(
	    ini_parse_text(&s->ini, "test.conf", steps, strlen(steps), &err),
	    &err);
	test_ok(pipeline_read(&s->pipeline, &s->ini, &err), &err);
	test_ok(
	    pipeline_bind(&s->pipeline, &s->fake.reader.schema, &err), &err);
	plan = (struct loader_plan){
		.reader = &s->fake.reader,
		.pipeline = &s->pipeline,
		.to = s->pipeline.count,
		.threads = WORKERS,
		.fetchers = FETCHERS,
		.batch = 16,
		.seed = 5,
	};
	s->loader = loader_new(&plan, &err);
	assert_non_null(s->loader);
}

static void tear_down(struct setup *s)
{
	loader_free(s->loader);
	pipeline_release(&s->pipeline);
	ini_release(&s->ini);
}

static void run(struct setup *s, bool trace)
{
	struct error err = ERROR_INIT;

	loader_begin(s->loader, 0, trace);
	while (loader_next(s->loader))
		continue;
	test_ok(loader_end(s->loader, &err), &err);
}

static void record(struct setup *s, size_t most, struct trace_events *events)
{
	struct error err = ERROR_INIT;

	test_ok(loader_record(s->loader, most, &err), &err);
	run(s, true);
	test_ok(loader_take_events(s->loader, events, &err), &err);
}

static size_t count_named(const struct trace_events *events, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < events->count; i++)
		count += strcmp(events->list[i].name, name) == 0;
	return count;
}

/* Two events of a thread are one after the other, or one in the other. */
static void check_nesting(const struct trace_events *events)
{
	for (size_t i = 0; i < events->count; i++)
		for (size_t k = i + 1; k < events->count; k++) {
			const struct trace_event *a = &events->list[i],
			                         *b = &events->list[k];

			if (a->thread != b->thread || a->kind == TRACE_QUEUE ||
			    b->kind == TRACE_QUEUE)
				continue;
			if (b->begin_ns < a->end_ns && b->end_ns > a->end_ns)
				fail_msg("%s and %s overlap", a->name, b->name);
		}
}

static void check_threads(const struct trace_events *events)
{
	static const char *const names[THREADS + 1] = { "", "fetcher 1",
		"fetcher 2", "worker 1", "worker 2", "worker 3", "consumer" };
	uint64_t last = 0;

	for (size_t i = 0; i < events->count; i++) {
		const struct trace_event *event = &events->list[i];

		assert_true(event->thread <= THREADS);
		assert_string_equal(event->thread_name, names[event->thread]);
		assert_true(
		    (event->thread == 0) == (event->kind == TRACE_QUEUE));
		assert_true(event->end_ns >= event->begin_ns);
		assert_true(event->begin_ns >= last);
		last = event->begin_ns;
	}
}

static void test_an_epoch_is_recorded_whole(void **state)
{
	static const char *const steps_of[] = { "cut", "flipped", "centered" };
	struct trace_events events;
	struct setup s;

	UNUSED(state);
	set_up(&s);
	record(&s, 100000, &events);
	for (size_t i = 0; i < ARRAY_LEN(steps_of); i++)
		assert_int_equal(count_named(&events, steps_of[i]), SAMPLES);
	assert_int_equal(count_named(&events, "parse"), SAMPLES);
	assert_int_equal(count_named(&events, "open"), STREAMS);
	assert_true(count_named(&events, "read") >= STREAMS);
	/* The consumer begins before the first batch is there. */
	assert_true(count_named(&events, "wait for data") > 0);
	assert_true(count_named(&events, "use batch") > 0);
	assert_true(count_named(&events, "queue: chunks") >= STREAMS);
	assert_true(count_named(&events, "queue: batches") > 0);
	check_threads(&events);
	check_nesting(&events);
	free(events.list);
	tear_down(&s);
}

static void test_a_recording_ends_for_all_threads_alike(void **state)
{
	struct trace_events events;
	struct setup s;

	UNUSED(state);
	set_up(&s);
	record(&s, 50, &events);
	assert_true(events.count > 0 && events.count <= 50);
	check_threads(&events);
	check_nesting(&events);
	free(events.list);
	tear_down(&s);
}

static void test_only_the_next_traced_epoch_is_recorded(void **state)
{
	struct trace_events events;
	struct error err = ERROR_INIT;
	struct setup s;

	UNUSED(state);
	set_up(&s);
	run(&s, true);
	test_ok(loader_take_events(s.loader, &events, &err), &err);
	assert_null(events.list);
	record(&s, 1000, &events);
	assert_true(events.count > 0);
	free(events.list);
	run(&s, true);
	test_ok(loader_take_events(s.loader, &events, &err), &err);
	assert_null(events.list);
	/* Events that nobody takes are freed with the loader. */
	test_ok(loader_record(s.loader, 1000, &err), &err);
	run(&s, true);
	tear_down(&s);
}

/* A machine with many threads does not reserve thousands of events for each. */
static void test_many_threads_share_the_room(void **state)
{
	struct error err = ERROR_INIT;
	struct loader_plan plan;
	struct trace_events events;
	struct setup s;
	size_t room = 0;

	UNUSED(state);
	set_up(&s);
	plan = s.loader->plan;
	loader_free(s.loader);
	plan.threads = plan.fetchers = 100;
	s.loader = loader_new(&plan, &err);
	assert_non_null(s.loader);
	test_ok(loader_record(s.loader, 2000, &err), &err);
	for (unsigned i = 0; i < 201; i++)
		room += s.loader->recording.logs[i].most;
	assert_true(room >= 201 * 64);
	assert_true(room <= 32 * 2000);
	run(&s, true);
	test_ok(loader_take_events(s.loader, &events, &err), &err);
	assert_true(events.count > 0);
	free(events.list);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_epoch_is_recorded_whole),
		cmocka_unit_test(test_a_recording_ends_for_all_threads_alike),
		cmocka_unit_test(test_only_the_next_traced_epoch_is_recorded),
		cmocka_unit_test(test_many_threads_share_the_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
