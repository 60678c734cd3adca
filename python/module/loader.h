/* loader.h - the type _presto.Loader: a dataset and a loader of the library. */
#ifndef PYTHON_MODULE_LOADER_H
#define PYTHON_MODULE_LOADER_H

#include "python/module/python.h"

extern PyType_Spec loader_spec;

#endif
