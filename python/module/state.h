/*
 * state.h - the types and exceptions of one module object.
 *
 * The module has no global state, so each interpreter has types of its own.
 */
#ifndef PYTHON_MODULE_STATE_H
#define PYTHON_MODULE_STATE_H

#include "python/module/python.h"

struct presto_error;

struct state {
	PyObject *loader_type, *batch_type, *tensor_type;
	PyObject *error;       /* presto.Error */
	PyObject *usage_error; /* presto.UsageError, which is a ValueError */
};

/* The state of the module that the object's type belongs to. */
struct state *state_of(PyObject *object);
/* Raises the exception for an error of the library; returns NULL. */
PyObject *state_raise(
    const struct state *state, const struct presto_error *error);

/* Makes an object of a type of the module, all bytes behind its head zero. */
void *state_new_object(PyObject *type);
/* Ends the dealloc of an object. */
void state_free_object(PyObject *object);

#endif
