/* output.c - see output.h. */
#include "cmd/output.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/path.h"

static bool is_stdout(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

int output_check(const char *path, struct error *err)
{
	struct stat status;
	char *dir;
	int rc = 0;

	if (is_stdout(path))
		return 0;
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return error_set(err, ERROR_USAGE,
		    "%s is a folder: the output needs a file", path);
	dir = path_dir(path, err);
	if (!dir)
		return -1;
	if (stat(dir, &status) || !S_ISDIR(status.st_mode))
		rc = error_set(err, ERROR_USAGE,
		    "cannot write %s: there is no folder %s", path, dir);
	free(dir);
	return rc;
}

int output_to(
    const char *path, output_print *print, const void *arg, struct error *err)
{
	struct error failure = ERROR_INIT;
	char *text = NULL;
	size_t len = 0;
	FILE *out;
	int rc;

	if (is_stdout(path))
		return print(arg, stdout, err);
	if (output_check(path, err))
		return -1;
	out = open_memstream(&text, &len);
	if (!out)
		return error_memory(err, len);
	rc = print(arg, out, err);
	if (fclose(out) && rc == 0)
		rc = error_memory(err, len);
	/* What a gate refuses was printed all the same. */
	if (rc == 0 || (err->code == ERROR_GATE && len > 0)) {
		const struct span bytes = { .data = (unsigned char *)text,
			.len = len };

		if (path_write_output(path, bytes, &failure)) {
			*err = failure;
			rc = -1;
		}
	}
	free(text);
	return rc;
}
