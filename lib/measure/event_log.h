/*
 * event_log.h - the events of one thread in a traced epoch, with their times.
 *
 * The memory is made before the epoch, and only the thread itself writes.  An
 * event is told by the address of its subject: the cost of an activity, the
 * waits of a thread, a queue.  The owner of these gives it a name afterwards.
 *
 * A log without a list records nothing.  A full log notes when the first event
 * came that it has no room for.
 */
#ifndef LIB_MEASURE_EVENT_LOG_H
#define LIB_MEASURE_EVENT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

struct event {
	const void *subject;       /* borrowed; its address is a name */
	uint64_t begin_ns, end_ns; /* on clock_monotonic */
	uint64_t value;            /* items in a queue at begin_ns; else 0 */
};

struct event_log {
	struct event *list; /* owned; in the order in which events ended */
	size_t count, most;
	uint64_t full_ns; /* UINT64_MAX: nothing was left out */
};

#define EVENT_LOG_INIT                \
	{                             \
		.full_ns = UINT64_MAX \
	}

/* Makes room for `most` events. */
int event_log_init(struct event_log *log, size_t most, struct error *err);
void event_log_release(struct event_log *log);

/* Is there room? NULL: no. */
static inline bool event_log_is_open(const struct event_log *log)
{
	return log && log->count < log->most;
}

/* Adds an event that has ended; `log` NULL or full: nothing happens. */
void event_log_add(struct event_log *log, const void *subject,
    uint64_t begin_ns, uint64_t end_ns);
/* Adds the number of items in a queue. */
void event_log_add_value(
    struct event_log *log, const void *subject, uint64_t at_ns, uint64_t value);

#endif
