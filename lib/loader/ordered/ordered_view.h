/*
 * ordered_view.h - batches of an ordered loader that are views of a mapped
 * file.
 *
 * Where rows of one field lie behind each other in a file, their order is kept
 * and no step changes them, a batch needs no copy: its samples are where they
 * were mapped.  All must be in one mapping, so files are mapped in windows of
 * many batches; a batch across two of them is copied.
 *
 * The mapping is private: a program may write into such a batch.  If the file
 * is cut short while the program has the batch, the rest of it becomes zeros,
 * and the next batch of that file is an error.
 */
#ifndef LIB_LOADER_ORDERED_ORDERED_VIEW_H
#define LIB_LOADER_ORDERED_ORDERED_VIEW_H

#include <stdbool.h>
#include <stdint.h>

struct batch;
struct error;
struct ordered_loader;
struct ordered_output;
struct ordered_worker;
struct sample;

/* Sets loader->view_window, when the order and the steps are known. */
void ordered_view_init(struct ordered_loader *loader);
/*
 * Makes a slot of the batch that the worker fills a view of the sample: true;
 * false: copy it.
 */
bool ordered_view_make(struct ordered_worker *worker, struct batch *batch,
    unsigned slot, const struct sample *sample);
/*
 * When `slots` more slots of a batch are done, before the consumer is told:
 * with the last ones, copies the views of a batch that is mixed.
 */
int ordered_view_done(struct ordered_loader *loader,
    struct ordered_output *output, unsigned slots, struct error *err);

#endif
