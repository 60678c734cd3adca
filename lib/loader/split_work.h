/*
 * split_work.h - splits the work on one sample that yields many.
 *
 * The worker that has the sample offers it, and workers without a chunk help.
 * So a dataset of one graph, or of a few long recordings, keeps all cores busy.
 */
#ifndef LIB_LOADER_SPLIT_WORK_H
#define LIB_LOADER_SPLIT_WORK_H

struct chunk;
struct worker;

/* Delivers the current sample with the help of idle workers. */
int split_work_offer(struct worker *worker, const struct chunk *chunk);
/* Helps other workers until all are done. */
void split_work_help(struct worker *worker);

#endif
