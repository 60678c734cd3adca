/* sink.c - see sink.h. */
#include "lib/stores/sink.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/path.h"
#include "lib/media/medium.h"

static uint64_t now(void)
{
	return clock_now(&clock_monotonic);
}

struct medium_file *sink_create(
    struct sink *sink, const char *path, struct error *err)
{
	const uint64_t start = now();
	struct medium_file *file = medium_create(sink->medium, path, err);

	sink->times.write_ns += now() - start;
	return file;
}

int sink_write(struct sink *sink, struct medium_file *file, struct span bytes,
    struct error *err)
{
	const uint64_t start = now();
	const int rc = medium_write(file, bytes.data, bytes.len, err);

	sink->times.write_ns += now() - start;
	return rc;
}

int sink_write_at(struct sink *sink, struct medium_file *file, uint64_t offset,
    struct span bytes, struct error *err)
{
	const uint64_t start = now();
	const int rc =
	    medium_write_at(file, offset, bytes.data, bytes.len, err);

	sink->times.write_ns += now() - start;
	return rc;
}

int sink_sync(struct sink *sink, struct medium_file *file, struct error *err)
{
	const uint64_t start = now();
	const int rc = medium_sync(file, err);

	sink->times.sync_ns += now() - start;
	return rc;
}

int sink_rename(
    struct sink *sink, const char *from, const char *to, struct error *err)
{
	const uint64_t start = now();
	const int rc = path_rename(from, to, err);

	sink->times.sync_ns += now() - start;
	return rc;
}

int sink_sync_dir(struct sink *sink, const char *dir, struct error *err)
{
	const uint64_t start = now();
	const int rc = path_sync_dir(dir, err);

	sink->times.sync_ns += now() - start;
	return rc;
}

static int write_new(
    struct sink *sink, const char *path, struct span bytes, struct error *err)
{
	struct medium_file *file = sink_create(sink, path, err);
	int rc = -1;

	if (file && sink_write(sink, file, bytes, err) == 0)
		rc = sink_sync(sink, file, err);
	medium_close(file);
	return rc;
}

int sink_file(
    struct sink *sink, const char *path, struct span bytes, struct error *err)
{
	char *dir = path_dir(path, err);
	struct buf name = BUF_INIT;
	const char *temporary;
	int rc = -1;

	if (!dir || buf_printf(&name, err, "%s.tmp", path))
		goto done;
	temporary = (const char *)name.data;
	rc = write_new(sink, temporary, bytes, err);
	if (rc == 0)
		rc = sink_rename(sink, temporary, path, err);
	if (rc)
		unlink(temporary);
	else
		rc = sink_sync_dir(sink, dir, err);
done:
	buf_release(&name);
	free(dir);
	return rc;
}
