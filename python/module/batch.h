/* batch.h - the type _presto.Batch: a batch of the library. */
#ifndef PYTHON_MODULE_BATCH_H
#define PYTHON_MODULE_BATCH_H

#include "python/module/python.h"

struct presto_batch;
struct state;

extern PyType_Spec batch_spec;

/* Takes the batch, also on failure; NULL: an exception is set. */
PyObject *batch_object_new(
    const struct state *state, struct presto_batch *batch);

#endif
