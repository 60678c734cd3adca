/*
 * footprint.h - the memory that a preparation or a trial will hold, counted
 * before it begins.
 *
 * The kernel kills a program that exceeds the limit of its cgroup, without a
 * message. So the memory is counted here, and nowhere else: samples in batches,
 * data fetched and unpacked, buffers of steps and codecs in each thread,
 * samples being shuffled, the application cache, and stored data if the work
 * folder is in memory. Sizes come from the model (predict.h). Where samples
 * differ much in size, the count is rough.
 *
 * Memory that the program holds already, such as the listing of the dataset, is
 * not included: memory_available says how much more may be taken.
 *
 * The reserve and the factors in footprint.c come from runs in cgroups of 150
 * and 300 MB on a machine with 2 cores. They hold for glibc.
 */
#ifndef STRATEGIES_FORECAST_FOOTPRINT_H
#define STRATEGIES_FORECAST_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct load;
struct model;
struct strategy;

struct footprint {      /* bytes */
	double batches; /* in loaders */
	double blocks;  /* fetched, unpacked, being shuffled */
	double threads; /* steps, codecs, stacks */
	double cache;   /* the application cache */
	double files;   /* stored data in a work folder in memory */
};

/* Counts the memory of a trial. */
struct footprint footprint_of_load(const struct model *model,
    const struct strategy *strategy, const struct load *load);
/*
 * Counts the memory of a preparation; `load` gives samples and threads.
 * `work_dir` NULL: the folder is not known yet.
 */
struct footprint footprint_of_preparation(const struct model *model,
    const struct strategy *strategy, const struct load *load,
    const char *work_dir);
/* Returns the sum, with a margin for rounding and the C library. */
double footprint_bytes(const struct footprint *footprint);
/* Returns the bytes of `room` that may be held; the kernel needs the rest. */
double footprint_room(uint64_t room);
bool footprint_fits(const struct footprint *footprint, uint64_t room);
/*
 * ERROR_LIMIT "needs about 212 MB of memory, 143 MB are free: ..." if it does
 * not fit. `is_load` selects the options that the message recommends.
 */
int footprint_check(const struct footprint *footprint, uint64_t room,
    bool is_load, struct error *err);

#endif
