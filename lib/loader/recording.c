/* recording.c - see recording.h. */
#include "lib/loader/recording.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/loader/state.h"
#include "lib/measure/trace_event.h"

/*
 * All threads together have room for so many times the events that are kept:
 * some record more than others.  Each has room for a few.
 */
enum { ROOM = 32, ROOM_LEAST = 64 };

static unsigned thread_count(const struct loader *loader)
{
	return loader->plan.fetchers + loader->plan.threads + 1;
}

struct event_log *recording_log(const struct loader *loader, unsigned thread)
{
	return TRACES && loader->tracing && loader->recording.logs
	           ? &loader->recording.logs[thread]
	           : NULL;
}

static struct event_log *consumer_log(const struct loader *loader)
{
	return recording_log(loader, thread_count(loader) - 1);
}

static size_t room_of(size_t most, unsigned threads)
{
	size_t room = ROOM * most / threads;

	if (room < ROOM_LEAST)
		room = ROOM_LEAST;
	return room < most ? room : most;
}

int loader_record(struct loader *loader, size_t most, struct error *err)
{
	const unsigned threads = thread_count(loader);
	struct recording *recording = &loader->recording;

	recording_release(loader);
	recording->most = most;
	recording->logs = calloc(threads, sizeof(*recording->logs));
	if (!recording->logs)
		return error_memory(err, threads * sizeof(*recording->logs));
	for (unsigned i = 0; i < threads; i++)
		if (event_log_init(
		        &recording->logs[i], room_of(most, threads), err)) {
			recording_release(loader);
			return -1;
		}
	return 0;
}

void recording_release(struct loader *loader)
{
	struct recording *recording = &loader->recording;

	for (unsigned i = 0; recording->logs && i < thread_count(loader); i++)
		event_log_release(&recording->logs[i]);
	free(recording->logs);
	*recording = (struct recording){ .logs = NULL };
}

void recording_begin(struct loader *loader)
{
	if (loader->recording.began_ns)
		recording_release(loader);
	loader->recording.began_ns = clock_now(&clock_monotonic);
	loader->recording.given_ns = 0;
	loader->waits.log = consumer_log(loader);
}

/* ---- the consumer ---- */

void recording_ask(struct loader *loader)
{
	struct event_log *log = consumer_log(loader);

	if (log && loader->recording.given_ns)
		event_log_add(log, &loader->lent, loader->recording.given_ns,
		    clock_now(&clock_monotonic));
	loader->recording.given_ns = 0;
}

void recording_get(struct loader *loader)
{
	struct event_log *log = consumer_log(loader);

	if (!event_log_is_open(log))
		return;
	loader->recording.given_ns = clock_now(&clock_monotonic);
	event_log_add_value(log, &loader->batches_ready,
	    loader->recording.given_ns, queue_count(&loader->batches_ready));
}

/* ---- names ---- */

struct subject {
	const void *address;
	enum trace_kind kind;
	const char *name;
};

/* Finds what a thread without a meter, or all threads, have in common. */
static bool find_shared(
    const struct loader *loader, const void *subject, struct trace_event *event)
{
	const struct subject shared[] = {
		{ &loader->chunks_ready, TRACE_QUEUE, "queue: chunks" },
		{ &loader->batches_ready, TRACE_QUEUE, "queue: batches" },
		{ &loader->waits, TRACE_WAIT, "wait for data" },
		{ &loader->lent, TRACE_STEP, "use batch" },
	};

	for (size_t i = 0; i < ARRAY_LEN(shared); i++)
		if (shared[i].address == subject) {
			event->kind = shared[i].kind;
			event->name = shared[i].name;
			return true;
		}
	return false;
}

static bool find_metered(
    const struct meter *meter, const void *subject, struct trace_event *event)
{
	const struct subject own[] = {
		{ &meter->open, TRACE_STEP, "open" },
		{ &meter->read, TRACE_STEP, "read" },
		{ &meter->unpack, TRACE_STEP, "unpack" },
		{ &meter->parse, TRACE_STEP, "parse" },
		{ &meter->hand, TRACE_STEP, "hand over" },
		{ &meter->chain.codec, TRACE_STEP, "decode" },
		{ &meter->chain.copy, TRACE_STEP, "copy" },
		{ &meter->for_data, TRACE_WAIT, "wait for data" },
		{ &meter->for_room, TRACE_WAIT, "wait for room" },
	};

	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (own[i].address == subject) {
			event->kind = own[i].kind;
			event->name = own[i].name;
			return true;
		}
	return false;
}

