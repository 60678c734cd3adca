/*
 * trace_event.h - an event of a traced epoch, as the loader gives it and the
 * result database keeps it.
 */
#ifndef LIB_MEASURE_TRACE_EVENT_H
#define LIB_MEASURE_TRACE_EVENT_H

#include <stddef.h>
#include <stdint.h>

enum trace_kind {
	TRACE_STEP, /* work: an online step, reading, unpacking, ... */
	TRACE_WAIT, /* a thread waits for data or for room */
	TRACE_QUEUE /* items that wait in a queue, in `value` */
};

enum { TRACE_THREAD_NAME = 24 };

struct trace_event {
	unsigned thread; /* from 1; 0: none, as for a queue */
	char thread_name[TRACE_THREAD_NAME]; /* "worker 1"; "" for a queue */
	enum trace_kind kind;
	const char *name;          /* borrowed: "decoded", "wait for data" */
	uint64_t begin_ns, end_ns; /* since the epoch began */
	uint64_t value;            /* TRACE_QUEUE: its items from begin_ns on */
};

/* By begin; of events that begin together, the one that ends last is first. */
struct trace_events {
	struct trace_event *list; /* owned */
	size_t count;
};

#endif
