/*
 * partial_epoch.c - partial epochs, which end after reading or after parsing.
 * Their times, compared with a whole epoch, show the bottleneck.
 */
#include "lib/loader/partial_epoch.h"
#include "lib/loader/state.h"

enum { LINE = 64 };

/* Reads mapped data, one byte of each cache line. */
static void read_mapped(const struct chunk *chunk)
{
	for (unsigned i = 0; i < FIELDS_MAX; i++) {
		const struct mapping *mapping = &chunk->mappings[i];
		const volatile unsigned char *data = mapping->base;

		for (size_t at = 0; data && at < mapping->bytes; at += LINE)
			(void)data[at];
	}
}

/* 1: all parsed, 0: the epoch is over, -1: an error. */
static int parse_all(struct worker *worker, struct chunk *chunk)
{
	const struct loader *loader = worker->loader;
	const struct reader *reader = loader->plan.reader;

	if (reader_unpack(reader, worker->unpacker, chunk, &worker->err))
		return -1;
	while (!atomic_load_explicit(&loader->stop, memory_order_relaxed)) {
		const int got = reader->ops->next(
		    reader, chunk, &worker->sample, &worker->err);

		if (got <= 0)
			return got < 0 ? -1 : 1;
	}
	return 0;
}

/* Verifies the chunk: 1, or -1. */
static int check(struct worker *worker, const struct chunk *chunk)
{
	const struct reader *reader = worker->loader->plan.reader;

	return reader->ops->check &&
	               reader->ops->check(reader, chunk, &worker->err)
	           ? -1
	           : 1;
}

int partial_epoch_chunk(struct worker *worker, struct chunk *chunk)
{
	const atomic_bool *stop = worker->loader->plan.stop;
	const struct error none = ERROR_INIT;
	int got;

	if (stop && atomic_load(stop)) {
		loader_fail(worker->loader, &none);
		return -1;
	}
	if (!worker->loader->checks)
		read_mapped(chunk);
	if (worker->loader->checks)
		got = check(worker, chunk);
	else if (worker->loader->extent == EXTENT_READ)
		return 0;
	else
		got = parse_all(worker, chunk);
	if (got < 0)
		loader_fail(worker->loader, &worker->err);
	return got > 0 ? 0 : -1;
}
