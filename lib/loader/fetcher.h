/* fetcher.h - a thread that fetches the chunks of streams. */
#ifndef LIB_LOADER_FETCHER_H
#define LIB_LOADER_FETCHER_H

struct fetcher;

/* Runs one epoch of the thread. */
void fetcher_epoch(struct fetcher *fetcher);

#endif
