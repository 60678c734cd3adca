/* output.c - see output.h. */
#include "cmd/output.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/path.h"

int output_to(
    const char *path, output_print *print, const void *arg, struct error *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out;
	int rc;

	if (!path || strcmp(path, "-") == 0)
		return print(arg, stdout, err);
	out = open_memstream(&text, &len);
	if (!out)
		return error_memory(err, len);
	rc = print(arg, out, err);
	if (fclose(out) && rc == 0)
		rc = error_memory(err, len);
	if (rc == 0)
		rc = path_write(path,
		    (struct span){ .data = (unsigned char *)text, .len = len },
		    err);
	free(text);
	return rc;
}
