/*
 * bench_read.c - stored tensors, warm, without steps, through the loader into
 * batches, against read() of the same files, 1 MiB at a time, into one buffer.
 *
 * read/STORE is one worker (with a fetcher beside it) against one thread,
 * 2workers/read/STORE two against two, 1core/read/STORE one against one with
 * all threads on one core; samples are of 602 kB, in small/read/STORE of 10 kB.
 * presto parses the records, checks the blocks' checksums, and copies each
 * tensor to its place in a batch.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/reader.h"
#include "test/bench/data.h"
#include "test/bench/load.h"

enum { PIECE = 1 << 20, THREADS = 2 };

/* ---- the bare loop ---- */

struct files {
	char **paths;
	size_t count, capacity;
	atomic_size_t next;
	atomic_size_t bytes;
};

struct reading { /* of one thread */
	struct files *files;
	unsigned times;
	char *buffer; /* PIECE bytes */
};

static int add_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	struct files *files = arg;

	UNUSED(bytes);
	files->paths = array_grow(files->paths, &files->capacity,
	    files->count + 1, sizeof(*files->paths), err);
	if (!files->paths)
		bench_die(err);
	files->paths[files->count] = strdup(path);
	return files->paths[files->count++] ? 0 : error_memory(err, 1);
}

static size_t read_file(const char *path, char *buffer)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct error err = ERROR_INIT;
	size_t bytes = 0;
	ssize_t n;

	while ((n = read(fd, buffer, PIECE)) > 0)
		bytes += (size_t)n;
	if (n < 0) {
		error_errno(&err, "read", path);
		bench_die(&err);
	}
	close(fd);
	return bytes;
}

static void *read_files(void *arg)
{
	struct reading *reading = arg;
	struct files *files = reading->files;
	size_t i;

	while ((i = atomic_fetch_add(&files->next, 1)) <
	       files->count * reading->times)
		atomic_fetch_add(&files->bytes,
		    read_file(files->paths[i % files->count], reading->buffer));
	return NULL;
}

struct limit {
	struct files files;
	struct reading readings[THREADS];
	unsigned threads;
};

static double limit_bytes(void *arg, unsigned times)
{
	struct limit *limit = arg;

	atomic_store(&limit->files.next, 0);
	atomic_store(&limit->files.bytes, 0);
	for (unsigned i = 0; i < limit->threads; i++)
		limit->readings[i].times = times;
	bench_threads(read_files, limit->readings, sizeof(struct reading),
	    limit->threads);
	return (double)atomic_load(&limit->files.bytes);
}

static void limit_init(struct limit *limit, const struct reader *reader)
{
	struct error err = ERROR_INIT;

	memset(limit, 0, sizeof(*limit));
	if (reader->ops->each_file(reader, add_file, &limit->files, &err))
		bench_die(&err);
	for (unsigned i = 0; i < THREADS; i++)
		limit->readings[i] = (struct reading){
			.files = &limit->files,
			.buffer = bench_alloc(PIECE),
		};
}

static void limit_release(struct limit *limit)
{
	for (size_t i = 0; i < limit->files.count; i++)
		free(limit->files.paths[i]);
	free(limit->files.paths);
	for (unsigned i = 0; i < THREADS; i++)
		free(limit->readings[i].buffer);
}

/* ---- both ---- */

struct kind {
	const char *family; /* of the row's name */
	const char *dataset;
	unsigned threads; /* at most */
};

static const struct kind kinds[] = {
	{ "read", "dtype = float32\nshape = 224x224x3\ncount = 512\n",
	    THREADS },
	{ "small/read", "dtype = uint8\nshape = 10000\ncount = 25600\n", 1 },
};

struct subject {
	struct data data;
	struct limit limit;
	const char *store;
	const struct bench_args *args;
};

static void compare(
    struct subject *subject, const char *family, unsigned threads)
{
	char name[BENCH_NAME];
	struct load load;

	snprintf(name, sizeof(name), "%s/%s", family, subject->store);
	subject->limit.threads = threads;
	load_init(&load, &subject->data, threads, 64);
	bench_run(name, &bench_mb_per_s, subject->args->rounds,
	    &(struct bench_side){ load_bytes, &load },
	    &(struct bench_side){ limit_bytes, &subject->limit });
	load_release(&load);
}

static void bench_kind(
    const char *store, const struct kind *kind, const struct bench_args *args)
{
	struct subject subject = { .store = store, .args = args };
	char text[256], strategy[64];

	snprintf(text, sizeof(text),
	    "[dataset]\nsource = synthetic\n%s[pipeline]\nsame = identity\n",
	    kind->dataset);
	snprintf(strategy, sizeof(strategy), "raw/%s/none", store);
	data_open(&subject.data, text);
	data_store(&subject.data, strategy, args->work);
	limit_init(&subject.limit, subject.data.reader);
	compare(&subject, kind->family, 1);
	if (kind->threads > 1) {
		compare(&subject, "2workers/read", 2);
		bench_pin(true);
		compare(&subject, "1core/read", 1);
		bench_pin(false);
	}
	limit_release(&subject.limit);
	data_close(&subject.data);
}

int main(int argc, char **argv)
{
	static const char *const stores[] = { "npy", "tar", "tfrecord" };
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	for (size_t s = 0; s < ARRAY_LEN(stores); s++)
		for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
			bench_kind(stores[s], &kinds[k], &args);
	return 0;
}
