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
 */
#include <stdio.h>

#include "lib/base/array.h"
#include "test/bench/bare_chain.h"
#include "test/bench/data.h"
#include "test/bench/load.h"
#include "test/bench/places.h"

enum { BATCH = 64, THREADS = 2 };

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
	places_find(&subject.places, subject.data.reader);
	compare(&subject, kind->family, 1);
	if (kind->threads > 1) {
		compare(&subject, "2workers/read", 2);
		bench_pin(true);
		compare(&subject, "1core/read", 1);
		bench_pin(false);
	}
	places_release(&subject.places);
	data_close(&subject.data);
}

int main(int argc, char **argv)
{
	static const char *const stores[] = { "mds", "npy", "parquet", "tar",
		"tfrecord" };
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	for (size_t s = 0; s < ARRAY_LEN(stores); s++)
		for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
			bench_kind(stores[s], &kinds[k], &args);
	return 0;
}
