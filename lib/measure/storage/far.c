/* far.c - see far.h: the rows of a far probe. */
#include "lib/measure/storage/far.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/measure/storage/far_objects.h"
#include "lib/measure/storage/far_run.h"
#include "lib/media/medium.h"

enum { NAME_TEXT = 1400, WRITES_LEAST = 8 };

const char *far_name(enum far_pattern pattern)
{
	static const char *const names[] = { "objects", "requests", "streams",
		"small writes", "large writes" };

	return names[pattern];
}

struct probing {
	const struct far_plan *plan;
	struct far_probe *probe;
	struct far_objects objects;
	struct buf *buffers; /* one a connection */
	unsigned buffer_count;
	uint64_t read_so_far; /* small objects that earlier rows have read */
	/* Blocks of 8 MiB, in random order. */
	struct block {
		size_t object;
		uint64_t offset, bytes;
	} * blocks;
	size_t block_count, block_capacity, blocks_read;
	/* Writing. */
	struct buf written;  /* noise */
	size_t write_bytes;  /* size of an object */
	uint64_t name_first; /* number of the row's first object */
	uint64_t name_next;  /* objects with lower numbers may be there */
	uint64_t mark;       /* in the names of this probe */
	unsigned steps, steps_done;
};

/* ---- reading ---- */

static int read_object(
    void *arg, unsigned thread, uint64_t n, uint64_t *bytes, struct error *err)
{
	struct probing *p = arg;
	struct buf *to = &p->buffers[thread];
	const struct far_object *object =
	    &p->objects.small[(p->read_so_far + n) % p->objects.small_count];

	to->len = 0;
	if (medium_slurp(p->plan->medium, object->url, to, err))
		return -1;
	*bytes = to->len;
	return 0;
}

static int read_range(struct probing *p, unsigned thread,
    struct medium_file *file, const struct block *at, struct error *err)
{
	struct buf *to = &p->buffers[thread];

	if (buf_reserve(to, at->bytes, err))
		return -1;
	return medium_read_full(file, at->offset, to->data, at->bytes, err);
}

static int read_request(
    void *arg, unsigned thread, uint64_t n, uint64_t *bytes, struct error *err)
{
	struct probing *p = arg;
	struct random random =
	    random_stream(p->plan->seed, p->steps_done, n, 1);
	const struct far_object *object =
	    &p->objects.large[n % p->objects.large_count];
	/* The first bytes came when it was opened. */
	const uint64_t room = object->bytes - FAR_WHOLE - FAR_SMALL;
	const struct block at = {
		.offset = FAR_WHOLE + random_u64(&random) % room,
		.bytes = FAR_SMALL,
	};

	*bytes = FAR_SMALL;
	return read_range(p, thread, object->file, &at, err);
}

static int read_block(
    void *arg, unsigned thread, uint64_t n, uint64_t *bytes, struct error *err)
{
	struct probing *p = arg;
	const struct block *at =
	    &p->blocks[(p->blocks_read + n) % p->block_count];

	*bytes = at->bytes;
	return read_range(
	    p, thread, p->objects.large[at->object].file, at, err);
}

/* Cuts large objects into blocks, in random order: none follows another. */
static int make_blocks(struct probing *p, struct error *err)
{
	struct random random = random_stream(p->plan->seed, 0, 0, 2);

	for (size_t i = 0; i < p->objects.large_count; i++) {
		const uint64_t bytes = p->objects.large[i].bytes;

		for (uint64_t at = FAR_WHOLE; at < bytes; at += FAR_LARGE) {
			struct block *grown =
			    array_grow(p->blocks, &p->block_capacity,
			        p->block_count + 1, sizeof(*grown), err);

			if (!grown)
				return -1;
			p->blocks = grown;
			grown[p->block_count++] = (struct block){ .object = i,
				.offset = at,
				.bytes = bytes - at < FAR_LARGE ? bytes - at
				                                : FAR_LARGE };
		}
	}
	for (size_t i = p->block_count; i > 1; i--) {
		const size_t j = random_below(&random, (uint32_t)i);
		const struct block kept = p->blocks[i - 1];

		p->blocks[i - 1] = p->blocks[j];
		p->blocks[j] = kept;
	}
	return 0;
}

/* ---- writing ---- */

static void name_object(
    const struct probing *p, uint64_t number, char name[NAME_TEXT])
{
	const size_t len = strlen(p->plan->write);

	snprintf(name, NAME_TEXT,
	    "%.1200s%spresto-probe-%016" PRIx64 "/%" PRIu64, p->plan->write,
	    len && p->plan->write[len - 1] == '/' ? "" : "/", p->mark, number);
}

static int write_object(
    void *arg, unsigned thread, uint64_t n, uint64_t *bytes, struct error *err)
{
	struct probing *p = arg;
	char name[NAME_TEXT];
	struct medium_file *file;
	int rc = -1;

	UNUSED(thread);
	name_object(p, p->name_first + n, name);
	file = medium_begin(p->plan->medium, name, err);
	if (file &&
	    medium_write(file, p->written.data, p->write_bytes, err) == 0)
		rc = medium_publish(file, err);
	medium_close(file);
	*bytes = p->write_bytes;
	return rc;
}

