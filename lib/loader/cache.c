/*
 * cache.c - see cache.h.
 *
 * The fields of a sample lie one after the other, aligned, in one arena.
 * Another arena has an item of fixed size for each sample, which points to its
 * fields and its key.  Properties that the schema leaves open (unknown dims,
 * the suffix of a file's bytes) follow the item as words; see the schema.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/loader/cache.h"
#include "lib/sample/batch.h"
#include "lib/sample/reader.h"

enum {
	ITEMS = 4096, /* items in a block */
	/* The order of an epoch is an order of streams. */
	STREAM_SAMPLES = 64,
	STREAMS_MOST = 256,
	/*
	 * Size of a chunk: large enough that queues cost little, small enough
	 * that workers finish together. It grows where chunks are too many.
	 */
	CHUNK_BYTES = 1 << 20,
	CHUNKS = CACHE_CHUNKS - STREAMS_MOST, /* one short one per stream */
	SUFFIX_WORDS = SUFFIX_MAX / sizeof(int64_t),
};

struct item { /* a sample; its words follow */
	unsigned char *data;
	const unsigned char *key;
	size_t key_len;
	int64_t label;
	int64_t words[];
};

struct cached_field {
	struct type type;
	struct tensor view;  /* known type: everything but the address */
	size_t padded_bytes; /* known type only */
	unsigned words;      /* 0: the type is known */
};

struct cache {
	struct reader reader;
	struct arena data, items, keys;
	struct cached_field fields[FIELDS_MAX];
	unsigned field_count;
	size_t item_bytes;      /* including words */
	unsigned char **blocks; /* blocks of ITEMS items, in the arena */
	size_t block_capacity;
	uint64_t samples;  /* samples in the cache */
	uint64_t expected; /* samples that will come */
	uint64_t bytes, budget;
};

struct stream {
	const struct cache *cache;
	uint64_t next, end; /* samples */
	uint64_t chunk;     /* samples in a chunk */
};

static size_t padded(size_t bytes)
{
	return bytes + (TENSOR_ALIGN - bytes % TENSOR_ALIGN) % TENSOR_ALIGN;
}

static struct item *item_at(const struct cache *cache, uint64_t i)
{
	/* Aligned: both the blocks and the size of an item are multiples. */
	void *item = cache->blocks[i / ITEMS] + i % ITEMS * cache->item_bytes;

	return item;
}

/* ---- filling ---- */

static int too_large(double need, uint64_t budget, struct error *err)
{
	char a[UNITS_TEXT], b[UNITS_TEXT];

	return error_set(err, ERROR_LIMIT,
	    "needs about %s in memory, %s are allowed (load.cache_budget)",
	    units_bytes(need, a), units_bytes((double)budget, b));
}

static size_t field_words(const struct type *type)
{
	if (type->layout == LAYOUT_ENCODED)
		return 1 + SUFFIX_WORDS;
	return type_bytes(type) < 0 ? type->shape.count : 0;
}

double cache_sample_bytes(
    const struct schema *schema, double field_bytes, double key_bytes)
{
	double bytes = sizeof(struct item) + key_bytes + field_bytes;

	for (unsigned f = 0; f < schema->count; f++) {
		const struct type *type = &schema->fields[f].type;
		const int64_t known = type_bytes(type);

		bytes += (double)(field_words(type) * sizeof(int64_t));
		bytes += known < 0
		             ? (double)TENSOR_ALIGN / 2
		             : (double)(padded((size_t)known) - (size_t)known);
	}
	return bytes;
}

/* Returns the bytes of a sample without the padding between blocks. */
static uint64_t bytes_of(const struct cache *cache, const struct sample *sample)
{
	uint64_t bytes = cache->item_bytes + sample->key.len;

	for (unsigned f = 0; f < cache->field_count; f++)
		bytes += padded(sample->fields[f].bytes);
	return bytes;
}

/* Estimates the whole need from the samples so far. */
static int no_room(const struct cache *cache, uint64_t more, struct error *err)
{
	const double n = (double)cache->samples + 1;
	const double all =
	    cache->expected > cache->samples ? (double)cache->expected : n;

	return too_large(
	    (double)(cache->bytes + more) / n * all, cache->budget, err);
}

static struct item *new_item(struct cache *cache, struct error *err)
{
	const size_t block = (size_t)(cache->samples / ITEMS);
	unsigned char **blocks;

