/* ordered_fetcher.h - the threads that fetch chunks for an ordered loader. */
#ifndef LIB_LOADER_ORDERED_ORDERED_FETCHER_H
#define LIB_LOADER_ORDERED_ORDERED_FETCHER_H

struct ordered_chunk;
struct ordered_fetcher;
struct ordered_lane;
struct ordered_loader;

/* Fetches until the run is over. */
void ordered_fetcher_run(struct ordered_fetcher *fetcher);
void ordered_fetcher_release(struct ordered_fetcher *fetcher);

/* Empties a chunk that nobody uses; called without the lock. */
void ordered_chunk_free(
    struct ordered_loader *loader, struct ordered_chunk *chunk);
/* With the lock held: frees the lane if nothing in it is needed. */
void ordered_lane_leave(
    struct ordered_loader *loader, struct ordered_lane *lane);

#endif
