/* batch.c - see batch.h. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/pages.h"
#include "lib/sample/batch.h"
#include "lib/sample/key_room.h"
#include "lib/sample/pool.h"

enum {
	BATCH_LARGE = 4 << 20, /* bytes: more than a core's private caches */
	LINE = 64,             /* bytes of the caches */
};

/* Large blocks use huge pages: writes to a batch miss the TLB less often. */
static void *batch_block(
    struct batch *batch, unsigned f, size_t total, struct error *err)
{
	const size_t rest = TENSOR_ALIGN - total % TENSOR_ALIGN;

	if (total >= PAGES_HUGE)
		return batch->blocks[f] =
		           pages_take(&batch->pages[f], total, err);
	batch->blocks[f] = aligned_alloc(TENSOR_ALIGN, total + rest);
	if (!batch->blocks[f])
		error_memory(err, total);
	return batch->blocks[f];
}

/* Blocks in memory of another's lie behind each other, aligned. */
static size_t padded(size_t total)
{
	return total + (TENSOR_ALIGN - total % TENSOR_ALIGN) % TENSOR_ALIGN;
}

/*
 * Makes one block for a field of known size and places all slots in it: at *at,
 * which is moved behind it; NULL: in memory of its own.
 */
static int place_field(struct batch *batch, unsigned f, size_t bytes,
    unsigned char **at, struct error *err)
{
	size_t total;

	if (size_mul(bytes, batch->capacity, &total))
		return error_set(err, ERROR_LIMIT, "a batch of %u is too large",
		    batch->capacity);
	if (*at) {
		batch->blocks[f] = *at;
		*at += padded(total);
	} else {
		if (!batch_block(batch, f, total, err))
			return -1;
		memset(batch->blocks[f], 0, total); /* faults all pages in */
	}
	for (unsigned i = 0; i < batch->capacity; i++) {
		struct tensor *field = &batch->slots[i].fields[f];

		tensor_place(
		    field, (char *)batch->blocks[f] + i * bytes, bytes);
		field->is_large = total >= BATCH_LARGE;
	}
	return 0;
}

/* Lets its slots take memory once their size is known. */
static void vary_field(struct batch *batch, unsigned f, struct pool *pool)
{
	if (pool)
		batch->varied |= 1u << f;
	for (unsigned i = 0; i < batch->capacity; i++)
		batch->slots[i].fields[f].block = pool_empty(pool);
}

size_t batch_part(unsigned capacity, const struct schema *schema)
{
	size_t part = 0;

	for (unsigned f = 0; f < schema->count; f++) {
		const int64_t bytes = type_bytes(&schema->fields[f].type);
		size_t total;

		if (bytes > 0 && (size_mul((size_t)bytes, capacity, &total) ||
		                     total > SIZE_MAX / 2 / FIELDS_MAX))
			return 0;
		if (bytes > 0)
			part += padded(total);
	}
	return part;
}

struct batch *batch_new_at(unsigned capacity, const struct schema *schema,
    struct pool *pool, void *memory, uint32_t place, struct error *err)
{
	struct batch *batch = calloc(1, sizeof(*batch));
	unsigned char *at = memory;

	if (batch)
		batch->slots = calloc(capacity, sizeof(*batch->slots));
	if (!batch || !batch->slots) {
		free(batch);
		error_memory(err, capacity * sizeof(struct sample));
		return NULL;
	}
	batch->capacity = capacity;
	batch->place = place;
	for (unsigned f = 0; f < schema->count; f++) {
		const int64_t bytes = type_bytes(&schema->fields[f].type);

		if (bytes < 0)
			vary_field(batch, f, pool);
		if (bytes > 0 &&
		    place_field(batch, f, (size_t)bytes, &at, err)) {
			batch_free(batch);
			return NULL;
		}
	}
	return batch;
}

struct batch *batch_new(unsigned capacity, const struct schema *schema,
    struct pool *pool, struct error *err)
{
	return batch_new_at(capacity, schema, pool, NULL, 0, err);
}

void batch_begin_view(struct batch *batch, struct mapping mapping, void *first)
{
	batch->view = mapping;
	batch->block = batch->blocks[0];
	batch->blocks[0] = first;
}

void batch_view_slot(
    struct batch *batch, unsigned slot, const struct sample *sample)
{
	struct tensor *to = &batch->slots[slot].fields[0];
	const struct tensor *from = &sample->fields[0];

	to->dtype = from->dtype;
	to->shape = from->shape;
	to->bytes = from->bytes;
	to->data = from->data;
	memcpy(to->suffix, from->suffix, SUFFIX_MAX);
}

