/*
 * python.h - Python.h, limited to the stable ABI of Python 3.11 and later.  It
 * is included first, since it defines what the C library shows.
 */
#ifndef PYTHON_MODULE_PYTHON_H
#define PYTHON_MODULE_PYTHON_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#endif
