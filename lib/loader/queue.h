/*
 * queue.h - a bounded queue of pointers between threads.
 *
 * Closed: pushes are refused, what is in it can still be taken.  Taken per
 * chunk and per batch, never per sample.
 *
 * Who waits for an item is woken when there are `wake_at` of them: to wake a
 * thread costs more than to read a chunk that is in memory, so that those who
 * bring chunks are woken for several.  Whoever waits must be sure that so many
 * will come, or that the queue is closed.
 */
#ifndef LIB_LOADER_QUEUE_H
#define LIB_LOADER_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* How long a thread slept; of the traced pass. */
struct waits {
	uint64_t ns, calls;
};

/* pthread_cond_wait, added to `waits` if that is not NULL. */
void wait_for(
    pthread_cond_t *changed, pthread_mutex_t *lock, struct waits *waits);

struct queue {
	void **items;
	size_t capacity, head, count;
	size_t wake_at;
	bool closed;
	bool last_first; /* a stack: what was put in last comes out first */
	pthread_mutex_t lock;
	pthread_cond_t changed_in;  /* something was put in, or closed */
	pthread_cond_t changed_out; /* something was taken, or closed */
};

int queue_init(
    struct queue *queue, size_t capacity, size_t wake_at, struct error *err);
/* The items are the owner's to free first. */
void queue_release(struct queue *queue);

/* As queue_push, but nobody is woken for it before queue_wake. */
bool queue_push_quietly(struct queue *queue, void *item);
void queue_wake(struct queue *queue);
/* Waits for room; false when the queue is closed: the item stays yours. */
bool queue_push(struct queue *queue, void *item);
/* Waits for an item; NULL when the queue is closed and empty. */
void *queue_pop(struct queue *queue, struct waits *waits);
/* An item if there is one now, else NULL. */
void *queue_try_pop(struct queue *queue);
void queue_close(struct queue *queue);
void queue_reopen(struct queue *queue);

#endif
