/* passed_by.c - see passed_by.h. */
#include "datasets/files/passed_by.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/sample/reader.h"

void passed_by_add(struct passed_by *passed, const char *path)
{
	struct error ignored = ERROR_INIT;

	if (passed->count++ == 0)
		buf_append(&passed->first, path, strlen(path) + 1, &ignored);
}

void passed_by_move(struct passed_by *passed, struct passed_by *more)
{
	if (passed->count == 0) {
		buf_release(&passed->first);
		*passed = *more;
		*more = (struct passed_by){ .count = 0 };
		return;
	}
	passed->count += more->count;
	passed_by_release(more);
}

int passed_by_tell(
    const struct passed_by *passed, struct reader *reader, struct error *err)
{
	const char *first =
	    passed->first.len ? (const char *)passed->first.data : "output";
	struct buf note = BUF_INIT;
	char more[64] = "";
	int rc;

	if (passed->count == 0)
		return 0;
	if (passed->count > 1)
		snprintf(more, sizeof(more), ", and %llu more",
		    (unsigned long long)passed->count - 1);
	rc = buf_printf(&note, err,
	    "passed over %s%s: presto wrote it, and it is no part of the "
	    "dataset; to read it, give its own path as dataset.path",
	    first, more);
	if (rc == 0)
		rc = reader_add_note(reader, (const char *)note.data, err);
	buf_release(&note);
	return rc;
}

void passed_by_release(struct passed_by *passed)
{
	buf_release(&passed->first);
	passed->count = 0;
}
