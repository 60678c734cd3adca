/* loader.c - see loader.h. */
#include "python/module/loader.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "python/module/batch.h"
#include "python/module/engine.h"
#include "python/module/state.h"
#include "python/module/tensor.h"

enum {
	SIGNALS_MS = 50, /* between two looks for signals */
	CLOSE_MS = 200,  /* a loader that nobody needs is waited for so long */
};

struct loader_object {
	PyObject head;
	struct engine engine;
	pid_t process;
	bool is_busy; /* a thread is in the library; under the GIL */
	/* What it had come to when it was closed; size 0: it was not. */
	struct presto_state state;
	struct presto_statistics sums;
};

static PyObject *loader_new(
    PyTypeObject *type, PyObject *args, PyObject *keywords)
{
	struct engine_plan plan = { .options = PRESTO_LOADER_OPTIONS_INIT };
	struct presto_loader_options *options = &plan.options;
	struct loader_object *object;
	unsigned long long seed;
	int shuffle, drop_last, own_seed;

	(void)keywords;
	if (!PyArg_ParseTuple(args, "yO!IpppKIIII", &plan.path, &PyTuple_Type,
	        &plan.settings, &options->batch_size, &shuffle, &drop_last,
	        &own_seed, &seed, &options->rank, &options->world_size,
	        &options->threads, &options->fetchers))
		return NULL;
	plan.own_seed = own_seed;
	options->shuffle = shuffle;
	options->drop_last = drop_last;
	options->seed = seed;
	options->wait_ms = SIGNALS_MS;
	object = state_new_object((PyObject *)type);
	if (!object)
		return NULL;
	object->process = getpid();
	if (engine_open(&object->engine, &plan, state_of((PyObject *)object))) {
		Py_DECREF(object);
		return NULL;
	}
	return (PyObject *)object;
}

/* In a fork, the loader's threads are not there, and nothing is done. */
static void loader_free(PyObject *self)
{
	struct loader_object *object = (struct loader_object *)self;

	if (object->engine.loader && object->process == getpid())
		engine_close(&object->engine, CLOSE_MS);
	state_free_object(self);
}

/* Returns the object if it can be used now; NULL: an exception is set. */
static struct loader_object *use(PyObject *self)
{
	struct loader_object *object = (struct loader_object *)self;
	const struct state *state = state_of(self);

	if (!object->engine.loader)
		PyErr_SetString(state->error, "the loader is closed");
	else if (object->process != getpid())
		PyErr_Format(state->error,
		    "the loader was made in process %ld, and a fork has none "
		    "of its threads: make it in the process that uses it, or "
		    "start processes with spawn",
		    (long)object->process);
	else if (object->is_busy)
		PyErr_SetString(state->error,
		    "another thread waits for a batch of the loader: use one "
		    "loader a thread, or a lock");
	else
		return object;
	return NULL;
}

/* The same for what never changes: another thread may wait for a batch. */
static const struct loader_object *read_only(PyObject *self)
{
	const struct loader_object *object = (struct loader_object *)self;

	return object->engine.loader && object->is_busy ? object : use(self);
}

/* Waits for a batch, and gives the GIL away meanwhile. */
static int wait_for_batch(struct loader_object *object,
    struct presto_batch **batch, struct presto_error *error)
{
	struct presto_loader *loader = object->engine.loader;
	int got;

	error->code = PRESTO_OK;
	object->is_busy = true;
	Py_BEGIN_ALLOW_THREADS got = presto_loader_next(loader, batch, error);
	Py_END_ALLOW_THREADS object->is_busy = false;
	return got;
}

/*
 * The next batch; None at the end of the epoch.  Signal handlers run between
 * two waits: they may save the state, and may close the loader.
 */
