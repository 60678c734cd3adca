/* sink.c - see sink.h. */
#include "lib/stores/sink.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"

struct moment {
	uint64_t wall_ns, cpu_ns;
};

static struct moment now(void)
{
	return (struct moment){ clock_now(&clock_monotonic),
		clock_now(&clock_thread_cpu) };
}

/* Adds the time since `start` to *part_ns, which is one of sink->times. */
static void note(
    struct sink *sink, uint64_t *part_ns, const struct moment *start)
{
	const struct moment end = now();

	*part_ns += end.wall_ns - start->wall_ns;
	sink->times.output_cpu_ns += end.cpu_ns - start->cpu_ns;
}

struct medium_file *sink_begin(
    struct sink *sink, const char *path, struct error *err)
{
	const struct moment start = now();
	struct medium_file *file = medium_begin(sink->medium, path, err);

	note(sink, &sink->times.write_ns, &start);
	return file;
}

struct medium_file *sink_create(
    struct sink *sink, const char *path, struct error *err)
{
	const struct moment start = now();
	struct medium_file *file = medium_create(sink->medium, path, err);

	note(sink, &sink->times.write_ns, &start);
	return file;
}

int sink_write(struct sink *sink, struct medium_file *file, struct span bytes,
    struct error *err)
{
	const struct moment start = now();
	const int rc = medium_write(file, bytes.data, bytes.len, err);

	note(sink, &sink->times.write_ns, &start);
	return rc;
}

int sink_write_at(struct sink *sink, struct medium_file *file, uint64_t offset,
    struct span bytes, struct error *err)
{
	const struct moment start = now();
	const int rc =
	    medium_write_at(file, offset, bytes.data, bytes.len, err);

	note(sink, &sink->times.write_ns, &start);
	return rc;
}

int sink_sync(struct sink *sink, struct medium_file *file, struct error *err)
{
	const struct moment start = now();
	const int rc = medium_sync(file, err);

	note(sink, &sink->times.sync_ns, &start);
	return rc;
}

int sink_publish(struct sink *sink, struct medium_file *file, struct error *err)
{
	const struct moment start = now();
	const int rc = medium_publish(file, err);

	note(sink, &sink->times.sync_ns, &start);
	return rc;
}

int sink_publish_new(
    struct sink *sink, struct medium_file *file, struct error *err)
{
	const struct moment start = now();
	const int rc = medium_publish_new(file, err);

	note(sink, &sink->times.sync_ns, &start);
	return rc;
}

int sink_sync_dir(struct sink *sink, const char *dir, struct error *err)
{
	const struct moment start = now();
	const int rc = medium_sync_dir(sink->medium, dir, err);

	note(sink, &sink->times.sync_ns, &start);
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
