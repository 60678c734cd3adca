/* watch.c - see watch.h. */
#include "cmd/materialize/watch.h"

void watch_begin(struct watch *watch, uint64_t samples)
{
	*watch = (struct watch){ .all = samples };
	pthread_mutex_init(&watch->lock, NULL);
	progress_begin(&watch->progress);
}

void watch_show(void *arg, uint64_t samples)
{
	struct watch *watch = arg;

	pthread_mutex_lock(&watch->lock);
	watch->done += samples;
	progress_show(&watch->progress, (double)watch->done, (double)watch->all,
	    "writing");
	pthread_mutex_unlock(&watch->lock);
}

void watch_end(struct watch *watch)
{
	progress_clear(&watch->progress);
	pthread_mutex_destroy(&watch->lock);
}
