/* batch.c - see batch.h. */
#include "python/module/batch.h"

#include "api/presto.h"
#include "python/module/lease.h"
#include "python/module/state.h"
#include "python/module/tensor.h"

struct batch_object {
	PyObject head;
	struct lease *lease;
};

PyObject *batch_object_new(
    const struct state *state, struct presto_batch *batch)
{
	struct lease *lease = lease_new(batch);
	struct batch_object *object;

	if (!lease)
		return PyErr_NoMemory();
	object = state_new_object(state->batch_type);
	if (!object) {
		lease_drop(lease);
		return NULL;
	}
	object->lease = lease;
	return (PyObject *)object;
}

static void batch_object_free(PyObject *self)
{
	struct batch_object *object = (struct batch_object *)self;

	if (object->lease)
		lease_drop(object->lease);
	state_free_object(self);
}

static const struct presto_batch *batch_of(PyObject *self)
{
	return ((struct batch_object *)self)->lease->batch;
}

static PyObject *make_tensor(PyObject *self, const struct presto_tensor *tensor)
{
	return tensor_new(
	    state_of(self), ((struct batch_object *)self)->lease, tensor);
}

/* The field as one tensor, or None where samples differ in shape. */
static PyObject *field(PyObject *self, PyObject *number)
{
	const unsigned long which = PyLong_AsUnsignedLong(number);
	struct presto_tensor tensor;

	if (PyErr_Occurred())
		return NULL;
	if (presto_batch_field(batch_of(self), (unsigned)which, &tensor))
		Py_RETURN_NONE;
	return make_tensor(self, &tensor);
}

/* The field of each sample, as a list of tensors. */
static PyObject *samples_of(PyObject *self, PyObject *number)
{
	const unsigned long which = PyLong_AsUnsignedLong(number);
	const size_t count = presto_batch_samples(batch_of(self));
	PyObject *list =
	    PyErr_Occurred() ? NULL : PyList_New((Py_ssize_t)count);

	for (size_t i = 0; list && i < count; i++) {
		struct presto_tensor tensor;
		PyObject *item = NULL;

		if (presto_batch_sample(
		        batch_of(self), i, (unsigned)which, &tensor))
			PyErr_SetString(PyExc_IndexError, "no such field");
		else
			item = make_tensor(self, &tensor);
		if (!item || PyList_SetItem(list, (Py_ssize_t)i, item))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *labels(PyObject *self, PyObject *ignored)
{
	const struct presto_batch *batch = batch_of(self);
	const size_t count = presto_batch_samples(batch);
	const struct presto_tensor tensor = {
		.type = { .dtype = PRESTO_I64,
		    .rank = 1,
		    .dims = { (int64_t)count } },
		.data = presto_batch_labels(batch),
		.bytes = count * sizeof(int64_t),
	};

	(void)ignored;
	return make_tensor(self, &tensor);
}

static PyObject *keys(PyObject *self, PyObject *ignored)
{
	const struct presto_batch *batch = batch_of(self);
	const size_t count = presto_batch_samples(batch);
	PyObject *list = PyList_New((Py_ssize_t)count);

	(void)ignored;
	for (size_t i = 0; list && i < count; i++) {
		size_t length;
		const char *key = presto_batch_key(batch, i, &length);
		PyObject *text = PyUnicode_DecodeUTF8(
		    key, (Py_ssize_t)length, "surrogateescape");

		if (!text || PyList_SetItem(list, (Py_ssize_t)i, text))
			Py_CLEAR(list);
	}
	return list;
}

static Py_ssize_t length(PyObject *self)
{
	return (Py_ssize_t)presto_batch_samples(batch_of(self));
}

static PyMethodDef methods[] = {
	{ "field", field, METH_O,
	    "Field number n of all samples as one Tensor, or None." },
	{ "samples_of", samples_of, METH_O,
	    "Field number n of each sample: a list of Tensor." },
	{ "labels", labels, METH_NOARGS, "A Tensor of int64." },
	{ "keys", keys, METH_NOARGS, "A list of str." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "A batch; it is given back when nobody holds it." },
	{ Py_tp_dealloc, batch_object_free },
	{ Py_tp_methods, methods },
	{ Py_sq_length, length },
	{ 0, NULL },
};

PyType_Spec batch_spec = {
	.name = "presto._presto.Batch",
	.basicsize = sizeof(struct batch_object),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};
