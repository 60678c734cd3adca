/* bare_chain.c - see bare_chain.h. */
#include "test/bench/bare_chain.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/copy.h"
#include "lib/base/error.h"
#include "lib/pipeline/chain.h"
#include "lib/sample/batch.h"
#include "test/bench/data.h"
#include "test/bench/places.h"

enum {
	RUN_BYTES = 16 << 20,   /* samples that one thread takes at once */
	READ_BYTES = 256 << 10, /* read at once, if they are several samples */
	FILL_BYTES = 1 << 20,
	AROUND = 64 << 10,
	PAGE = 4096,
};

struct looping;

/* A run of neighbouring samples in one file. */
struct run {
	size_t first, count;
	uint64_t begin, end; /* in the file */
};

struct form {
	const char *name;
	void (*load)(struct looping *looping, const struct run *run, int fd);
	bool is_large, touches, copies_only;
};

/* All that one thread needs. */
struct looping {
	struct bare_chain *bare;
	struct chain *chain;
	struct batch *batch;
	unsigned slot; /* the next one */
	struct buf buffer;
};

struct bare_chain {
	const struct places *places;
	struct run *runs;
	size_t run_count, run_capacity;
	const struct form *form;
	bool only_copies; /* the chain has no steps */
	bool is_large;    /* batches are large enough for it */
	atomic_size_t next;
	size_t end;
	double bytes; /* of all files */
	unsigned threads;
	struct looping loops[];
};

/* ---- a run ---- */

static uint64_t end_of(const struct place *place)
{
	return place->offset + place->what.bytes;
}

static struct sample *take_slot(struct looping *looping)
{
	struct sample *slot = &looping->batch->slots[looping->slot];

	looping->slot = (looping->slot + 1) % looping->batch->capacity;
	return slot;
}

static void run_chain(struct looping *looping, const struct place *place,
    const unsigned char *data)
{
	struct sample in = { .key = place->key, .label = -1, .count = 1 };
	struct error err = ERROR_INIT;

	in.fields[0] = place->what;
	in.fields[0].data = (void *)(uintptr_t)data;
	if (chain_run(looping->chain, &in, take_slot(looping), &err))
		bench_die(&err);
}

static void read_at(int fd, void *to, size_t bytes, uint64_t offset)
{
	struct error err = ERROR_INIT;

	if (pread(fd, to, bytes, (off_t)offset) == (ssize_t)bytes)
		return;
	error_errno(&err, "read", "a shard");
	bench_die(&err);
}

static void load_read(struct looping *looping, const struct run *run, int fd)
{
	const struct place *items = looping->bare->places->items + run->first;

	for (size_t i = 0; i < run->count;) {
		const uint64_t begin = items[i].offset;
		struct error err = ERROR_INIT;
		size_t n = i + 1;

		while (
		    n < run->count && end_of(&items[n]) - begin <= READ_BYTES)
			n++;
		if (buf_reserve(
		        &looping->buffer, end_of(&items[n - 1]) - begin, &err))
			bench_die(&err);
		read_at(fd, looping->buffer.data, end_of(&items[n - 1]) - begin,
		    begin);
		for (; i < n; i++)
			run_chain(looping, &items[i],
			    looping->buffer.data + (items[i].offset - begin));
	}
}

/* A fault maps the cached neighbours of its page, too. */
static void touch(const unsigned char *base, size_t bytes)
{
	size_t at = 0;

	while (at < bytes) {
		*(const volatile unsigned char *)(base + at);
		at += AROUND - ((uintptr_t)base + at) % AROUND;
	}
}

static void load_map(struct looping *looping, const struct run *run, int fd)
{
	const struct place *items = looping->bare->places->items + run->first;
	const uint64_t begin = run->begin - run->begin % PAGE;
	const size_t bytes = run->end - begin;
	struct error err = ERROR_INIT;
	unsigned char *base =
	    mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, (off_t)begin);

	if (base == MAP_FAILED) {
		error_errno(&err, "map", "a shard");
		bench_die(&err);
	}
	if (looping->bare->form->touches)
		touch(base, bytes);
	for (size_t i = 0; i < run->count; i++)
		run_chain(looping, &items[i], base + (items[i].offset - begin));
	munmap(base, bytes);
}

/* Neighbours in the file that are neighbours in the batch are read at once. */
static void load_fill(struct looping *looping, const struct run *run, int fd)
{
	const struct place *items = looping->bare->places->items + run->first;

	for (size_t i = 0; i < run->count;) {
		unsigned char *to = take_slot(looping)->fields[0].data;
		const uint64_t begin = items[i].offset;
		uint64_t end = end_of(&items[i++]);

		while (i < run->count && looping->slot > 0 &&
		       items[i].offset == end && end - begin < FILL_BYTES) {
			take_slot(looping);
			end = end_of(&items[i++]);
		}
		read_at(fd, to, end - begin, begin);
	}
}