static PyObject *next(PyObject *self, PyObject *ignored)
{
	struct presto_batch *batch = NULL;
	struct presto_error error;
	int got;

	(void)ignored;
	do {
		struct loader_object *object = use(self);

		if (!object)
			return NULL;
		got = wait_for_batch(object, &batch, &error);
	} while (got < 0 && error.code == PRESTO_INTERRUPTED &&
	         PyErr_CheckSignals() == 0);
	if (got > 0)
		return batch_object_new(state_of(self), batch);
	if (got == 0)
		Py_RETURN_NONE;
	if (error.code == PRESTO_INTERRUPTED) /* a handler has raised */
		return NULL;
	return state_raise(state_of(self), &error);
}

/* Waits for the threads; what was taken stays. */
static PyObject *close_now(PyObject *self, PyObject *ignored)
{
	struct loader_object *object = (struct loader_object *)self;

	(void)ignored;
	if (!object->engine.loader)
		Py_RETURN_NONE;
	if (!use(self))
		return NULL;
	object->state = (struct presto_state)PRESTO_STATE_INIT;
	object->sums = (struct presto_statistics)PRESTO_STATISTICS_INIT;
	presto_loader_save(object->engine.loader, &object->state);
	presto_loader_statistics(object->engine.loader, &object->sums);
	engine_close(&object->engine, CLOSE_MS);
	Py_RETURN_NONE;
}

/* ---- where it is ---- */

/* Has it been closed, so that it is where it was then? */
static bool is_closed(PyObject *self)
{
	const struct loader_object *object = (struct loader_object *)self;

	return !object->engine.loader && object->state.size;
}

static PyObject *save(PyObject *self, PyObject *ignored)
{
	const struct loader_object *object = (struct loader_object *)self;
	struct presto_state state = object->state;

	(void)ignored;
	if (!is_closed(self)) {
		if (!use(self))
			return NULL;
		state = (struct presto_state)PRESTO_STATE_INIT;
		presto_loader_save(object->engine.loader, &state);
	}
	return Py_BuildValue("(KKK)", (unsigned long long)state.epoch,
	    (unsigned long long)state.position,
	    (unsigned long long)state.order);
}

static PyObject *restore(PyObject *self, PyObject *args)
{
	struct loader_object *object = use(self);
	unsigned long long epoch, position, order;
	struct presto_error error;
	struct presto_state state;
	int rc;

	if (!object ||
	    !PyArg_ParseTuple(args, "KKK", &epoch, &position, &order))
		return NULL;
	state = (struct presto_state){
		.size = sizeof(state),
		.epoch = epoch,
		.position = position,
		.order = order,
	};
	object->is_busy = true;
	Py_BEGIN_ALLOW_THREADS rc =
	    presto_loader_restore(object->engine.loader, &state, &error);
	Py_END_ALLOW_THREADS object->is_busy = false;
	if (rc)
		return state_raise(state_of(self), &error);
	Py_RETURN_NONE;
}

static PyObject *seek(PyObject *self, PyObject *number)
{
	struct loader_object *object = use(self);
	const unsigned long long epoch = PyLong_AsUnsignedLongLong(number);
	struct presto_error error;
	int rc;

	if (!object || PyErr_Occurred())
		return NULL;
	object->is_busy = true;
	Py_BEGIN_ALLOW_THREADS rc =
	    presto_loader_seek(object->engine.loader, epoch, &error);
	Py_END_ALLOW_THREADS object->is_busy = false;
	if (rc)
		return state_raise(state_of(self), &error);
	Py_RETURN_NONE;
}

/* (samples, batches, bytes, skipped, wait_ns, busy_ns, filtered) */
static PyObject *statistics(PyObject *self, PyObject *ignored)
{
	const struct loader_object *object = (struct loader_object *)self;
	struct presto_statistics sums = object->sums;

	(void)ignored;
	if (!is_closed(self)) {
		if (!use(self))
			return NULL;
		sums = (struct presto_statistics)PRESTO_STATISTICS_INIT;
		presto_loader_statistics(object->engine.loader, &sums);
	}
	return Py_BuildValue("(KKKKKKK)", (unsigned long long)sums.samples,
	    (unsigned long long)sums.batches, (unsigned long long)sums.bytes,
	    (unsigned long long)sums.skipped, (unsigned long long)sums.wait_ns,
	    (unsigned long long)sums.busy_ns,
	    (unsigned long long)sums.filtered);
}

