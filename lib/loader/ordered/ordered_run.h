/* ordered_run.h - begins and ends the runs of an ordered loader's threads. */
#ifndef LIB_LOADER_ORDERED_ORDERED_RUN_H
#define LIB_LOADER_ORDERED_ORDERED_RUN_H

struct error;
struct ordered_loader;

/* Starts the threads, which wait for a run, unless they are there. */
int ordered_run_start_threads(struct ordered_loader *loader, struct error *err);

/* With the lock held: begins a run at loader->position. */
void ordered_run_begin(struct ordered_loader *loader);
/* Tells all threads to leave the run; without the lock. */
void ordered_run_stop(struct ordered_loader *loader);
/* With the lock held, when no thread works: gives back what the run held. */
void ordered_run_clear(struct ordered_loader *loader);

#endif
