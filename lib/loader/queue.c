/* queue.c - see queue.h. */
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/loader/queue.h"
#include "lib/measure/event_log.h"

void wait_for(
    pthread_cond_t *changed, pthread_mutex_t *lock, struct waits *waits)
{
	const uint64_t start = waits ? clock_now(&clock_monotonic) : 0;
	uint64_t end;

	pthread_cond_wait(changed, lock);
	if (!waits)
		return;
	end = clock_now(&clock_monotonic);
	waits->ns += end - start;
	waits->calls++;
	event_log_add(waits->log, waits, start, end);
}

int queue_init(
    struct queue *queue, size_t capacity, size_t wake_at, struct error *err)
{
	*queue = (struct queue){ .capacity = capacity, .wake_at = wake_at };
	queue->items = calloc(capacity, sizeof(*queue->items));
	if (!queue->items)
		return error_memory(err, capacity * sizeof(*queue->items));
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->changed_in, NULL);
	pthread_cond_init(&queue->changed_out, NULL);
	return 0;
}

void queue_release(struct queue *queue)
{
	if (!queue->items)
		return;
	pthread_cond_destroy(&queue->changed_out);
	pthread_cond_destroy(&queue->changed_in);
	pthread_mutex_destroy(&queue->lock);
	free(queue->items);
	queue->items = NULL;
}

/* Called without the lock, since a woken thread takes it first. */
static void wake(struct queue *queue, size_t count)
{
	if (queue->wake_at > 1 && count == queue->wake_at)
		pthread_cond_broadcast(&queue->changed_in);
	else if (count >= queue->wake_at)
		pthread_cond_signal(&queue->changed_in);
}

/* Puts an item in; returns the number of items, 0: refused. */
static size_t put(struct queue *queue, void *item)
{
	size_t count = 0;

	pthread_mutex_lock(&queue->lock);
	while (!queue->closed && queue->count == queue->capacity)
		pthread_cond_wait(&queue->changed_out, &queue->lock);
	if (!queue->closed) {
		const size_t tail =
		    (queue->head + queue->count) % queue->capacity;

		queue->items[tail] = item;
		count = ++queue->count;
	}
	pthread_mutex_unlock(&queue->lock);
	return count;
}

bool queue_push(struct queue *queue, void *item)
{
	const size_t count = put(queue, item);

	if (count)
		wake(queue, count);
	return count > 0;
}

bool queue_push_quietly(struct queue *queue, void *item)
{
	return put(queue, item) > 0;
}

void queue_wake(struct queue *queue)
{
	pthread_cond_broadcast(&queue->changed_in);
}

/* Called with the lock held and an item in the queue. */
static void *take(struct queue *queue)
{
	const size_t first = queue->last_first ? queue->count - 1 : 0;
	void *item = queue->items[(queue->head + first) % queue->capacity];

	if (!queue->last_first)
		queue->head = (queue->head + 1) % queue->capacity;
	queue->count--;
	pthread_cond_signal(&queue->changed_out);
	return item;
}

void *queue_pop(struct queue *queue, struct waits *waits)
{
	void *item = NULL;

	pthread_mutex_lock(&queue->lock);
	while (!queue->closed && queue->count == 0)
		wait_for(&queue->changed_in, &queue->lock, waits);
	if (queue->count > 0)
		item = take(queue);
	pthread_mutex_unlock(&queue->lock);
	return item;
}

void *queue_try_pop(struct queue *queue)
{
	void *item = NULL;

	pthread_mutex_lock(&queue->lock);
	if (queue->count > 0)
		item = take(queue);
	pthread_mutex_unlock(&queue->lock);
	return item;
}

size_t queue_count(struct queue *queue)
{
	size_t count;

	pthread_mutex_lock(&queue->lock);
	count = queue->count;
	pthread_mutex_unlock(&queue->lock);
	return count;
}

void queue_close(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->closed = true;
	pthread_cond_broadcast(&queue->changed_in);
	pthread_cond_broadcast(&queue->changed_out);
	pthread_mutex_unlock(&queue->lock);
}

void queue_reopen(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->closed = false;
	pthread_mutex_unlock(&queue->lock);
}
