/* workdir.c - see workdir.h. */
#include "strategies/workdir.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/lock.h"
#include "lib/base/path.h"

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
