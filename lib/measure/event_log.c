/* event_log.c - see event_log.h. */
#include "lib/measure/event_log.h"

#include <stdlib.h>

#include "lib/base/error.h"

int event_log_init(struct event_log *log, size_t most, struct error *err)
{
	*log = (struct event_log)EVENT_LOG_INIT;
	log->list = calloc(most, sizeof(*log->list));
	if (!log->list)
		return error_memory(err, most * sizeof(*log->list));
	log->most = most;
	return 0;
}

void event_log_release(struct event_log *log)
{
	free(log->list);
	*log = (struct event_log)EVENT_LOG_INIT;
}

static void add(struct event_log *log, const struct event *event)
{
	if (!log)
		return;
	if (log->count < log->most)
		log->list[log->count++] = *event;
	else if (event->begin_ns < log->full_ns)
		log->full_ns = event->begin_ns;
}

void event_log_add(struct event_log *log, const void *subject,
    uint64_t begin_ns, uint64_t end_ns)
{
	add(log,
	    &(struct event){
	        .subject = subject, .begin_ns = begin_ns, .end_ns = end_ns });
}

void event_log_add_value(
    struct event_log *log, const void *subject, uint64_t at_ns, uint64_t value)
{
	add(log, &(struct event){ .subject = subject,
	             .begin_ns = at_ns,
	             .end_ns = at_ns,
	             .value = value });
}
