/*
 * queue.h - a bounded queue of pointers between threads.
 *
 * A closed queue refuses pushes, but its items can still be taken. It is used
 * for each chunk and each batch, never for each sample.
 *
 * Consumers are woken once `wake_at` items are queued: waking a thread costs
 * more than reading a cached chunk. So whoever waits must be sure that as many
 * items will come, or that the queue will be closed.
 */
#ifndef LIB_LOADER_QUEUE_H
#define LIB_LOADER_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct event_log;

/* How long threads waited, and how often; for the traced pass. */
struct waits {
	uint64_t ns, calls;
	struct event_log *log; /* gets each waiting; borrowed, or NULL */
};

/* Calls pthread_cond_wait and adds the time to `waits` unless it is NULL. */
void wait_for(
    pthread_cond_t *changed, pthread_mutex_t *lock, struct waits *waits);

struct queue {
	void **items;
	size_t capacity, head, count;
	size_t wake_at;
	bool closed;
	bool last_first; /* a stack: the last item is taken first */
	pthread_mutex_t lock;
	pthread_cond_t changed_in;  /* an item was put in, or closed */
	pthread_cond_t changed_out; /* an item was taken, or closed */
};

int queue_init(
    struct queue *queue, size_t capacity, size_t wake_at, struct error *err);
/* The owner must have freed the items. */
void queue_release(struct queue *queue);

/* Like queue_push, but wakes nobody until queue_wake. */
bool queue_push_quietly(struct queue *queue, void *item);
void queue_wake(struct queue *queue);
/* Waits for room; false when the queue is closed: the caller keeps the item. */
bool queue_push(struct queue *queue, void *item);
/* Waits for an item; NULL when the queue is closed and empty. */
void *queue_pop(struct queue *queue, struct waits *waits);
/* Returns an item if there is one now, else NULL. */
void *queue_try_pop(struct queue *queue);
/* The number of items now, for the traced pass. */
size_t queue_count(struct queue *queue);
void queue_close(struct queue *queue);
void queue_reopen(struct queue *queue);

#endif
