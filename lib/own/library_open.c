/* library_open.c - see library_open.h. */
#include "lib/own/library_open.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/own/library.h"
#include "lib/process/one_thread.h"
#include "lib/syntax/nearest.h"

enum {
	VERSIONS_MOST = 100, /* tried, to name the one of a library */
	WORD_MOST = 64,
};

/* ---- finding the step ---- */

static bool is_last(const struct presto_step *step)
{
	return step->size == 0;
}

/* Entries may be longer than those that this presto knows. */
static const struct presto_step *entry_at(
    const struct presto_step *steps, size_t i)
{
	const char *bytes = (const char *)steps;

	return (
	    const struct presto_step *)(const void *)(bytes + i * steps->size);
}

/* Checks what must hold before another member is read. */
static int check_abi(const struct presto_step *step, struct error *err)
{
	if (step->size >= sizeof(*step) && step->abi == PRESTO_STEP_ABI)
		return 0;
	if (step->size < offsetof(struct presto_step, flags))
		return error_set(err, ERROR_USAGE,
		    "it has no list of steps that this presto knows: build it "
		    "again with the presto.h of this presto (version %d of "
		    "the ABI of steps)",
		    PRESTO_STEP_ABI);
	return error_set(err, ERROR_USAGE,
	    "it was built for version %u of the ABI of steps (%zu bytes), and "
	    "this presto has version %d (%zu bytes): build it again with the "
	    "presto.h of this presto",
	    step->abi, step->size, PRESTO_STEP_ABI, sizeof(*step));
}

const char *library_given_name(const struct presto_step *steps, size_t i)
{
	for (size_t k = 0; steps && !is_last(entry_at(steps, k)); k++)
		if (k == i)
			return entry_at(steps, k)->name;
	return NULL;
}

int library_find_given(const struct presto_step *steps, const char *name,
    const struct presto_step **step, struct error *err)
{
	const char *known;

	if (steps && !is_last(steps) && check_abi(steps, err))
		return -1;
	for (size_t i = 0; (known = library_given_name(steps, i)); i++)
		if (strcmp(known, name) == 0) {
			*step = entry_at(steps, i);
			return 1;
		}
	return 0;
}

/* Says which version it has in place of this presto's. */
static int refuse_symbol(void *handle, const char *file, struct error *err)
{
	char name[WORD_MOST];

	for (unsigned v = 0; v < VERSIONS_MOST; v++) {
		snprintf(name, sizeof(name), "presto_steps_v%u", v);
		if (dlsym(handle, name))
			return error_set(err, ERROR_USAGE,
			    "%s was built for version %u of the ABI of steps, "
			    "and this presto has version %d: build it again "
			    "with the presto.h of this presto",
			    file, v, PRESTO_STEP_ABI);
	}
	return error_set(err, ERROR_USAGE,
	    "%s has no steps: it exports no presto_steps_v%d (see "
	    "libpresto(3))",
	    file, PRESTO_STEP_ABI);
}

static int refuse_name(const struct presto_step *steps, const char *file,
    const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];
	const char *known;

	for (size_t i = 0; (known = library_given_name(steps, i)); i++)
		nearest_try(&nearest, known);
	return error_set(err, ERROR_USAGE, "%s has no step '%s'%s", file, name,
	    nearest_hint(&nearest, hint));
}

static int find_in_library(struct library *library, const char *file,
    const char *name, struct error *err)
{
	char symbol[WORD_MOST];
	const struct presto_step *steps;
	int found;

	snprintf(symbol, sizeof(symbol), "presto_steps_v%d", PRESTO_STEP_ABI);
	steps = dlsym(library->handle, symbol);
	if (!steps)
		return refuse_symbol(library->handle, file, err);
	found = library_find_given(steps, name, &library->step, err);
	if (found < 0)
		return error_prefix(err, "%s", file);
	return found ? 0 : refuse_name(steps, file, name, err);
}

/* Opens the library "FILE.so:STEP". */
static int load(struct own *own, struct library *library, struct error *err)
{
	const char *name = strrchr(own->target, ':');
	char *file = NULL, *path = NULL;
	const char *why;
	int rc = -1;

	if (!name || name == own->target || !name[1])
		return error_set(err, ERROR_USAGE,
		    "'%s' names no step: write FILE.so:STEP", own->target);
	file = strndup(own->target, (size_t)(name - own->target));
	path = file ? own_path(own, file, err) : NULL;
	if (!file)
		error_memory(err, strlen(own->target));
	if (path && own_print_file(own, path, err) == 0) {
		library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		why = library->handle ? NULL : dlerror();
		rc = library->handle
		         ? find_in_library(library, file, name + 1, err)
		         : error_set(err, ERROR_USAGE, "cannot load %s: %s",
		               file, why ? why : "no reason is known");
	}
	free(path);
	free(file);
	return rc;
}