	if (cache->samples % ITEMS)
		return item_at(cache, cache->samples);
	blocks = array_grow(cache->blocks, &cache->block_capacity, block + 1,
	    sizeof(*blocks), err);
	if (!blocks)
		return NULL;
	cache->blocks = blocks;
	blocks[block] = arena_take(&cache->items, ITEMS * cache->item_bytes,
	    _Alignof(struct item), err);
	return blocks[block] ? item_at(cache, cache->samples) : NULL;
}

/* Records what the schema leaves open. */
static void note_words(const struct cached_field *field,
    const struct tensor *tensor, int64_t *words)
{
	const unsigned dims = tensor->shape.count;

	if (!field->words)
		return;
	memcpy(words, tensor->shape.dims, dims * sizeof(*words));
	if (field->type.layout == LAYOUT_ENCODED)
		memcpy(words + dims, tensor->suffix, SUFFIX_MAX);
}

static void put_fields(
    const struct cache *cache, const struct sample *sample, struct item *item)
{
	unsigned char *at = item->data;
	int64_t *words = item->words;

	for (unsigned f = 0; f < cache->field_count; f++) {
		const struct tensor *tensor = &sample->fields[f];

		note_words(&cache->fields[f], tensor, words);
		words += cache->fields[f].words;
		if (tensor->bytes)
			memcpy(at, tensor->data, tensor->bytes);
		at += padded(tensor->bytes);
	}
}

static int add_sample(
    struct cache *cache, const struct sample *sample, struct error *err)
{
	const uint64_t more = bytes_of(cache, sample);
	struct item *item;
	unsigned char *key;

	if (sample_check(sample, &cache->reader.schema, err))
		return -1;
	if (more > cache->budget || cache->bytes > cache->budget - more)
		return no_room(cache, more, err);
	item = new_item(cache, err);
	key = arena_take(&cache->keys, sample->key.len, 1, err);
	if (!item || !key)
		return -1;
	item->data = arena_take(&cache->data,
	    (size_t)(more - cache->item_bytes - sample->key.len), TENSOR_ALIGN,
	    err);
	if (!item->data)
		return -1;
	if (sample->key.len)
		memcpy(key, sample->key.data, sample->key.len);
	item->key = key;
	item->key_len = sample->key.len;
	item->label = sample->label;
	put_fields(cache, sample, item);
	cache->bytes += more;
	cache->samples++;
	return 0;
}

int cache_add(struct cache *cache, const struct batch *batch, struct error *err)
{
	for (unsigned i = 0; i < batch->count; i++)
		if (add_sample(cache, &batch->slots[i], err))
			return -1;
	cache->reader.samples = cache->samples;
	cache->reader.total_samples = cache->samples;
	return 0;
}

/* ---- reading ---- */

/* Ranges differ by one sample at most. */
static uint64_t stream_begin(const struct cache *cache, size_t stream)
{
	const uint64_t streams = cache->reader.streams;
	const uint64_t each = cache->samples / streams;
	const uint64_t more = cache->samples % streams;

	return stream * each + (stream < more ? stream : more);
}

static uint64_t chunk_samples(const struct cache *cache)
{
	const uint64_t least = cache->samples / CHUNKS + 1;
	const uint64_t n =
	    cache->bytes ? CHUNK_BYTES * cache->samples / cache->bytes : 0;

	return n > least ? n : least;
}

static void *cache_stream_open(
    const struct reader *reader, size_t index, struct error *err)
{
	const struct cache *cache = reader->priv;
	struct stream *stream = memory_zeroed(sizeof(*stream), err);

	if (!stream)
		return NULL;
	stream->cache = cache;
	stream->next = stream_begin(cache, index);
	stream->end = stream_begin(cache, index + 1);
	stream->chunk = chunk_samples(cache);
	return stream;
}

/* The only part of a chunk has the first sample and their number. */
static int cache_stream_fetch(
    void *priv, struct chunk *chunk, struct error *err)
{
	struct stream *stream = priv;
	const uint64_t left = stream->end - stream->next;
	const uint64_t n = left < stream->chunk ? left : stream->chunk;

	if (n == 0)
		return 0;
	if (chunk_add_part(chunk, 0, (size_t)n, stream->next, err))
		return -1;
	chunk->samples = n;
	stream->next += n;
	return 1;
}