void batch_end_view(struct batch *batch, unsigned slots)
{
	if (!batch->view.entry)
		return;
	batch->blocks[0] = batch->block;
	for (unsigned i = 0; i < batch->capacity; i++) {
		struct tensor *field = &batch->slots[i].fields[0];
		char *own = (char *)batch->block + i * field->capacity;

		if (field->data != own && i < slots && batch->slots[i].count)
			memcpy(own, field->data, field->bytes);
		field->data = own;
	}
	mapping_release(&batch->view);
}

void batch_free(struct batch *batch)
{
	if (!batch)
		return;
	batch_end_view(batch, 0);
	for (unsigned i = 0; i < batch->capacity; i++)
		sample_release(&batch->slots[i]);
	for (unsigned f = 0; f < FIELDS_MAX; f++)
		if (batch->pages[f].map)
			pages_give(&batch->pages[f]);
		else if (!batch->place)
			free(batch->blocks[f]);
	key_room_free(batch->key_room);
	buf_release(&batch->keys);
	free(batch->slots);
	free(batch);
}

/* Returns memory of the filled slots, and of one that may have been begun. */
static void hand_back(struct batch *batch, unsigned f)
{
	for (unsigned i = 0; i <= batch->count && i < batch->capacity; i++)
		tensor_hand_back(&batch->slots[i].fields[f]);
}

void batch_reset(struct batch *batch)
{
	for (unsigned f = 0; batch->varied >> f; f++)
		if (batch->varied & 1u << f)
			hand_back(batch, f);
	batch->count = 0;
	batch->keys.len = 0;
}

void batch_clear(struct batch *batch)
{
	batch_end_view(batch, 0);
	for (unsigned f = 0; batch->varied >> f; f++)
		for (unsigned i = 0; i < batch->capacity; i++)
			tensor_hand_back(&batch->slots[i].fields[f]);
	batch->count = 0;
	batch->keys.len = 0;
	if (batch->key_room)
		key_room_reset(batch->key_room);
}

/* The keys moved: update the slots' pointers. */
static void follow_keys(struct batch *batch)
{
	const unsigned char *at = batch->keys.data;

	for (unsigned i = 0; i < batch->count; i++) {
		batch->slots[i].key.data = at;
		at += batch->slots[i].key.len;
	}
}

/*
 * Fetches the lines of a slot that most samples need.  The slots of a large
 * batch do not stay in the caches, and processors do not foresee their stride.
 * The address may lie behind the last slot: this is only a hint.
 */
static void expect(const struct sample *slot)
{
	const char *at = (const char *)slot;

	for (size_t i = 0; i < offsetof(struct sample, fields[1]); i += LINE)
		__builtin_prefetch(at + i, 1);
}

int batch_add(struct batch *batch, struct span key, struct error *err)
{
	struct sample *slot = batch_slot(batch);
	const unsigned char *before = batch->keys.data;
	const size_t at = batch->keys.len;

	if (buf_append(&batch->keys, key.data, key.len, err))
		return -1;
	if (batch->keys.data != before)
		follow_keys(batch);
	slot->key.data = batch->keys.data + at;
	slot->key.len = key.len;
	batch->count++;
	expect(slot + 1);
	return 0;
}

int batch_put(
    struct batch *batch, unsigned slot, struct span key, struct error *err)
{
	return key_room_put(batch->key_room, key, &batch->slots[slot].key, err);
}

/* Moves a field to an earlier slot, which nobody needs any more. */
static void move_field(
    const struct batch *batch, unsigned f, unsigned to, unsigned from)
{
	struct tensor *into = &batch->slots[to].fields[f];
	struct tensor *field = &batch->slots[from].fields[f];
	const struct tensor kept = *into;

	*into = *field;
	if (!batch->blocks[f]) {
		*field = kept;
		return;
	}
	into->data = kept.data;
	if (field->bytes)
		memcpy(into->data, field->data, field->bytes);
}

void batch_close_gaps(struct batch *batch, unsigned slots)
{
	unsigned to = 0;

	for (unsigned from = 0; from < slots; from++) {
		const struct sample *sample = &batch->slots[from];

		if (sample->count == 0)
			continue;
		if (to < from) {
			struct sample *into = &batch->slots[to];

			for (unsigned f = 0; f < sample->count; f++)
				move_field(batch, f, to, from);
			into->key = sample->key;
			into->label = sample->label;
			into->count = sample->count;
		}
		to++;
	}
	batch->count = to;
}
