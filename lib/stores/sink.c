/* sink.c - see sink.h. */
#include "lib/stores/sink.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"

static uint64_t now(void)
{
	return clock_now(&clock_monotonic);
}

struct medium_file *sink_begin(
    struct sink *sink, const char *path, struct error *err)
{
	const uint64_t start = now();
	struct medium_file *file = medium_begin(sink->medium, path, err);

	sink->times.write_ns += now() - start;
	return file;
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

int sink_publish(struct sink *sink, struct medium_file *file, struct error *err)
{
	const uint64_t start = now();
	const int rc = medium_publish(file, err);

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

int sink_file(
    struct sink *sink, const char *path, struct span bytes, struct error *err)
{
	char *dir = path_dir(path, err);
	struct medium_file *file = dir ? sink_begin(sink, path, err) : NULL;
	int rc = -1;

	if (file && sink_write(sink, file, bytes, err) == 0 &&
	    sink_sync(sink, file, err) == 0 &&
	    sink_publish(sink, file, err) == 0)
		rc = sink_sync_dir(sink, dir, err);
	medium_close(file);
	free(dir);
	return rc;
}
