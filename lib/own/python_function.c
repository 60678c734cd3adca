/* python_function.c - see python_function.h. */
#include "lib/own/python_function.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

static int check_target(const char *target, struct error *err)
{
	const char *colon = strrchr(target, ':');

	if (colon && colon > target && colon[1])
		return 0;
	return error_set(err, ERROR_USAGE,
	    "it must be FILE.py:FUNCTION or PACKAGE.MODULE:FUNCTION, not '%s'",
	    target);
}

static int copy_words(
    const struct own *own, struct python_function *function, struct error *err)
{
	for (unsigned i = 0; i < own->count; i++) {
		struct buf word = BUF_INIT;

		if (buf_printf(&word, err, "%s=%s", own->words[i].name,
		        own->words[i].value))
			return -1;
		function->words[i] = strdup((const char *)word.data);
		buf_release(&word);
		if (!function->words[i])
			return error_memory(err, OWN_WORDS);
	}
	return 0;
}

/* Takes a line "WHAT VALUE" that a worker told. */
static int note_line(
    struct own *own, const char *what, const char *value, struct error *err)
{
	if (strcmp(what, "file") == 0)
		return own_print_file(own, value, err);
	if (strcmp(what, "draws") != 0)
		return own_print_version(own, what, value, err);
	own->random = true;
	return 0;
}

static int note_lines(struct own *own, char *text, struct error *err)
{
	char *rest = text, *line;

	while ((line = strtok_r(rest, "\n", &rest))) {
		char *value = strchr(line, ' ');

		if (!value)
			continue;
		*value++ = '\0';
		if (note_line(own, line, value, err))
			return -1;
	}
	return 0;
}

static int start(double timeout_s, bool stacks, struct own *own,
    struct python_function *function, struct error *err)
{
	const struct python_settings *settings = &function->settings;
	struct buf told = BUF_INIT;
	int rc = -1;

	function->code = (struct python_code){
		.interpreter = settings->interpreter,
		.target = own->target,
		.folder = own->folder,
		.options = (const char *const *)function->words,
		.draws = own->says_random,
		.shows = settings->shows,
		.stacks = stacks,
		.timeout_s = timeout_s > 0 ? timeout_s : settings->timeout_s,
	};
	function->pool =
	    python_pool_new(&function->code, settings->workers, &told, err);
	if (function->pool && told.len)
		rc = note_lines(own, (char *)told.data, err);
	buf_release(&told);
	return rc;
}

int python_function_open(
    struct own *own, double timeout_s, bool stacks, struct error *err)
{
	struct python_function *function;

	if (check_target(own->target, err))
		return -1;
	function = memory_zeroed(sizeof(*function), err);
	own->code = function; /* from now on python_function_close frees it */
	if (!function ||
	    python_settings_read(&function->settings, own->ini, err))
		return -1;
	if (copy_words(own, function, err) ||
	    start(timeout_s, stacks, own, function, err))
		return error_prefix(err, "%s", own->target);
	return 0;
}

void python_function_close(struct own *own)
{
	struct python_function *function = own->code;

	if (!function)
		return;
	python_pool_free(function->pool);
	python_settings_release(&function->settings);
	for (unsigned i = 0; i < OWN_WORDS; i++)
		free(function->words[i]);
	free(function);
	own->code = NULL;
}

int python_function_run(const struct python_function *function,
    struct python_worker *worker, struct python_result *result,
    struct error *err)
{
	int rc = python_worker_run(worker, 1, err);

	if (rc == 0)
		rc = python_worker_get(worker, 0, result, err);
	if (rc && python_worker_is_lost(worker))
		error_prefix(err, "%s", function->code.target);
	return rc;
}

int python_function_keep(const struct python_function *function,
    struct python_worker **worker, struct error *err)
{
	if (*worker && python_worker_is_lost(*worker))
		python_function_give(function, worker);
	if (!*worker)
		*worker = python_pool_take(function->pool, err);
	if (!*worker)
		return error_prefix(err, "%s", function->code.target);
	return 0;
}

void python_function_give(
    const struct python_function *function, struct python_worker **worker)
{
	if (*worker)
		python_pool_give(function->pool, *worker);
	*worker = NULL;
}

int python_function_call(const struct python_function *function,
    const struct tensor *in, const uint64_t draw[2], python_use *use, void *arg,
    struct error *err)
{
	struct python_worker *worker = NULL;
	struct python_result result;
	int rc;

	if (python_function_keep(function, &worker, err))
		return -1;
	rc = python_worker_put(worker, 0, in, draw, err);
	if (rc == 0)
		rc = python_function_run(function, worker, &result, err);
	if (rc == 0)
		rc = use(arg, &result, err);
	python_function_give(function, &worker);
	return rc;
}
