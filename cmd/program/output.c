/* output.c - see output.h. */
#include "cmd/program/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/program/cmd.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "lib/files/temporary_sweep.h"

/* open() takes the lowest free number, which is that of the closed stream. */
void output_begin(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    /* Reading only: a write to stdout must fail. */
		    open("/dev/null",
		        fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return;
}

int output_end(struct error *err)
{
	char cause[ERROR_CAUSE];
	bool failed;

	errno = 0;
	failed = fflush(stdout) || ferror(stdout);
	failed |= fclose(stdout) != 0;
	if (!failed)
		return 0;
	return error_set(err, ERROR_SYSTEM,
	    "cannot write the output: %s; the output is incomplete",
	    errno ? error_cause(errno, cause) : "a write failed");
}

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

/* Removes temporary files of killed processes in the folder of `path`. */
static void sweep(const char *path)
{
	struct error ignored = ERROR_INIT;
	struct swept swept = { .count = 0 };
	char *dir = path_dir(path, &ignored), text[SWEPT_TEXT];

	if (dir && temporary_sweep(dir, false, &swept, &ignored) == 0 &&
	    swept.count) {
		swept_words(&swept, dir, text);
		cmd_note("%s", text);
	}
	free(dir);
}

static bool is_verdict(enum error_code code)
{
	return code == ERROR_GATE || code == ERROR_INCONCLUSIVE;
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
	/* After a verdict, the printed text is the result, too. */
	if (rc == 0 || (is_verdict(err->code) && len > 0)) {
		const struct span bytes = { .data = (unsigned char *)text,
			.len = len };

		sweep(path);
		if (path_write_output(path, bytes, &failure)) {
			*err = failure;
			rc = -1;
		}
	}
	free(text);
	return rc;
}