static int check_step(const struct presto_step *step, struct error *err)
{
	static const unsigned known =
	    PRESTO_RANDOM | PRESTO_LOSSY | PRESTO_ONE_THREAD;

	if (check_abi(step, err))
		return -1;
	if (!step->create || !step->run)
		return error_set(
		    err, ERROR_USAGE, "it has no create, or no run");
	if (step->flags & ~known)
		return error_set(err, ERROR_USAGE,
		    "it has flags 0x%x that this presto does not know",
		    step->flags & ~known);
	return 0;
}

/* ---- options ---- */

static bool is_option(const char *option, const char *name, size_t len)
{
	return strncmp(option, name, len) == 0 &&
	       (option[len] == '=' || option[len] == '\0');
}

static int choose_value(const struct own *own, const char *option,
    const char **value, struct error *err)
{
	const size_t len = strcspn(option, "=");
	char name[WORD_MOST];

	if (len == 0 || len >= sizeof(name))
		return error_set(err, ERROR_USAGE,
		    "its option '%.60s' has no name, or a long one", option);
	memcpy(name, option, len);
	name[len] = '\0';
	*value = own_word(own, name);
	if (*value)
		return 0;
	if (!option[len])
		return error_set(
		    err, ERROR_USAGE, "option %s must be given", name);
	*value = option + len + 1;
	return 0;
}

static int refuse_word(
    const struct presto_step *step, const char *word, struct error *err)
{
	struct nearest nearest = nearest_to(word);
	char names[OWN_WORDS][WORD_MOST], hint[NEAREST_HINT];

	for (unsigned i = 0; i < OWN_WORDS && step->options && step->options[i];
	     i++) {
		snprintf(names[i], sizeof(names[i]), "%.*s",
		    (int)strcspn(step->options[i], "="), step->options[i]);
		nearest_try(&nearest, names[i]);
	}
	return error_set(err, ERROR_USAGE, "unknown option '%s'%s", word,
	    nearest_hint(&nearest, hint));
}

static int choose_values(
    const struct own *own, struct library *library, struct error *err)
{
	const char *const *given = library->step->options;
	unsigned count = 0;

	for (; given && given[count]; count++) {
		if (count == OWN_WORDS)
			return error_set(err, ERROR_USAGE,
			    "it has more than %d options", OWN_WORDS);
		if (choose_value(
		        own, given[count], &library->values[count], err))
			return -1;
	}
	for (unsigned i = 0; i < own->count; i++) {
		const char *word = own->words[i].name;
		unsigned k = 0;

		while (k < count && !is_option(given[k], word, strlen(word)))
			k++;
		if (k == count)
			return refuse_word(library->step, word, err);
	}
	return 0;
}

static int open_step(
    struct own *own, struct library *library, struct error *err)
{
	const struct presto_step *step = library->step;

	if (check_step(step, err) || choose_values(own, library, err) ||
	    own_print_version(own, step->name,
	        step->version ? step->version : "without a version", err))
		return -1;
	own->random = step->flags & PRESTO_RANDOM;
	own->lossy = step->flags & PRESTO_LOSSY;
	library->draws = own->random || own->says_random;
	if (step->flags & PRESTO_ONE_THREAD) {
		library->one_thread = one_thread_new(err);
		return library->one_thread ? 0 : -1;
	}
	return 0;
}

int library_open(struct own *own, struct error *err)
{
	struct library *library = calloc(1, sizeof(*library));

	if (!library)
		return error_memory(err, sizeof(*library));
	own->code = library;
	library->step = own->brought;
	if (!own->brought && load(own, library, err))
		return -1;
	if (open_step(own, library, err))
		return own->brought ? -1 : error_prefix(err, "%s", own->target);
	return 0;
}

void library_close(struct own *own)
{
	struct library *library = own->code;

	own->code = NULL;
	if (!library)
		return;
	one_thread_free(library->one_thread);
	if (library->handle)
		dlclose(library->handle);
	free(library);
}
