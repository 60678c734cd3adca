/* watch.h - shows how many samples were written, from any thread. */
#ifndef CMD_MATERIALIZE_WATCH_H
#define CMD_MATERIALIZE_WATCH_H

#include <pthread.h>
#include <stdint.h>

#include "cmd/program/progress.h"

struct watch {
	struct progress progress;
	pthread_mutex_t lock;
	uint64_t done, all; /* samples */
};

void watch_begin(struct watch *watch, uint64_t samples);
/* The `progress` of a preparation, with the watch as its `arg`. */
void watch_show(void *arg, uint64_t samples);
/* Clears what is shown. */
void watch_end(struct watch *watch);

#endif