static const struct form forms[] = {
	{ .name = "read", .load = load_read, .is_large = true },
	{ .name = "read/cached", .load = load_read },
	{ .name = "map", .load = load_map, .is_large = true },
	{ .name = "map/cached", .load = load_map },
	{ .name = "touch",
	    .load = load_map,
	    .is_large = true,
	    .touches = true },
	{ .name = "touch/cached", .load = load_map, .touches = true },
	{ .name = "fill", .load = load_fill, .copies_only = true },
};

/* ---- the loop ---- */

static void load_run(struct looping *looping, const struct run *run)
{
	const struct places *places = looping->bare->places;
	const char *path = places->files[places->items[run->first].file].path;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct error err = ERROR_INIT;

	if (fd < 0) {
		error_errno(&err, "open", path);
		bench_die(&err);
	}
	looping->bare->form->load(looping, run, fd);
	copy_fence();
	close(fd);
}

static void *loop(void *arg)
{
	struct looping *looping = arg;
	struct bare_chain *bare = looping->bare;
	size_t i;

	while ((i = atomic_fetch_add(&bare->next, 1)) < bare->end)
		load_run(looping, &bare->runs[i % bare->run_count]);
	return NULL;
}

double bare_chain_samples(void *arg, unsigned times)
{
	struct bare_chain *bare = arg;

	atomic_store(&bare->next, 0);
	bare->end = bare->run_count * times;
	bench_threads(loop, bare->loops, sizeof(struct looping), bare->threads);
	return (double)bare->places->count * times;
}

double bare_chain_bytes(void *arg, unsigned times)
{
	const struct bare_chain *bare = arg;

	bare_chain_samples(arg, times);
	return bare->bytes * times;
}

/* ---- forms ---- */

static void set_form(struct bare_chain *bare, const struct form *form)
{
	bare->form = form;
	for (unsigned t = 0; t < bare->threads; t++) {
		const struct batch *batch = bare->loops[t].batch;

		for (unsigned i = 0; i < batch->capacity; i++)
			batch->slots[i].fields[0].is_large = form->is_large;
	}
}

/* Is the form another one than those before, and possible? */
static bool is_of_use(const struct bare_chain *bare, const struct form *form)
{
	return (bare->only_copies || !form->copies_only) &&
	       (bare->is_large || !form->is_large);
}

/* Takes the fastest form. */
static void choose(struct bare_chain *bare)
{
	const struct bench_side side = { .run = bare_chain_samples,
		.arg = bare };
	double least = 0;
	size_t best = 0;

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		double seconds;

		if (!is_of_use(bare, &forms[i]))
			continue;
		set_form(bare, &forms[i]);
		seconds = bench_least_seconds(&side);
		if (least > 0 && seconds >= least)
			continue;
		least = seconds;
		best = i;
	}
	set_form(bare, &forms[best]);
}

const char *bare_chain_form(const struct bare_chain *bare)
{
	return bare->form->name;
}

/* ---- life ---- */

static void make_runs(struct bare_chain *bare)
{
	const struct places *places = bare->places;
	struct run *run = NULL;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < places->count; i++) {
		const struct place *item = &places->items[i];

		if (run && places->items[run->first].file == item->file &&
		    item->offset >= run->end &&
		    end_of(item) - run->begin <= RUN_BYTES) {
			run->count++;
			run->end = end_of(item);
			continue;
		}
		bare->runs = array_grow(bare->runs, &bare->run_capacity,
		    bare->run_count + 1, sizeof(*run), &err);
		if (!bare->runs)
			bench_die(&err);
		run = &bare->runs[bare->run_count++];
		*run = (struct run){ i, 1, item->offset, end_of(item) };
	}
}

static void looping_init(struct looping *looping, struct bare_chain *bare,
    const struct data *data, unsigned batch)
{
	const struct pipeline *pipeline = &data->pipeline;
	const struct chain_plan plan = {
		.pipeline = pipeline,
		.from = data->from,
		.to = pipeline->count,
	};
	struct error err = ERROR_INIT;

	*looping = (struct looping){ .bare = bare };
	looping->chain = chain_new(&plan, &err);
	looping->batch =
	    batch_new(batch, &pipeline->schemas[pipeline->count], NULL, &err);
	if (!looping->chain || !looping->batch)
		bench_die(&err);
	bare->only_copies = chain_only_copies(looping->chain);
	bare->is_large = looping->batch->slots[0].fields[0].is_large;
}

struct bare_chain *bare_chain_new(const struct data *data,
    const struct places *places, unsigned threads, unsigned batch)
{
	const size_t loops = threads * sizeof(struct looping);
	struct bare_chain *bare = bench_alloc(sizeof(*bare) + loops);

	memset(bare, 0, sizeof(*bare));
	bare->places = places;
	bare->threads = threads;
	bare->bytes = (double)data->reader->bytes;
	make_runs(bare);
	for (unsigned i = 0; i < threads; i++)
		looping_init(&bare->loops[i], bare, data, batch);
	choose(bare);
	return bare;
}

void bare_chain_free(struct bare_chain *bare)
{
	for (unsigned i = 0; i < bare->threads; i++) {
		chain_free(bare->loops[i].chain);
		batch_free(bare->loops[i].batch);
		buf_release(&bare->loops[i].buffer);
	}
	free(bare->runs);
	free(bare);
}
