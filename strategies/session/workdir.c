/* workdir.c - see workdir.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "strategies/session/workdir.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/files/path.h"

char *workdir_as_given(const char *parent, const char *dir, struct error *err)
{
	char *real = realpath(parent, NULL);
	char *there = real ? path_join(real, path_base(dir), err) : NULL;
	const bool is_same = there && strcmp(there, dir) == 0;
	char *given = is_same && strcmp(parent, ".") != 0
	                  ? path_join(parent, path_base(dir), err)
	                  : strdup(is_same ? path_base(dir) : dir);

	free(there);
	free(real);
	if (!given)
		error_memory(err, strlen(dir));
	return given;
}

char *workdir_data(const char *dir, const char *label, struct error *err)
{
	char *name = strdup(label);
	char *path = NULL;

	if (!name) {
		error_memory(err, strlen(label));
		return NULL;
	}
	for (char *at = name; *at; at++)
		if (*at == '/')
			*at = '-';
		else if (*at == ':' || *at == '+')
			*at = '_';
	path = path_join(dir, name, err);
	free(name);
	return path;
}
