/* skips.c - see skips.h. */
#include "cmd/project/skips.h"

#include <stdio.h>

#include "cmd/program/cmd.h"
#include "cmd/program/output.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/sample/skipped.h"

struct skipped *skips_new(const char *path, struct error *err)
{
	if (path && output_check(path, err)) {
		error_prefix(err, "--skipped");
		return NULL;
	}
	return skipped_new(path, err);
}

static int print(const void *arg, FILE *out, struct error *err)
{
	const struct buf *text = arg;

	if (text->len && fwrite(text->data, 1, text->len, out) != text->len)
		return error_errno(err, "write", "the list of --skipped");
	return 0;
}

int skips_write(
    struct skipped *skipped, const char *path, int rc, struct error *err)
{
	struct error own = ERROR_INIT;
	struct buf text = BUF_INIT;
	int failed;

	if (!path)
		return rc;
	failed = skipped_list(skipped, &text, &own) ||
	         output_to(path, print, &text, &own);
	buf_release(&text);
	if (rc == 0 && failed)
		*err = own;
	return rc || failed ? -1 : 0;
}

void skips_tell(const struct skipped *skipped, const char *path)
{
	struct error ignored = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (skipped_count(skipped) &&
	    skipped_summary(skipped, &text, &ignored) == 0)
		cmd_warn("%s%s%s", (const char *)text.data,
		    path ? "; all are listed in "
		         : "; --skipped FILE lists them",
		    path ? path : "");
	buf_release(&text);
}
