/* place.c - see place.h. */
#include "strategies/parts/place.h"

#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"
#include "lib/media/whole.h"

/* Most bytes of such a file: a list of the dataset's files may be long. */
enum { FILE_LIMIT = 1 << 30 };

int place_read(struct medium *medium, const char *dir, const char *name,
    struct buf *out, struct error *err)
{
	char *path = path_join(dir, name, err);
	const int rc =
	    path ? medium_read_any(medium, path, FILE_LIMIT, out, err) : -1;

	free(path);
	return rc;
}

/* A file that no part could read is not written. */
static int check_size(
    const char *dir, const char *name, struct span bytes, struct error *err)
{
	if (bytes.len <= FILE_LIMIT)
		return 0;
	return error_set(err, ERROR_LIMIT,
	    "%s/%s would have %zu bytes, and parts read at most %d: the "
	    "dataset has too many files; put them into archives, or write it "
	    "in one process",
	    dir, name, bytes.len, FILE_LIMIT);
}

int place_write(struct medium *medium, const char *dir, const char *name,
    struct span bytes, struct error *err)
{
	char *path = check_size(dir, name, bytes, err)
	                 ? NULL
	                 : path_join(dir, name, err);
	const int rc = path ? medium_write_whole(medium, path, bytes, err) : -1;

	free(path);
	return rc;
}

int place_write_new(struct medium *medium, const char *dir, const char *name,
    struct span bytes, struct error *err)
{
	char *path = check_size(dir, name, bytes, err)
	                 ? NULL
	                 : path_join(dir, name, err);
	const int rc = path ? medium_write_new(medium, path, bytes, err) : -1;

	free(path);
	return rc;
}

int place_remove(
    struct medium *medium, const char *dir, const char *name, struct error *err)
{
	char *path = path_join(dir, name, err);
	const int rc = path ? medium_remove(medium, path, err) : -1;

	free(path);
	return rc;
}