/* ---- what it delivers ---- */

static PyObject *batches(PyObject *self, PyObject *ignored)
{
	const struct loader_object *object = read_only(self);

	(void)ignored;
	return object ? PyLong_FromUnsignedLongLong(
	                    presto_loader_batches(object->engine.loader))
	              : NULL;
}

static PyObject *samples(PyObject *self, PyObject *ignored)
{
	const struct loader_object *object = read_only(self);

	(void)ignored;
	return object ? PyLong_FromUnsignedLongLong(
	                    presto_samples(object->engine.dataset))
	              : NULL;
}

static PyObject *seed(PyObject *self, PyObject *ignored)
{
	const struct loader_object *object = read_only(self);

	(void)ignored;
	return object ? PyLong_FromUnsignedLongLong(object->engine.seed) : NULL;
}

static PyObject *version(PyObject *self, PyObject *ignored)
{
	const struct loader_object *object = read_only(self);

	(void)ignored;
	return object ? PyLong_FromUnsignedLongLong(
	                    presto_dataset_version(object->engine.dataset))
	              : NULL;
}

/* A list of (name, dtype, shape). */
static PyObject *fields(PyObject *self, PyObject *ignored)
{
	const struct loader_object *object = read_only(self);
	PyObject *list = object ? PyList_New(0) : NULL;
	struct presto_type type;
	const char *name;

	(void)ignored;
	for (unsigned i = 0;
	     list && presto_field(object->engine.dataset, i, &name, &type) == 0;
	     i++) {
		PyObject *shape = tensor_shape(type.dims, type.rank);
		PyObject *tuple =
		    shape ? Py_BuildValue("(ssN)", name,
		                tensor_dtype_name(type.dtype), shape)
		          : NULL;

		if (!tuple || PyList_Append(list, tuple))
			Py_CLEAR(list);
		Py_XDECREF(tuple);
	}
	return list;
}

/* The name of the class with this label, or None. */
static PyObject *class_name(PyObject *self, PyObject *number)
{
	const struct loader_object *object = read_only(self);
	const long long label = PyLong_AsLongLong(number);
	const char *name;

	if (!object || PyErr_Occurred())
		return NULL;
	name = presto_class_name(object->engine.dataset, label);
	if (!name)
		Py_RETURN_NONE;
	return PyUnicode_DecodeUTF8(
	    name, (Py_ssize_t)strlen(name), "surrogateescape");
}

static PyMethodDef methods[] = {
	{ "next", next, METH_NOARGS,
	    "The next Batch; None at the end of the epoch." },
	{ "close", close_now, METH_NOARGS, "Ends the threads." },
	{ "save", save, METH_NOARGS, "(epoch, position, order)" },
	{ "restore", restore, METH_VARARGS, "Goes on at what save gave." },
	{ "seek", seek, METH_O, "Goes to the beginning of an epoch." },
	{ "statistics", statistics, METH_NOARGS,
	    "(samples, batches, bytes, skipped, wait_ns, busy_ns, "
	    "filtered)" },
	{ "batches", batches, METH_NOARGS, "Batches of an epoch; 0: unknown." },
	{ "samples", samples, METH_NOARGS, "Samples of all ranks." },
	{ "seed", seed, METH_NOARGS, "Of the order, and of random steps." },
	{ "version", version, METH_NOARGS, "Of the dataset; 0: it has none." },
	{ "fields", fields, METH_NOARGS, "A list of (name, dtype, shape)." },
	{ "class_name", class_name, METH_O, "The name of a label, or None." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc,
	    "Loader(path, settings, batch_size, shuffle, drop_last, own_seed, "
	    "seed, rank, world_size, threads, fetchers)" },
	{ Py_tp_new, loader_new },
	{ Py_tp_dealloc, loader_free },
	{ Py_tp_methods, methods },
	{ 0, NULL },
};

PyType_Spec loader_spec = {
	.name = "presto._presto.Loader",
	.basicsize = sizeof(struct loader_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = slots,
};