static bool find_step(const struct loader *loader, const struct meter *meter,
    const void *subject, struct trace_event *event)
{
	for (unsigned s = loader->plan.from; s < loader->plan.to; s++)
		if (&meter->chain.steps[s] == subject) {
			event->kind = TRACE_STEP;
			event->name = loader->plan.pipeline->steps[s].name;
			return true;
		}
	return false;
}

/* Names an event of a thread; false: it has no name, and is left out. */
static bool find_name(const struct loader *loader, unsigned thread,
    const void *subject, struct trace_event *event)
{
	const unsigned fetchers = loader->plan.fetchers;
	const struct meter *meter = NULL;

	if (thread < fetchers)
		meter = &loader->fetchers[thread].meter;
	else if (thread < fetchers + loader->plan.threads)
		meter = &loader->workers[thread - fetchers].meter;
	return find_shared(loader, subject, event) ||
	       (meter && (find_metered(meter, subject, event) ||
	                     find_step(loader, meter, subject, event)));
}

static void name_thread(
    const struct loader *loader, unsigned thread, char name[TRACE_THREAD_NAME])
{
	const unsigned fetchers = loader->plan.fetchers;

	if (thread < fetchers)
		snprintf(name, TRACE_THREAD_NAME, "fetcher %u", thread + 1);
	else if (thread < fetchers + loader->plan.threads)
		snprintf(name, TRACE_THREAD_NAME, "worker %u",
		    thread - fetchers + 1);
	else
		snprintf(name, TRACE_THREAD_NAME, "consumer");
}

/* ---- the events of all threads ---- */

static int by_time(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Finds when the list ends: when some thread had no room for its events, or
 * when there are `most` of all threads.
 */
static int find_cut(
    const struct loader *loader, size_t count, uint64_t *cut, struct error *err)
{
	const struct recording *recording = &loader->recording;
	uint64_t *begins = calloc(count + 1, sizeof(*begins));
	size_t n = 0;

	if (!begins)
		return error_memory(err, count * sizeof(*begins));
	for (unsigned i = 0; i < thread_count(loader); i++) {
		const struct event_log *log = &recording->logs[i];

		for (size_t k = 0; k < log->count; k++)
			begins[n++] = log->list[k].begin_ns;
		if (log->full_ns < *cut)
			*cut = log->full_ns;
	}
	qsort(begins, n, sizeof(*begins), by_time);
	if (n > recording->most && begins[recording->most] < *cut)
		*cut = begins[recording->most];
	free(begins);
	return 0;
}

static void add_thread(const struct loader *loader, unsigned thread,
    uint64_t cut, struct trace_events *events)
{
	const struct recording *recording = &loader->recording;
	const struct event_log *log = &recording->logs[thread];

	for (size_t i = 0; i < log->count; i++) {
		const struct event *from = &log->list[i];
		struct trace_event event = {
			.thread = thread + 1,
			.begin_ns = from->begin_ns - recording->began_ns,
			.end_ns = from->end_ns - recording->began_ns,
			.value = from->value,
		};

		if (from->begin_ns >= cut ||
		    !find_name(loader, thread, from->subject, &event))
			continue;
		if (event.kind == TRACE_QUEUE)
			event.thread = 0;
		else
			name_thread(loader, thread, event.thread_name);
		events->list[events->count++] = event;
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct trace_event *x = a, *y = b;

	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return (x->end_ns < y->end_ns) - (x->end_ns > y->end_ns);
}

int loader_take_events(
    struct loader *loader, struct trace_events *events, struct error *err)
{
	const struct recording *recording = &loader->recording;
	size_t count = 0;
	uint64_t cut = UINT64_MAX;

	*events = (struct trace_events){ .list = NULL };
	if (!recording->logs)
		return 0;
	for (unsigned i = 0; i < thread_count(loader); i++)
		count += recording->logs[i].count;
	if (find_cut(loader, count, &cut, err))
		return -1;
	if (count > recording->most)
		count = recording->most;
	events->list = calloc(count + 1, sizeof(*events->list));
	if (!events->list)
		return error_memory(err, count * sizeof(*events->list));
	for (unsigned i = 0; i < thread_count(loader); i++)
		add_thread(loader, i, cut, events);
	qsort(events->list, events->count, sizeof(*events->list), by_begin);
	recording_release(loader);
	return 0;
}
