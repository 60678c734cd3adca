/*
 * bench_read.c - stored tensors, warm, without steps, through the loader into
 * batches, against a bare loop that has them in a batch, too (bare_chain.h):
 * it reads into the batch, or copies there from a buffer or from a mapping.
 *
 * read/STORE is one worker (with a fetcher beside it) against one thread,
 * 2workers/read/STORE two against two, 1core/read/STORE one against one with
 * all threads on one core; samples are of 602 kB, in small/read/STORE of 10 kB.
 * presto parses the records, and copies each tensor to its place in a batch;
 * the checksums of blocks it checks when it reads them first, which is not
 * timed.
 *
 * lmdb is no store: its rows are of the source, with .npy files as values.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/sample/npy.h"
#include "test/bench/bare_chain.h"
#include "test/bench/data.h"
#include "test/bench/load.h"
#include "test/bench/places.h"
#include "test/unit/lmdb_maker.h"

enum { BATCH = 64, THREADS = 2 };

struct kind {
	const char *family; /* of the row's name */
	enum dtype dtype;
	struct shape shape;
	unsigned count;
	unsigned threads; /* at most */
};

static const struct kind kinds[] = {
	{ "read", DTYPE_F32, { 3, { 224, 224, 3 } }, 512, THREADS },
	{ "small/read", DTYPE_U8, { 1, { 10000 } }, 25600, 1 },
};

struct subject {
	struct data data;
	struct places places;
	const char *store;
	const struct bench_args *args;
};

static void compare(
    const struct subject *subject, const char *family, unsigned threads)
{
	struct bare_chain *bare =
	    bare_chain_new(&subject->data, &subject->places, threads, BATCH);
	char name[BENCH_NAME];
	struct load load;

	snprintf(name, sizeof(name), "%s/%s", family, subject->store);
	load_init(&load, &subject->data, threads, BATCH);
	bench_run(name, &bench_mb_per_s, subject->args->rounds,
	    &(struct bench_side){ .run = load_bytes, .arg = &load },
	    &(struct bench_side){ .run = bare_chain_bytes,
	        .arg = bare,
	        .form = bare_chain_form(bare) });
	load_release(&load);
	bare_chain_free(bare);
}

static void compare_all(struct subject *subject, const struct kind *kind)
{
	places_find(&subject->places, subject->data.reader);
	compare(subject, kind->family, 1);
	if (kind->threads > 1) {
		compare(subject, "2workers/read", 2);
		bench_pin(true);
		compare(subject, "1core/read", 1);
		bench_pin(false);
	}
	places_release(&subject->places);
	data_close(&subject->data);
}

static void bench_store(
    const char *store, const struct kind *kind, const struct bench_args *args)
{
	struct subject subject = { .store = store, .args = args };
	char text[512], strategy[64], shape[SHAPE_TEXT];

	snprintf(text, sizeof(text),
	    "[dataset]\nsource = synthetic\ndtype = %s\nshape = %s\n"
	    "count = %u\n[pipeline]\nsame = identity\n",
	    dtype_name(kind->dtype), shape_text(&kind->shape, shape),
	    kind->count);
	snprintf(strategy, sizeof(strategy), "raw/%s/none", store);
	data_open(&subject.data, text);
	data_store(&subject.data, strategy, args->work);
	compare_all(&subject, kind);
}

/* Writes files of numbers that occur nowhere else. */
static void write_lmdb(const struct kind *kind, const char *path)
{
	struct error err = ERROR_INIT;
	struct lmdb_maker *maker = lmdb_maker_new(path, 4096, 0, &err);
	unsigned char header[NPY_HEADER_MAX];
	const size_t head = npy_header(kind->dtype, &kind->shape, header);
	const size_t bytes =
	    shape_elements(&kind->shape) * dtype_bytes(kind->dtype);
	unsigned char *file = bench_alloc(head + bytes);
	uint32_t number = 0;
	char key[16];

	memcpy(file, header, head);
	for (unsigned i = 0; maker && i < kind->count; i++) {
		for (size_t at = 0; at < bytes; at += sizeof(number)) {
			memcpy(file + head + at, &number, sizeof(number));
			number++;
		}
		snprintf(key, sizeof(key), "%08u", i);
		if (lmdb_maker_add(maker, span_text(key),
		        (struct span){ file, head + bytes }, &err))
			bench_die(&err);
	}
	if (!maker || lmdb_maker_end(maker, &err) < 0)
		bench_die(&err);
	lmdb_maker_free(maker);
	free(file);
}

static void bench_lmdb(const struct kind *kind, const struct bench_args *args)
{
	struct subject subject = { .store = "lmdb", .args = args };
	struct error err = ERROR_INIT;
	char *dir = path_join(args->work, "lmdb", &err);
	char *path = dir ? path_join(dir, "data.mdb", &err) : NULL;
	struct buf text = BUF_INIT;

	if (!path || path_make_dirs(dir, &err) ||
	    buf_printf(&text, &err,
	        "[dataset]\nsource = lmdb\npath = %s\n[pipeline]\n"
	        "same = identity\n",
	        dir))
		bench_die(&err);
	write_lmdb(kind, path);
	data_open(&subject.data, (const char *)text.data);
	compare_all(&subject, kind);
	if (path_remove_tree(dir, &err))
		bench_die(&err);
	buf_release(&text);
	free(path);
	free(dir);
}

int main(int argc, char **argv)
{
	static const char *const stores[] = { "mds", "npy", "parquet", "tar",
		"tfrecord" };
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	for (size_t s = 0; s < ARRAY_LEN(stores); s++)
		for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
			bench_store(stores[s], &kinds[k], &args);
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		bench_lmdb(&kinds[k], &args);
	return 0;
}
