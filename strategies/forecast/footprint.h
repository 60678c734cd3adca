/*
 * footprint.h - the memory that a preparation or a trial will hold, counted
 * before it begins.
 *
 * A program that takes more than the limit of its cgroup is killed without a
 * word.  So what will be held is counted here, and nowhere else: the samples in
 * batches, what is fetched and unpacked, the buffers of steps and codecs in
 * each thread, what is mixed before it is stored, the application cache, and
 * stored data where the work folder is in memory.  Sizes are those of the model
 * (predict.h): where samples differ much, the count is rough.
 *
 * What the program has already, with the listing of the dataset, is no part of
 * it: memory_available says what may be taken besides.
 */
#ifndef STRATEGIES_SESSION_FOOTPRINT_H
#define STRATEGIES_SESSION_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct load;
struct model;
struct strategy;

struct footprint {      /* bytes */
	double batches; /* of loaders */
	double blocks;  /* fetched, mixed, unpacked */
	double threads; /* steps, codecs, stacks */
	double cache;   /* the application's */
	double files;   /* stored data that stays in memory */
};

/* Of a trial. */
struct footprint footprint_of_load(const struct model *model,
    const struct strategy *strategy, const struct load *load);
/*
 * Of a preparation; `load` says how many samples and threads.  `work_dir` may
 * be NULL: nobody knows yet where it will be.
 */
struct footprint footprint_of_preparation(const struct model *model,
    const struct strategy *strategy, const struct load *load,
    const char *work_dir);
/* All of it, with what rounding and the C library take besides. */
double footprint_bytes(const struct footprint *footprint);
/* Bytes of `room` that may be held; the kernel needs the rest. */
double footprint_room(uint64_t room);
bool footprint_fits(const struct footprint *footprint, uint64_t room);
/*
 * ERROR_LIMIT "needs about 212 MB of memory, 143 MB are free: ..." when it does
 * not fit.  `is_load`: which options make it less.
 */
int footprint_check(const struct footprint *footprint, uint64_t room,
    bool is_load, struct error *err);

#endif
