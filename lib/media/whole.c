/* whole.c - see whole.h. */
#include "lib/media/whole.h"

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/path.h"
#include "lib/media/medium_ops.h"

static int read_open(
    struct medium_file *file, size_t limit, struct buf *out, struct error *err)
{
	const uint64_t bytes = medium_size(file);
	char size[UNITS_TEXT];

	if (bytes > limit)
		return error_set(err, ERROR_LIMIT, "read %s: larger than %s",
		    medium_path(file), units_bytes((double)limit, size));
	/* One byte more, so that the buffer of an empty file is not NULL. */
	if (buf_reserve(out, out->len + (size_t)bytes + 1, err) ||
	    medium_read_full(file, 0, out->data + out->len, (size_t)bytes, err))
		return -1;
	out->len += (size_t)bytes;
	return 0;
}

int medium_read_whole(struct medium *medium, const char *path, size_t limit,
    struct buf *out, struct error *err)
{
	struct medium_file *file = medium_open(medium, path, err);
	const int rc = file ? read_open(file, limit, out, err) : -1;

	medium_close(file);
	return rc;
}

int medium_read_any(struct medium *medium, const char *path, size_t limit,
    struct buf *out, struct error *err)
{
	struct medium_status status;

	if (medium_get_status(medium, path, &status, err))
		return -1;
	if (status.kind == MEDIUM_NOTHING)
		return 0;
	return medium_read_whole(medium, path, limit, out, err) ? -1 : 1;
}

int medium_status_now(struct medium *medium, const char *path,
    struct medium_status *status, struct error *err)
{
	medium_forget(medium, path);
	return medium_get_status(medium, path, status, err);
}

/* A condition must hold for a file to get its path. */
struct condition {
	bool is_new;         /* nothing has it yet */
	const char *version; /* that of what has it; NULL: any */
};

/* 1: the file is there; 0: the condition does not hold. */
static int write_file(struct medium *medium, const char *path,
    struct span bytes, const struct condition *condition, struct error *err)
{
	char *dir = path_dir(path, err);
	struct medium_file *file = dir ? medium_begin(medium, path, err) : NULL;
	int rc = -1;

	if (file && medium_write(file, bytes.data, bytes.len, err) == 0 &&
	    medium_sync(file, err) == 0) {
		if (condition->version)
			rc = medium_publish_over(file, condition->version, err);
		else if (condition->is_new)
			rc = medium_publish_new(file, err);
		else
			rc = medium_publish(file, err) ? -1 : 1;
	}
	if (rc > 0 && medium_sync_dir(medium, dir, err))
		rc = -1;
	medium_close(file);
	free(dir);
	return rc;
}

int medium_write_whole(struct medium *medium, const char *path,
    struct span bytes, struct error *err)
{
	const struct condition none = { .is_new = false };

	return write_file(medium, path, bytes, &none, err) < 0 ? -1 : 0;
}

int medium_write_new(struct medium *medium, const char *path, struct span bytes,
    struct error *err)
{
	const struct condition condition = { .is_new = true };

	return write_file(medium, path, bytes, &condition, err);
}

int medium_write_over(struct medium *medium, const char *path,
    struct span bytes, const char *version, struct error *err)
{
	const struct condition condition = { .version = version };

	return write_file(medium, path, bytes, &condition, err);
}
