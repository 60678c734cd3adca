/*
 * tensor.h - the type _presto.Tensor: memory of a batch, by the buffer protocol
 * and by DLPack, without a copy.  Who holds it, holds the batch.
 */
#ifndef PYTHON_MODULE_TENSOR_H
#define PYTHON_MODULE_TENSOR_H

#include "python/module/python.h"

#include "api/presto.h"

struct lease;
struct state;

extern PyType_Spec tensor_spec;

/* Returns a new tensor, which holds the lease; NULL: an exception is set. */
PyObject *tensor_new(const struct state *state, struct lease *lease,
    const struct presto_tensor *tensor);

/* "float32"; constant. */
const char *tensor_dtype_name(enum presto_dtype dtype);
/* A tuple of `rank` numbers. */
PyObject *tensor_shape(const int64_t *dims, unsigned rank);

#endif
