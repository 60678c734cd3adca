/*
 * engine.h - a dataset and its loader, opened and closed by threads of their
 * own (task.h), so that Ctrl-C never waits for a storage.
 */
#ifndef PYTHON_MODULE_ENGINE_H
#define PYTHON_MODULE_ENGINE_H

#include "python/module/python.h"

#include <stdbool.h>
#include <stdint.h>

#include "api/presto.h"

struct state;

struct engine {
	struct presto_dataset *dataset;
	struct presto_loader *loader; /* NULL: closed */
	uint64_t seed;
};

struct engine_plan {
	const char *path;
	PyObject *settings; /* a tuple of bytes */
	bool own_seed;      /* the dataset's in place of options.seed */
	struct presto_loader_options options;
};

/* Opens it: 0; -1, and an exception is set. */
int engine_open(struct engine *engine, const struct engine_plan *plan,
    const struct state *state);
/* Closes it, and waits for that up to `ms`. */
void engine_close(struct engine *engine, unsigned ms);

#endif
