/*
 * consumer.h - the one consumer of a loader: it waits for batches, threads wake
 * it when there is something new, and a signal handler may interrupt it.
 */
#ifndef LIB_LOADER_CONSUMER_H
#define LIB_LOADER_CONSUMER_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct batch;
struct error;

struct consumer {
	atomic_bool waits, interrupted;
	sem_t news;
};

/* A look for the next batch has one of these answers. */
enum answer { ANSWER_ERROR = -1, ANSWER_END, ANSWER_BATCH, ANSWER_WAIT };

struct consumer_wait {
	enum answer (*look)(
	    void *loader, struct batch **batch, struct error *err);
	void *loader;
	uint64_t end_ns;  /* by clock_monotonic; UINT64_MAX: never */
	uint64_t look_ns; /* looks that often without news; 0: not at all */
};

void consumer_init(struct consumer *consumer);
void consumer_destroy(struct consumer *consumer);

/* Wakes the consumer if it waits. */
void consumer_notify(struct consumer *consumer);
/* Ends a wait, else the next one, as an error; signal handlers may call it. */
void consumer_interrupt(struct consumer *consumer);
/* Whether it was interrupted since this was asked last, with an error then. */
bool consumer_is_interrupted(struct consumer *consumer, struct error *err);

/* Returns the end of a wait of so long from now; 0: UINT64_MAX. */
uint64_t consumer_end_ns(unsigned wait_ms);
/* Looks until there is an answer; returns it, never ANSWER_WAIT. */
enum answer consumer_wait(struct consumer *consumer,
    const struct consumer_wait *wait, struct batch **batch, struct error *err);

#endif
