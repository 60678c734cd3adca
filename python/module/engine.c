/* engine.c - see engine.h. */
#include "python/module/engine.h"

#include <stdlib.h>
#include <string.h>

#include "python/module/state.h"
#include "python/module/task.h"

struct opening {
	struct task task; /* first */
	char *path;
	char **settings; /* NULL behind the last */
	char *python;    /* this interpreter; NULL: it has no file */
	bool own_seed;
	struct presto_loader_options options;
	struct engine engine;
	struct presto_error error;
};

static void engine_free(struct engine *engine)
{
	presto_loader_free(engine->loader);
	if (engine->dataset)
		presto_close(engine->dataset);
	*engine = (struct engine){ .dataset = NULL };
}

/* ---- opening ---- */

static void open_run(struct task *task)
{
	struct opening *opening = (struct opening *)task;
	struct engine *engine = &opening->engine;
	struct presto_open_options options = PRESTO_OPEN_OPTIONS_INIT;

	options.settings = (const char *const *)opening->settings;
	options.python = opening->python;
	engine->dataset = presto_open(opening->path, &options, &opening->error);
	if (!engine->dataset)
		return;
	if (opening->own_seed)
		opening->options.seed = presto_seed(engine->dataset);
	engine->seed = opening->options.seed;
	engine->loader = presto_loader_new(
	    engine->dataset, &opening->options, &opening->error);
}

static void open_release(struct task *task)
{
	struct opening *opening = (struct opening *)task;

	engine_free(&opening->engine);
	for (char **setting = opening->settings; setting && *setting; setting++)
		free(*setting);
	free(opening->settings);
	free(opening->python);
	free(opening->path);
	free(opening);
}

/* Copies the texts of the tuple: 0, or -1 and an exception is set. */
static int copy_settings(struct opening *opening, PyObject *settings)
{
	const Py_ssize_t count = PyTuple_Size(settings);

	if (count < 0)
		return -1;
	opening->settings = calloc((size_t)count + 1, sizeof(char *));
	for (Py_ssize_t i = 0; opening->settings && i < count; i++) {
		char *text;

		if (PyBytes_AsStringAndSize(
		        PyTuple_GetItem(settings, i), &text, NULL))
			return -1;
		opening->settings[i] = strdup(text);
		if (!opening->settings[i])
			break;
	}
	if (!opening->settings || (count && !opening->settings[count - 1])) {
		PyErr_NoMemory();
		return -1;
	}
	return 0;
}

/* Notes sys.executable, which python steps run in: 0, or -1 and an exception.
 */
static int copy_python(struct opening *opening)
{
	PyObject *name = PySys_GetObject("executable"); /* borrowed */
	PyObject *bytes;
	char *text;

	if (!name || !PyUnicode_Check(name) || PyUnicode_GetLength(name) == 0)
		return 0;
	bytes = PyUnicode_EncodeFSDefault(name);
	if (!bytes)
		return -1;
	if (PyBytes_AsStringAndSize(bytes, &text, NULL) == 0)
		opening->python = strdup(text);
	Py_DECREF(bytes);
	if (!opening->python && !PyErr_Occurred())
		PyErr_NoMemory();
	return opening->python ? 0 : -1;
}

/* Returns NULL, and an exception is set. */
static struct opening *opening_new(const struct engine_plan *plan)
{
	struct opening *opening = calloc(1, sizeof(*opening));

	if (!opening) {
		PyErr_NoMemory();
		return NULL;
	}
	opening->task.run = open_run;
	opening->task.release = open_release;
	opening->own_seed = plan->own_seed;
	opening->options = plan->options;
	opening->path = strdup(plan->path);
	if (!opening->path)
		PyErr_NoMemory();
	if (!opening->path || copy_settings(opening, plan->settings) ||
	    copy_python(opening)) {
		open_release(&opening->task);
		return NULL;
	}
	return opening;
}

int engine_open(struct engine *engine, const struct engine_plan *plan,
    const struct state *state)
{
	struct opening *opening = opening_new(plan);
	int rc = 0;

	if (!opening)
		return -1;
	if (task_start(&opening->task)) {
		PyErr_SetString(state->error, "no thread can be started");
		open_release(&opening->task);
		return -1;
	}
	if (task_wait(&opening->task))
		return -1;
	if (opening->engine.loader) {
		*engine = opening->engine;
		opening->engine = (struct engine){ .dataset = NULL };
	} else {
		state_raise(state, &opening->error);
		rc = -1;
	}
	task_end(&opening->task);
	return rc;
}

/* ---- closing ---- */

struct closing {
	struct task task; /* first */
	struct engine engine;
};

static void close_run(struct task *task)
{
	engine_free(&((struct closing *)task)->engine);
}

static void close_release(struct task *task)
{
	free(task);
}

void engine_close(struct engine *engine, unsigned ms)
{
	struct closing *closing = calloc(1, sizeof(*closing));

	if (closing) {
		closing->task.run = close_run;
		closing->task.release = close_release;
		closing->engine = *engine;
		if (task_start(&closing->task) == 0) {
			*engine = (struct engine){ .dataset = NULL };
			task_leave(&closing->task, ms);
			return;
		}
		free(closing);
	}
	Py_BEGIN_ALLOW_THREADS engine_free(engine);
	Py_END_ALLOW_THREADS
}
