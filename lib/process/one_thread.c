/* one_thread.c - see one_thread.h. */
#include "lib/process/one_thread.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/outside.h"
#include "lib/base/room.h"
#include "lib/base/thread.h"

struct call {
	void (*function)(void *arg);
	void *arg;
	size_t room;
	uint64_t cpu_ns;
};

struct one_thread {
	pthread_t thread;
	pthread_mutex_t turn; /* held by the thread that calls */
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	struct call call;
	bool has_call;
	bool ends;
};

static void run(struct call *call)
{
	const uint64_t start = clock_now(&clock_thread_cpu);

	room_enter(call->room);
	call->function(call->arg);
	room_leave();
	call->cpu_ns = clock_now(&clock_thread_cpu) - start;
}

static void *serve(void *arg)
{
	struct one_thread *one = arg;

	pthread_mutex_lock(&one->lock);
	while (!one->ends) {
		if (!one->has_call) {
			pthread_cond_wait(&one->changed, &one->lock);
			continue;
		}
		pthread_mutex_unlock(&one->lock);
		run(&one->call);
		pthread_mutex_lock(&one->lock);
		one->has_call = false;
		pthread_cond_broadcast(&one->changed);
	}
	pthread_mutex_unlock(&one->lock);
	return NULL;
}

struct one_thread *one_thread_new(struct error *err)
{
	struct one_thread *one = calloc(1, sizeof(*one));
	char cause[ERROR_CAUSE];
	int rc;

	if (!one) {
		error_memory(err, sizeof(*one));
		return NULL;
	}
	pthread_mutex_init(&one->turn, NULL);
	pthread_mutex_init(&one->lock, NULL);
	pthread_cond_init(&one->changed, NULL);
	rc = thread_start(&one->thread, serve, one);
	if (rc == 0)
		return one;
	error_set(err, ERROR_SYSTEM, "cannot start a thread: %s",
	    error_cause(rc, cause));
	pthread_cond_destroy(&one->changed);
	pthread_mutex_destroy(&one->lock);
	pthread_mutex_destroy(&one->turn);
	free(one);
	return NULL;
}

void one_thread_free(struct one_thread *one)
{
	if (!one)
		return;
	pthread_mutex_lock(&one->lock);
	one->ends = true;
	pthread_cond_broadcast(&one->changed);
	pthread_mutex_unlock(&one->lock);
	pthread_join(one->thread, NULL);
	pthread_cond_destroy(&one->changed);
	pthread_mutex_destroy(&one->lock);
	pthread_mutex_destroy(&one->turn);
	free(one);
}

void one_thread_call(
    struct one_thread *one, void (*function)(void *arg), void *arg)
{
	uint64_t cpu_ns;

	pthread_mutex_lock(&one->turn);
	pthread_mutex_lock(&one->lock);
	one->call = (struct call){
		.function = function,
		.arg = arg,
		.room = room_now(),
	};
	one->has_call = true;
	pthread_cond_broadcast(&one->changed);
	while (one->has_call)
		pthread_cond_wait(&one->changed, &one->lock);
	cpu_ns = one->call.cpu_ns;
	pthread_mutex_unlock(&one->lock);
	pthread_mutex_unlock(&one->turn);
	outside_lend(cpu_ns);
}
