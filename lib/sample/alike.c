/* alike.c - see alike.h. */
#include "lib/sample/alike.h"

#include <assert.h>
#include <string.h>

#include "lib/base/array.h"

void alike_begin(struct alike *alike, const unsigned char *memory, size_t start)
{
	alike->is_noted = false;
	alike->memory = memory;
	alike->start = start;
	alike->count = 0;
	alike->keys = 0;
	alike->label.len = 0;
}

/* Returns the distance of a byte from the start of the record. */
static size_t distance(const struct alike *alike, const unsigned char *at)
{
	return (size_t)(at - alike->memory) - alike->start;
}

void alike_add(
    struct alike *alike, const unsigned char *from, const unsigned char *end)
{
	assert(alike->count < ARRAY_LEN(alike->parts));
	alike->parts[alike->count++] = (struct alike_part){
		.at = distance(alike, from),
		.len = (size_t)(end - from),
	};
}

void alike_add_key(struct alike *alike, const unsigned char *key)
{
	assert(alike->keys < ARRAY_LEN(alike->key_at));
	alike->key_at[alike->keys++] = distance(alike, key);
}

void alike_set_label(struct alike *alike, struct span label)
{
	alike->label.at = distance(alike, label.data);
	alike->label.len = label.len;
}

void alike_end(struct alike *alike, size_t end, const struct sample *sample)
{
	alike->is_noted = true;
	alike->len = end - alike->start;
	sample_view(&alike->sample, sample);
}

static bool is_like(const struct alike *alike, const unsigned char *record)
{
	const unsigned char *noted = alike->memory + alike->start;
	const struct span key = alike->sample.key;
	const size_t key_at = distance(alike, key.data);

	for (unsigned i = 0; i < alike->count; i++)
		if (memcmp(record + alike->parts[i].at,
		        noted + alike->parts[i].at, alike->parts[i].len) != 0)
			return false;
	for (unsigned i = 0; i < alike->keys; i++)
		if (memcmp(record + alike->key_at[i], record + key_at,
		        key.len) != 0)
			return false;
	return true;
}

/* Moves a view of the record noted to the same place in another record. */
static void set_field(struct tensor *field, const struct tensor *noted,
    const struct alike *alike, const unsigned char *record)
{
	union {
		const unsigned char *borrowed;
		void *data;
	} view = { .borrowed = record + distance(alike, noted->data) };

	tensor_borrow(field, noted);
	field->data = view.data;
}

bool alike_take(const struct alike *alike, struct span memory, size_t at,
    struct sample *sample)
{
	const unsigned char *record = memory.data + at;
	const struct sample *noted = &alike->sample;

	if (!alike->is_noted || memory.data != alike->memory ||
	    at > memory.len || memory.len - at < alike->len ||
	    !is_like(alike, record))
		return false;
	sample->key.data = record + distance(alike, noted->key.data);
	sample->key.len = noted->key.len;
	sample->label = -1;
	sample->count = noted->count;
	for (unsigned f = 0; f < noted->count; f++)
		set_field(&sample->fields[f], &noted->fields[f], alike, record);
	return true;
}

struct span alike_label(const struct alike *alike, size_t at)
{
	return (struct span){
		.data = alike->memory + at + alike->label.at,
		.len = alike->label.len,
	};
}
