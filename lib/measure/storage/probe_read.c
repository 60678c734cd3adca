/* probe_read.c - see probe_read.h: reads with presto's own threads. */
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/stop.h"
#include "lib/measure/storage/probe_read.h"
#include "lib/media/medium.h"

/* The beginning of a pass is this part of its bytes. */
enum { EARLY_PART = 4 };

/* Shared by the threads of a pass. */
struct shared {
	const struct probe_plan *plan;
	const struct probe_files *files;
	const struct probe_pass *pass;
	atomic_uint_fast64_t next;  /* number of the next small file */
	atomic_uint_fast64_t bytes; /* read so far, by all threads */
	uint64_t start_ns, early_bytes;
	atomic_uint_fast64_t early_ns; /* when so many were read */
	uint64_t deadline_ns;
};

struct reader_thread {
	struct shared *shared;
	unsigned number;
	pthread_t thread;
	struct buf data;
	uint64_t bytes, reads;
	int rc;
	struct error err;
};

/* Counts a read. 1: time is up, -1: interrupted. */
static int count(struct reader_thread *reader, size_t bytes)
{
	struct shared *shared = reader->shared;
	const uint64_t now = clock_now(&clock_monotonic);
	const uint64_t before = atomic_fetch_add(&shared->bytes, bytes);

	reader->bytes += bytes;
	reader->reads++;
	if (before < shared->early_bytes &&
	    before + bytes >= shared->early_bytes)
		atomic_store(&shared->early_ns, now - shared->start_ns);
	if (stop_check(shared->plan->stop, &reader->err))
		return -1;
	return now >= shared->deadline_ns;
}

static int read_large(struct reader_thread *reader)
{
	struct shared *shared = reader->shared;
	const uint64_t size = shared->files->large_bytes;
	const uint64_t most = shared->pass->read_bytes;
	char path[PROBE_PATH];
	struct medium_file *file;
	int rc = 0;

	probe_large_path(shared->files, reader->number, path);
	file = medium_open(shared->plan->medium, path, &reader->err);
	if (!file)
		return -1;
	for (uint64_t at = 0; at < size && rc == 0; at += most) {
		const size_t len =
		    size - at < most ? (size_t)(size - at) : (size_t)most;

		if (medium_read_full(
		        file, at, reader->data.data, len, &reader->err)) {
			rc = -1;
			break;
		}
		rc = count(reader, len);
	}
	medium_close(file);
	return rc < 0 ? -1 : 0;
}

static int read_small(struct reader_thread *reader)
{
	struct shared *shared = reader->shared;
	char path[PROBE_PATH];
	uint64_t i;
	int rc = 0;

	while (rc == 0 && (i = atomic_fetch_add(&shared->next, 1)) <
	                      shared->files->small_count) {
		probe_small_path(shared->files, i, path);
		reader->data.len = 0;
		if (medium_slurp(shared->plan->medium, path, &reader->data,
		        &reader->err))
			return -1;
		rc = count(reader, reader->data.len);
	}
	return rc < 0 ? -1 : 0;
}

static void *run(void *arg)
{
	struct reader_thread *reader = arg;

	reader->rc = reader->shared->pass->pattern == CEILING_FILES
	                 ? read_small(reader)
	                 : read_large(reader);
	return NULL;
}

/* Runs all threads to their end; the caller is the first of them. */
static int run_all(struct reader_thread *readers, unsigned count,
    struct probe_time *time, struct error *err)
{
	struct shared *shared = readers->shared;
	unsigned started = 1;
	int rc = 0;

	shared->start_ns = clock_now(&clock_monotonic);

	while (started < count && pthread_create(&readers[started].thread, NULL,
	                              run, &readers[started]) == 0)
		started++;
	if (started == count)
		run(&readers[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(readers[i].thread, NULL);
	time->wall_s =
	    (double)(clock_now(&clock_monotonic) - shared->start_ns) / 1e9;
	time->early_s = (double)atomic_load(&shared->early_ns) / 1e9;
	time->early_bytes = shared->early_bytes;
	if (started < count)
		return error_set(
		    err, ERROR_SYSTEM, "cannot start %u threads", count);
	for (unsigned i = 0; i < count; i++) {
		time->bytes += readers[i].bytes;
		time->reads += readers[i].reads;
		if (readers[i].rc && rc == 0) {
			*err = readers[i].err;
			rc = -1;
		}
	}
	return rc;
}

int probe_read(const struct probe_plan *plan, const struct probe_files *files,
    const struct probe_pass *pass, struct probe_time *time, struct error *err)
{
	const bool small = pass->pattern == CEILING_FILES;
	const uint64_t large = files->large_bytes < pass->read_bytes
	                           ? files->large_bytes
	                           : pass->read_bytes;
	const size_t room = small ? files->small_bytes + 1 : (size_t)large;
	struct reader_thread *readers = calloc(pass->threads, sizeof(*readers));
	struct shared shared = {
		.plan = plan,
		.files = files,
		.pass = pass,
		.deadline_ns = clock_now(&clock_monotonic) +
		               (uint64_t)(1e9 * pass->limit_s),
		.early_bytes = (small ? files->small_count * files->small_bytes
		                      : pass->threads * files->large_bytes) /
		               EARLY_PART,
	};
	int rc = readers ? 0 : error_memory(err, sizeof(*readers));

	*time = (struct probe_time){ .bytes = 0 };
	atomic_init(&shared.next, 0);
	atomic_init(&shared.bytes, 0);
	atomic_init(&shared.early_ns, 0);
	for (unsigned i = 0; rc == 0 && i < pass->threads; i++) {
		readers[i].shared = &shared;
		readers[i].number = i;
		rc = buf_reserve(&readers[i].data, room, err);
	}
	if (rc == 0)
		rc = run_all(readers, pass->threads, time, err);
	for (unsigned i = 0; readers && i < pass->threads; i++)
		buf_release(&readers[i].data);
	free(readers);
	return rc;
}
