/*
 * queue.h - a bounded queue of pointers between threads.
 *
 * Closed: pushes are refused, what is in it can still be taken.  Taken per
 * chunk and per batch, never per sample.
 */
#ifndef LIB_LOADER_QUEUE_H
#define LIB_LOADER_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct error;

struct queue {
	void **items;
	size_t capacity, head, count;
	bool closed;
	pthread_mutex_t lock;
	pthread_cond_t changed_in;  /* something was put in, or closed */
	pthread_cond_t changed_out; /* something was taken, or closed */
};

int queue_init(struct queue *queue, size_t capacity, struct error *err);
/* The items are the owner's to free first. */
void queue_release(struct queue *queue);

/* Waits for room; false when the queue is closed: the item stays yours. */
bool queue_push(struct queue *queue, void *item);
/* Waits for an item; NULL when the queue is closed and empty. */
void *queue_pop(struct queue *queue);
/* An item if there is one now, else NULL. */
void *queue_try_pop(struct queue *queue);
void queue_close(struct queue *queue);
void queue_reopen(struct queue *queue);

#endif
