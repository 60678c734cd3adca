/* claim.c - see claim.h. */
#include "strategies/prepare/claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/folder/made.h"
#include "lib/media/medium.h"
#include "lib/media/whole.h"
#include "strategies/prepare/hold.h"

enum { FILE_LIMIT = 4096 };

int claim_is_there(struct medium *medium, const char *dir, struct error *err)
{
	struct medium_status status = { .kind = MEDIUM_NOTHING };
	char *path = path_join(dir, MADE_PARTIAL, err);
	const int rc =
	    path ? medium_get_status(medium, path, &status, err) : -1;

	free(path);
	return rc ? -1 : status.kind != MEDIUM_NOTHING;
}

/* Copies the first line. */
static void take_line(struct claim *claim, struct span bytes)
{
	const unsigned char *end =
	    bytes.len ? memchr(bytes.data, '\n', bytes.len) : NULL;
	size_t len = end ? (size_t)(end - bytes.data) : bytes.len;

	if (len >= sizeof(claim->text))
		len = sizeof(claim->text) - 1;
	if (len)
		memcpy(claim->text, bytes.data, len);
	claim->text[len] = '\0';
}

/* 1: the object is there, and its text was taken; 0: there is none. */
static int read_far(struct claim *claim, struct error *err)
{
	struct buf bytes = BUF_INIT;
	const int rc = medium_read_any(
	    claim->medium, claim->path, FILE_LIMIT, &bytes, err);

	if (rc > 0)
		take_line(claim, buf_span(&bytes));
	buf_release(&bytes);
	return rc;
}

int claim_take(struct claim *claim, struct medium *medium, const char *dir,
    struct error *err)
{
	claim->medium = medium;
	claim->path = path_join(dir, MADE_PARTIAL, err);
	if (!claim->path)
		return -1;
	if (url_is(dir))
		return read_far(claim, err) < 0 ? -1 : 0;
	if (lock_take(&claim->lock, claim->path, err))
		return -1;
	memcpy(claim->text, claim->lock.text, sizeof(claim->text));
	return 0;
}

/* Puts the object; another process may have been faster. */
static int write_far(struct claim *claim, const char *text, struct error *err)
{
	struct medium_file *file =
	    medium_begin(claim->medium, claim->path, err);
	struct buf line = BUF_INIT;
	int rc = -1;

	if (file && buf_printf(&line, err, "%s\n", text) == 0 &&
	    medium_write(file, line.data, line.len, err) == 0)
		rc = medium_publish_new(file, err);
	medium_close(file);
	buf_release(&line);
	if (rc != 0)
		return rc > 0 ? 0 : -1;
	if (read_far(claim, err) < 0)
		return -1;
	if (strcmp(claim->text, text) == 0)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s: another presto materialize has just begun here, with other "
	    "work; choose another folder",
	    claim->path);
}

int claim_write(struct claim *claim, const char *text, struct error *err)
{
	return url_is(claim->path) ? write_far(claim, text, err)
	                           : lock_write(&claim->lock, text, err);
}

int claim_hold(struct claim *claim, const char *text, struct error *err)
{
	if (!url_is(claim->path))
		return claim->text[0] ? 0 : lock_write(&claim->lock, text, err);
	snprintf(claim->text, sizeof(claim->text), "%s", text);
	claim->hold = hold_new(
	    claim->medium, claim->path, claim->text, &hold_times_default, err);
	return claim->hold ? 0 : -1;
}

int claim_check(const struct claim *claim, struct error *err)
{
	return claim->hold ? hold_check(claim->hold, err) : 0;
}

int claim_remove(struct claim *claim, struct error *err)
{
	if (claim->hold)
		return hold_remove(claim->hold, err);
	return url_is(claim->path)
	           ? medium_remove(claim->medium, claim->path, err)
	           : lock_remove(&claim->lock, err);
}

void claim_release(struct claim *claim)
{
	hold_free(claim->hold);
	lock_release(&claim->lock);
	free(claim->path);
	*claim = (struct claim)CLAIM_INIT;
}

int claim_sweep(struct medium *medium, const char *dir, bool is_alone,
    struct swept *swept, struct error *err)
{
	struct error why = ERROR_INIT;

	if (!medium_is_far(medium, dir))
		return temporary_sweep(dir, is_alone, swept, err);
	if (medium_sweep(medium, dir, &swept->count, &why) == 0)
		return 0;
	if (why.code == ERROR_INTERRUPTED) {
		*err = why;
		return -1;
	}
	swept->failed = why;
	return 0;
}