/* Removes what was written, however the probe ended. */
static int remove_written(struct probing *p, struct error *err)
{
	char name[NAME_TEXT];

	for (uint64_t i = 0; i < p->name_next; i++) {
		name_object(p, i, name);
		if (medium_remove(p->plan->medium, name, err))
			return -1;
	}
	return 0;
}

/* Tells where objects are left; returns -1. */
static int say_left(const struct probing *p, struct error *err)
{
	char words[96];

	snprintf(words, sizeof(words),
	    "objects below presto-probe-%016" PRIx64 " of --write may be left",
	    p->mark);
	return error_advise(err, words);
}

/* ---- rows ---- */

static int measure(struct probing *p, enum far_pattern pattern, far_work *work,
    uint64_t most, struct error *err)
{
	const struct far_plan *plan = p->plan;
	const struct far_run run = {
		.plan = plan, .work = work, .arg = p, .most = most
	};

	for (unsigned i = 0; i < plan->connection_count; i++) {
		struct far_row *row = &p->probe->rows[p->probe->count];
		const bool writes = pattern >= FAR_OF_SMALL_WRITES;

		if (plan->progress)
			plan->progress(plan->arg, p->steps_done, p->steps,
			    far_name(pattern));
		row->pattern = pattern;
		p->name_first = p->name_next;
		if (writes)
			p->name_next += most;
		if (far_run(&run, plan->connections[i], row, err))
			return -1;
		p->steps_done++;
		p->probe->count++;
		if (writes) {
			p->probe->writes += row->requests;
			p->probe->bytes_written += row->bytes;
			p->name_next = p->name_first + row->requests +
			               plan->connections[i];
		}
		if (pattern == FAR_OF_OBJECTS)
			p->read_so_far += row->requests;
		if (pattern == FAR_OF_STREAMS)
			p->blocks_read += row->requests;
	}
	return 0;
}

static uint64_t at_least(const struct far_plan *plan, uint64_t count)
{
	return count > plan->least ? count : plan->least;
}

static int measure_reads(struct probing *p, struct error *err)
{
	const struct far_objects *objects = &p->objects;

	if (objects->small_count &&
	    measure(p, FAR_OF_OBJECTS, read_object,
	        at_least(p->plan, objects->small_count), err))
		return -1;
	if (!objects->large_count)
		return 0;
	if (make_blocks(p, err) || measure(p, FAR_OF_REQUESTS, read_request,
	                               at_least(p->plan, 1000), err))
		return -1;
	return measure(p, FAR_OF_STREAMS, read_block,
	    at_least(p->plan, p->block_count), err);
}

static int measure_writes(struct probing *p, struct error *err)
{
	struct random random = random_stream(p->plan->seed, 0, 0, 3);

	p->mark = random_u64(&random) ^ p->plan->seed;
	if (buf_reserve(&p->written, FAR_LARGE, err))
		return -1;
	random_fill(&random, p->written.data, FAR_LARGE);
	p->write_bytes = FAR_OBJECT;
	if (measure(p, FAR_OF_SMALL_WRITES, write_object,
	        at_least(p->plan, 100), err))
		return -1;
	p->write_bytes = FAR_LARGE;
	return measure(p, FAR_OF_LARGE_WRITES, write_object,
	    at_least(p->plan, WRITES_LEAST), err);
}

static int make_buffers(struct probing *p, struct error *err)
{
	for (unsigned i = 0; i < p->plan->connection_count; i++)
		if (p->plan->connections[i] > p->buffer_count)
			p->buffer_count = p->plan->connections[i];
	p->buffers = memory_zeroed(p->buffer_count * sizeof(*p->buffers), err);
	return p->buffers ? 0 : -1;
}

static void release(struct probing *p)
{
	far_objects_release(&p->objects);
	for (unsigned i = 0; p->buffers && i < p->buffer_count; i++)
		buf_release(&p->buffers[i]);
	free(p->buffers);
	free(p->blocks);
	buf_release(&p->written);
}

static unsigned count_patterns(const struct probing *p)
{
	unsigned count = p->objects.small_count ? 1 : 0;

	if (p->objects.large_count)
		count += 2;
	return p->plan->write ? count + 2 : count;
}

int far_probe_run(
    const struct far_plan *plan, struct far_probe *probe, struct error *err)
{
	struct probing p = { .plan = plan, .probe = probe };
	struct error failed = ERROR_INIT;
	int rc = -1;

	*probe = (struct far_probe){ .count = 0 };
	if (far_objects_find(plan, &p.objects, probe, err) == 0 &&
	    make_buffers(&p, err) == 0) {
		p.steps = count_patterns(&p) * plan->connection_count;
		rc = measure_reads(&p, err);
	}
	probe->reads = medium_requests(plan->medium);
	probe->bytes_read = medium_bytes_read(plan->medium);
	if (rc == 0 && plan->write)
		rc = measure_writes(&p, err);
	if (remove_written(&p, &failed)) {
		if (rc == 0)
			*err = failed;
		rc = say_left(&p, err);
	}
	release(&p);
	return rc;
}
