/*
 * each_rate.h - a cache of what a step prepares for a sample rate: made at the
 * first recording of a rate.  The entries added last are kept.
 */
#ifndef LIB_AUDIO_EACH_RATE_H
#define LIB_AUDIO_EACH_RATE_H

#include <stddef.h>

enum { EACH_RATE_KEPT = 16 };

struct each_rate {
	struct {
		unsigned hertz; /* 0: unused */
		void *made;
	} kept[EACH_RATE_KEPT];
	size_t next; /* entry to replace next */
};

/* Returns NULL if there is none: then make one and put it. */
void *each_rate_find(const struct each_rate *rates, unsigned hertz);
/* Adds an entry; the one that it replaces is passed to `release`. */
void each_rate_put(struct each_rate *rates, unsigned hertz, void *made,
    void (*release)(void *made));
void each_rate_release(struct each_rate *rates, void (*release)(void *made));

#endif