/* Views a field whose type is partly unknown; returns its bytes. */
static size_t view_field(const struct cached_field *field, const int64_t *words,
    const unsigned char *at, struct tensor *tensor)
{
	struct shape shape = { .count = field->type.shape.count };

	memcpy(shape.dims, words, shape.count * sizeof(*words));
	*tensor = (struct tensor)TENSOR_INIT;
	tensor_view(tensor, field->type.dtype, &shape, at);
	if (field->type.layout == LAYOUT_ENCODED)
		memcpy(tensor->suffix, words + shape.count, SUFFIX_MAX);
	return padded(tensor->bytes);
}

static int cache_next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct cache *cache = reader->priv;
	const struct chunk_part *part = &chunk->parts[0];
	const struct item *item;
	const int64_t *words;
	unsigned char *at;

	UNUSED(err);
	if (chunk->at == part->len)
		return 0;
	item = item_at(cache, part->item + chunk->at++);
	words = item->words;
	at = item->data;
	sample->key = (struct span){ .data = item->key, .len = item->key_len };
	sample->label = item->label;
	sample->count = cache->field_count;
	for (unsigned f = 0; f < cache->field_count; f++) {
		const struct cached_field *field = &cache->fields[f];

		if (field->words) {
			at += view_field(field, words, at, &sample->fields[f]);
			words += field->words;
		} else {
			sample->fields[f] = field->view;
			sample->fields[f].data = at;
			at += field->padded_bytes;
		}
	}
	return 1;
}

static uint64_t cache_stream_samples(const struct reader *reader, size_t stream)
{
	const struct cache *cache = reader->priv;

	return stream_begin(cache, stream + 1) - stream_begin(cache, stream);
}

static void cache_reader_free(struct reader *reader)
{
	cache_free(reader->priv);
}

static const struct reader_ops cache_ops = {
	.stream_open = cache_stream_open,
	.stream_fetch = cache_stream_fetch,
	.stream_close = free,
	.next = cache_next,
	.stream_samples = cache_stream_samples,
	.each_file = reader_no_files,
	.free = cache_reader_free,
};

/* ---- making and freeing ---- */

static void set_fields(struct cache *cache, const struct schema *schema)
{
	size_t words = 0;

	cache->field_count = schema->count;
	for (unsigned f = 0; f < schema->count; f++) {
		struct cached_field *field = &cache->fields[f];

		field->type = schema->fields[f].type;
		field->words = (unsigned)field_words(&field->type);
		words += field->words;
		if (field->words)
			continue;
		field->padded_bytes = padded((size_t)type_bytes(&field->type));
		tensor_view(
		    &field->view, field->type.dtype, &field->type.shape, NULL);
	}
	cache->item_bytes = sizeof(struct item) + words * sizeof(int64_t);
}

struct cache *cache_new(const struct cache_plan *plan, struct error *err)
{
	struct cache *cache = memory_zeroed(sizeof(*cache), err);
	struct reader *reader;

	if (!cache)
		return NULL;
	cache->budget = plan->budget;
	cache->expected = plan->samples;
	set_fields(cache, plan->schema);
	reader = &cache->reader;
	*reader = (struct reader){
		.ops = &cache_ops,
		.priv = cache,
		.schema = *plan->schema,
		.streams = (size_t)(plan->samples / STREAM_SAMPLES) + 1,
		.samples = plan->samples,
		.total_samples = plan->samples,
	};
	if (plan->samples == 0 || reader->streams > STREAMS_MOST)
		reader->streams = STREAMS_MOST;
	return cache;
}

void cache_free(struct cache *cache)
{
	if (!cache)
		return;
	cache_clear(cache);
	free(cache);
}

const struct reader *cache_reader(const struct cache *cache)
{
	return &cache->reader;
}

void cache_clear(struct cache *cache)
{
	arena_release(&cache->data);
	arena_release(&cache->items);
	arena_release(&cache->keys);
	free(cache->blocks);
	cache->blocks = NULL;
	cache->block_capacity = 0;
	cache->samples = 0;
	cache->bytes = 0;
	cache->reader.samples = cache->expected;
}

uint64_t cache_samples(const struct cache *cache)
{
	return cache->samples;
}

uint64_t cache_bytes(const struct cache *cache)
{
	return cache->bytes;
}
