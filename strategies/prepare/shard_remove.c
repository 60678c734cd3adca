/* shard_remove.c - see shard_remove.h. */
#include "strategies/prepare/shard_remove.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/stores/shard_path.h"

/* Names in the folder that are to be removed. */
struct doomed {
	const bool *which;
	unsigned first, count;
	char **names; /* owned, each of them too */
	size_t named, capacity;
};

/* The number of the shard that a file belongs to; -1: to none. */
static int64_t number_of(const char *name)
{
	const size_t len = strcspn(name, ".");
	char shard[SHARD_NAME];

	if (len >= sizeof(shard))
		return -1;
	memcpy(shard, name, len);
	shard[len] = '\0';
	return shard_number(shard);
}

static int take_name(void *arg, const char *name, struct error *err)
{
	struct doomed *doomed = arg;
	const int64_t number = number_of(name);
	char **names;

	if (number < doomed->first ||
	    number - doomed->first >= (int64_t)doomed->count ||
	    !doomed->which[number - doomed->first])
		return 0;
	names = array_grow(doomed->names, &doomed->capacity, doomed->named + 1,
	    sizeof(*names), err);
	if (!names)
		return -1;
	doomed->names = names;
	names[doomed->named] = strdup(name);
	if (!names[doomed->named])
		return error_memory(err, strlen(name));
	doomed->named++;
	return 0;
}

/* The folder of a shard has the name of the shard alone. */
static int remove_name(
    struct medium *medium, const char *dir, const char *name, struct error *err)
{
	char *path = path_join(dir, name, err);
	int rc = -1;

	if (path)
		rc = strchr(name, '.') ? medium_remove(medium, path, err)
		                       : medium_remove_tree(medium, path, err);
	free(path);
	return rc;
}

static bool is_index(const char *name)
{
	const char *suffix = strrchr(name, '.');

	return suffix && strcmp(suffix, ".index") == 0;
}

int shards_remove(struct medium *medium, const char *dir, unsigned first,
    const bool *which, unsigned count, struct error *err)
{
	struct doomed doomed = {
		.which = which, .first = first, .count = count
	};
	int rc = medium_each_name(medium, dir, take_name, &doomed, err);

	for (int indexes = 0; indexes < 2; indexes++)
		for (size_t i = 0; rc == 0 && i < doomed.named; i++)
			if (is_index(doomed.names[i]) == (indexes == 1))
				rc = remove_name(
				    medium, dir, doomed.names[i], err);
	for (size_t i = 0; i < doomed.named; i++)
		free(doomed.names[i]);
	free(doomed.names);
	return rc;
}
