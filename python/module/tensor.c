/* tensor.c - see tensor.h. */
#include "python/module/tensor.h"

#include <stdlib.h>

#include "python/module/dlpack.h"
#include "python/module/lease.h"
#include "python/module/state.h"

static const struct dtype {
	const char *name;
	char format[2]; /* of the module struct */
	struct dl_dtype dl;
} dtypes[] = {
	[PRESTO_U8] = { "uint8", "B", { DL_UINT, 8, 1 } },
	[PRESTO_I8] = { "int8", "b", { DL_INT, 8, 1 } },
	[PRESTO_U16] = { "uint16", "H", { DL_UINT, 16, 1 } },
	[PRESTO_I16] = { "int16", "h", { DL_INT, 16, 1 } },
	[PRESTO_U32] = { "uint32", "I", { DL_UINT, 32, 1 } },
	[PRESTO_I32] = { "int32", "i", { DL_INT, 32, 1 } },
	[PRESTO_U64] = { "uint64", "Q", { DL_UINT, 64, 1 } },
	[PRESTO_I64] = { "int64", "q", { DL_INT, 64, 1 } },
	[PRESTO_F16] = { "float16", "e", { DL_FLOAT, 16, 1 } },
	[PRESTO_F32] = { "float32", "f", { DL_FLOAT, 32, 1 } },
	[PRESTO_F64] = { "float64", "d", { DL_FLOAT, 64, 1 } },
};

struct tensor_object {
	PyObject head;
	struct lease *lease;
	const struct dtype *dtype;
	void *data;
	Py_ssize_t bytes;
	int rank;
	Py_ssize_t shape[PRESTO_DIMS_MAX];
	Py_ssize_t strides[PRESTO_DIMS_MAX]; /* bytes */
};

const char *tensor_dtype_name(enum presto_dtype dtype)
{
	return dtypes[dtype].name;
}

PyObject *tensor_shape(const int64_t *dims, unsigned rank)
{
	PyObject *tuple = PyTuple_New(rank);

	for (unsigned i = 0; tuple && i < rank; i++) {
		PyObject *dim = PyLong_FromLongLong(dims[i]);

		if (!dim || PyTuple_SetItem(tuple, i, dim))
			Py_CLEAR(tuple);
	}
	return tuple;
}

PyObject *tensor_new(const struct state *state, struct lease *lease,
    const struct presto_tensor *tensor)
{
	struct tensor_object *object = state_new_object(state->tensor_type);
	Py_ssize_t stride;

	if (!object)
		return NULL;
	object->lease = lease_hold(lease);
	object->dtype = &dtypes[tensor->type.dtype];
	object->data = tensor->data;
	object->bytes = (Py_ssize_t)tensor->bytes;
	object->rank = (int)tensor->type.rank;
	stride = object->dtype->dl.bits / 8;
	for (int i = object->rank; i-- > 0;) {
		object->shape[i] = (Py_ssize_t)tensor->type.dims[i];
		object->strides[i] = stride;
		stride *= object->shape[i];
	}
	return (PyObject *)object;
}

static void tensor_free(PyObject *self)
{
	struct tensor_object *tensor = (struct tensor_object *)self;

	if (tensor->lease)
		lease_drop(tensor->lease);
	state_free_object(self);
}

/* ---- the buffer protocol ---- */

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
	struct tensor_object *tensor = (struct tensor_object *)self;
	static char nothing;

	*view = (Py_buffer){
		.buf = tensor->data ? tensor->data : &nothing,
		.obj = Py_NewRef(self),
		.len = tensor->bytes,
		.itemsize = tensor->dtype->dl.bits / 8,
		.ndim = tensor->rank,
	};
	if (flags & PyBUF_FORMAT)
		view->format = (char *)(uintptr_t)tensor->dtype->format;
	if (flags & PyBUF_ND)
		view->shape = tensor->shape;
	if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES)
		view->strides = tensor->strides;
	return 0;
}

/* ---- DLPack ---- */

/* A managed tensor with the memory that it points to. */
struct shared {
	union {
		struct dl_managed plain;
		struct dl_managed_versioned versioned;
	};
	int64_t shape[PRESTO_DIMS_MAX], strides[PRESTO_DIMS_MAX];
};

static void delete_plain(struct dl_managed *managed)
{
	lease_drop(managed->context);
	free(managed);
}

static void delete_versioned(struct dl_managed_versioned *managed)
{
	lease_drop(managed->context);
	free(managed);
}

/* A consumer renames the capsule; these are for those that nobody took. */
static void drop_plain(PyObject *capsule)
{
	struct dl_managed *managed;

	if (!PyCapsule_IsValid(capsule, "dltensor"))
		return;
	managed = PyCapsule_GetPointer(capsule, "dltensor");
	if (managed)
		managed->deleter(managed);
}

