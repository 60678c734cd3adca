/*
 * module.c - the extension module presto._presto: presto.h for Python.
 *
 * It is plain C against the stable ABI.  Python code (presto/loader.py) makes
 * it convenient; this module only keeps memory and threads in order.
 */
#include "python/module/state.h"

#include <string.h>

#include "api/presto.h"
#include "python/module/batch.h"
#include "python/module/loader.h"
#include "python/module/tensor.h"

struct state *state_of(PyObject *object)
{
	return PyType_GetModuleState(Py_TYPE(object));
}

PyObject *state_raise(
    const struct state *state, const struct presto_error *error)
{
	PyObject *text = PyUnicode_DecodeUTF8(
	    error->text, (Py_ssize_t)strlen(error->text), "backslashreplace");

	if (!text)
		return NULL;
	PyErr_SetObject(
	    error->code == PRESTO_USAGE ? state->usage_error : state->error,
	    text);
	Py_DECREF(text);
	return NULL;
}

void *state_new_object(PyObject *type)
{
	return PyType_GenericAlloc((PyTypeObject *)type, 0);
}

void state_free_object(PyObject *object)
{
	PyTypeObject *type = Py_TYPE(object);
	const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	release(object);
	Py_DECREF(type);
}

/* ---- functions ---- */

/* A step as (name, summary, takes, gives, random, needed library or None). */
static PyObject *step_tuple(const struct presto_step_info *info)
{
	return Py_BuildValue("(ssssOz)", info->name, info->summary, info->takes,
	    info->gives, info->random ? Py_True : Py_False, info->needs);
}

static PyObject *steps(PyObject *module, PyObject *ignored)
{
	struct presto_step_info info = PRESTO_STEP_INFO_INIT;
	PyObject *list = PyList_New(0);

	(void)module;
	(void)ignored;
	for (unsigned i = 0; list && presto_step_at(i, &info) == 0; i++) {
		PyObject *tuple = step_tuple(&info);

		if (!tuple || PyList_Append(list, tuple))
			Py_CLEAR(list);
		Py_XDECREF(tuple);
	}
	return list;
}

static PyMethodDef functions[] = {
	{ "steps", steps, METH_NOARGS,
	    "(name, summary, takes, gives, random, needs) of each step." },
	{ NULL, NULL, 0, NULL },
};

/* ---- the module ---- */

static int add_errors(PyObject *module, struct state *state)
{
	PyObject *bases;

	state->error = PyErr_NewExceptionWithDoc("presto.Error",
	    "Data, memory or the operating system failed.", NULL, NULL);
	if (!state->error ||
	    PyModule_AddObjectRef(module, "Error", state->error))
		return -1;
	bases = PyTuple_Pack(2, state->error, PyExc_ValueError);
	if (!bases)
		return -1;
	state->usage_error = PyErr_NewExceptionWithDoc("presto.UsageError",
	    "A mistake in a pipeline file or an argument.", bases, NULL);
	Py_DECREF(bases);
	if (!state->usage_error)
		return -1;
	return PyModule_AddObjectRef(module, "UsageError", state->usage_error);
}

static int add_type(PyObject *module, PyType_Spec *spec, PyObject **type)
{
	*type = PyType_FromModuleAndSpec(module, spec, NULL);
	return *type ? PyModule_AddType(module, (PyTypeObject *)*type) : -1;
}

static int begin(PyObject *module)
{
	struct state *state = PyModule_GetState(module);

	if (add_errors(module, state) ||
	    add_type(module, &loader_spec, &state->loader_type) ||
	    add_type(module, &batch_spec, &state->batch_type) ||
	    add_type(module, &tensor_spec, &state->tensor_type))
		return -1;
	return PyModule_AddStringConstant(module, "version", presto_version());
}

static int visit_state(PyObject *module, visitproc visit, void *arg)
{
	const struct state *state = PyModule_GetState(module);

	Py_VISIT(state->loader_type);
	Py_VISIT(state->batch_type);
	Py_VISIT(state->tensor_type);
	Py_VISIT(state->error);
	Py_VISIT(state->usage_error);
	return 0;
}

static int clear_state(PyObject *module)
{
	struct state *state = PyModule_GetState(module);

	Py_CLEAR(state->loader_type);
	Py_CLEAR(state->batch_type);
	Py_CLEAR(state->tensor_type);
	Py_CLEAR(state->error);
	Py_CLEAR(state->usage_error);
	return 0;
}

static void end(void *module)
{
	clear_state(module);
}

static PyModuleDef_Slot slots[] = {
	{ Py_mod_exec, begin },
	{ 0, NULL },
};

static struct PyModuleDef definition = {
	.m_base = PyModuleDef_HEAD_INIT,
	.m_name = "presto._presto",
	.m_doc = "presto.h for Python: use presto.Loader.",
	.m_size = sizeof(struct state),
	.m_methods = functions,
	.m_slots = slots,
	.m_traverse = visit_state,
	.m_clear = clear_state,
	.m_free = end,
};

PyMODINIT_FUNC PyInit__presto(void);

PyMODINIT_FUNC PyInit__presto(void)
{
	return PyModuleDef_Init(&definition);
}
