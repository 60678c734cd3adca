/*
 * streams.h - which streams a loader reads in an epoch, and in which order; for
 * lib/loader only.
 */
#ifndef LIB_LOADER_STREAMS_H
#define LIB_LOADER_STREAMS_H

struct loader;

/* Keeps the order of streams, or draws one for this epoch. */
void streams_order(struct loader *loader);

#endif