static void drop_versioned(PyObject *capsule)
{
	struct dl_managed_versioned *managed;

	if (!PyCapsule_IsValid(capsule, "dltensor_versioned"))
		return;
	managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
	if (managed)
		managed->deleter(managed);
}

static struct dl_tensor describe(
    const struct tensor_object *tensor, struct shared *shared)
{
	const Py_ssize_t item = tensor->dtype->dl.bits / 8;

	for (int i = 0; i < tensor->rank; i++) {
		shared->shape[i] = tensor->shape[i];
		shared->strides[i] = tensor->strides[i] / item;
	}
	return (struct dl_tensor){
		.data = tensor->data,
		.device = { .type = DL_CPU },
		.ndim = tensor->rank,
		.dtype = tensor->dtype->dl,
		.shape = shared->shape,
		.strides = shared->strides,
	};
}

static PyObject *share(const struct tensor_object *tensor, bool is_versioned)
{
	struct shared *shared = calloc(1, sizeof(*shared));
	PyObject *capsule;

	if (!shared)
		return PyErr_NoMemory();
	if (is_versioned) {
		shared->versioned.version.major = 1;
		shared->versioned.context = lease_hold(tensor->lease);
		shared->versioned.deleter = delete_versioned;
		shared->versioned.tensor = describe(tensor, shared);
		capsule = PyCapsule_New(
		    &shared->versioned, "dltensor_versioned", drop_versioned);
	} else {
		shared->plain.context = lease_hold(tensor->lease);
		shared->plain.deleter = delete_plain;
		shared->plain.tensor = describe(tensor, shared);
		capsule = PyCapsule_New(&shared->plain, "dltensor", drop_plain);
	}
	if (!capsule) {
		lease_drop(tensor->lease);
		free(shared);
	}
	return capsule;
}

/* The first number of a tuple such as (1, 0); `none` where it is None. */
static long first_of(PyObject *tuple, long none)
{
	PyObject *number;
	long value;

	if (!tuple || tuple == Py_None)
		return none;
	number = PySequence_GetItem(tuple, 0);
	if (!number)
		return -1;
	value = PyLong_AsLong(number);
	Py_DECREF(number);
	return value;
}

static PyObject *dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
	static char *names[] = { "stream", "max_version", "dl_device", "copy",
		NULL };
	PyObject *stream = NULL, *version = NULL, *device = NULL, *copy = NULL;
	long major, type;

	if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO", names,
	        &stream, &version, &device, &copy))
		return NULL;
	major = first_of(version, 0);
	type = first_of(device, DL_CPU);
	if (PyErr_Occurred())
		return NULL;
	if (type != DL_CPU || copy == Py_True) {
		PyErr_SetString(PyExc_BufferError,
		    "a batch is in main memory, and is shared without a copy");
		return NULL;
	}
	return share((struct tensor_object *)self, major >= 1);
}

static PyObject *dlpack_device(PyObject *self, PyObject *ignored)
{
	(void)self;
	(void)ignored;
	return Py_BuildValue("(ii)", DL_CPU, 0);
}

/* ---- the type ---- */

static Py_ssize_t length(PyObject *self)
{
	const struct tensor_object *tensor = (struct tensor_object *)self;

	if (tensor->rank > 0)
		return tensor->shape[0];
	PyErr_SetString(PyExc_TypeError, "a single number has no length");
	return -1;
}

static PyObject *get_shape(PyObject *self, void *ignored)
{
	const struct tensor_object *tensor = (struct tensor_object *)self;
	int64_t dims[PRESTO_DIMS_MAX];

	(void)ignored;
	for (int i = 0; i < tensor->rank; i++)
		dims[i] = tensor->shape[i];
	return tensor_shape(dims, (unsigned)tensor->rank);
}

static PyObject *get_dtype(PyObject *self, void *ignored)
{
	(void)ignored;
	return PyUnicode_FromString(
	    ((struct tensor_object *)self)->dtype->name);
}

static PyMethodDef methods[] = {
	{ "__dlpack__", (PyCFunction)(void (*)(void))dlpack,
	    METH_VARARGS | METH_KEYWORDS, "A DLPack capsule of the memory." },
	{ "__dlpack_device__", dlpack_device, METH_NOARGS, "(1, 0): CPU." },
	{ NULL, NULL, 0, NULL },
};

static PyGetSetDef properties[] = {
	{ "shape", get_shape, NULL, "Numbers of elements, slowest first.",
	    NULL },
	{ "dtype", get_dtype, NULL, "The name of the type, as in numpy.",
	    NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "Memory of a batch, as a buffer and by DLPack." },
	{ Py_tp_dealloc, tensor_free },
	{ Py_tp_methods, methods },
	{ Py_tp_getset, properties },
	{ Py_sq_length, length },
	{ Py_bf_getbuffer, get_buffer },
	{ 0, NULL },
};

PyType_Spec tensor_spec = {
	.name = "presto._presto.Tensor",
	.basicsize = sizeof(struct tensor_object),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};
