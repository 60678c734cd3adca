/*
 * each_rate.h - what a step has prepared for each sample rate that came: made
 * when the first recording of a rate comes, and kept.  Of many rates only
 * those that came last are kept.
 */
#ifndef LIB_AUDIO_EACH_RATE_H
#define LIB_AUDIO_EACH_RATE_H

#include <stddef.h>

enum { EACH_RATE_KEPT = 16 };

struct each_rate {
	struct {
		unsigned hertz; /* 0: nothing here */
		void *made;
	} kept[EACH_RATE_KEPT];
	size_t next; /* is given up first */
};

/* NULL when it is not there: then it is to be made, and put. */
void *each_rate_find(const struct each_rate *rates, unsigned hertz);
/* The one that has to give way is handed to `release`. */
void each_rate_put(struct each_rate *rates, unsigned hertz, void *made,
    void (*release)(void *made));
void each_rate_release(struct each_rate *rates, void (*release)(void *made));

#endif
