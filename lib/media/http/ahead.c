/* ahead.c - see ahead.h. */
#include "lib/media/http/ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/thread.h"

struct ahead {
	pthread_mutex_t lock; /* protects what follows */
	pthread_cond_t more;  /* a job was added, or stop was set */
	struct ahead_job *first, **last;
	size_t waiting; /* jobs that no thread has taken */
	size_t idle;    /* threads that wait for a job */
	size_t reserved;
	bool stop;
	size_t count;
	pthread_t threads[AHEAD_THREADS];
};

struct ahead *ahead_new(struct error *err)
{
	struct ahead *ahead = memory_zeroed(sizeof(*ahead), err);

	if (!ahead)
		return NULL;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->more, NULL);
	ahead->last = &ahead->first;
	return ahead;
}

/* Takes the next job; NULL: stop.  Holds the lock. */
static struct ahead_job *take(struct ahead *ahead)
{
	struct ahead_job *job;

	ahead->idle++;
	while (!ahead->first && !ahead->stop)
		pthread_cond_wait(&ahead->more, &ahead->lock);
	ahead->idle--;
	job = ahead->first;
	if (!job)
		return NULL;
	ahead->waiting--;
	ahead->first = job->next;
	if (!ahead->first)
		ahead->last = &ahead->first;
	return job;
}

static void *run_jobs(void *arg)
{
	struct ahead *ahead = arg;
	struct ahead_job *job;

	pthread_mutex_lock(&ahead->lock);
	while ((job = take(ahead))) {
		pthread_mutex_unlock(&ahead->lock);
		job->run(job);
		pthread_mutex_lock(&ahead->lock);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

bool ahead_push(struct ahead *ahead, struct ahead_job *job)
{
	bool is_taken;

	pthread_mutex_lock(&ahead->lock);
	if (ahead->waiting >= ahead->idle && ahead->count < AHEAD_THREADS)
		ahead->count += thread_start(&ahead->threads[ahead->count],
		                    run_jobs, ahead) == 0;
	is_taken = ahead->count > 0;
	if (is_taken) {
		job->next = NULL;
		*ahead->last = job;
		ahead->last = &job->next;
		ahead->waiting++;
		pthread_cond_signal(&ahead->more);
	}
	pthread_mutex_unlock(&ahead->lock);
	return is_taken;
}

bool ahead_reserve(struct ahead *ahead, size_t bytes)
{
	bool is_there;

	pthread_mutex_lock(&ahead->lock);
	is_there = bytes <= AHEAD_BYTES - ahead->reserved;
	if (is_there)
		ahead->reserved += bytes;
	pthread_mutex_unlock(&ahead->lock);
	return is_there;
}

void ahead_return(struct ahead *ahead, size_t bytes)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->reserved -= bytes;
	pthread_mutex_unlock(&ahead->lock);
}

void ahead_free(struct ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->stop = true;
	pthread_cond_broadcast(&ahead->more);
	pthread_mutex_unlock(&ahead->lock);
	for (size_t i = 0; i < ahead->count; i++)
		pthread_join(ahead->threads[i], NULL);
	pthread_cond_destroy(&ahead->more);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}
