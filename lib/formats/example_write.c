/* example_write.c - see example.h: writing. */
#include <stdio.h>
#include <string.h>

#include "lib/formats/example.h"

enum {
	TAG_LEN_1 = 1 << 3 | 2,    /* field 1, length-delimited */
	TAG_LEN_2 = 2 << 3 | 2,    /* field 2, length-delimited */
	TAG_PADDING = 15 << 3 | 2, /* field 15, unknown to Example */
};

static size_t varint_size(uint64_t value)
{
	size_t size = 1;

	while (value >>= 7)
		size++;
	return size;
}

static unsigned char *put_varint(unsigned char *out, uint64_t value)
{
	while (value > 127) {
		*out++ = (unsigned char)(value | 128);
		value >>= 7;
	}
	*out++ = (unsigned char)value;
	return out;
}

/* Writes a tag and the length of its content. */
static unsigned char *put_head(unsigned char *out, unsigned tag, size_t len)
{
	*out++ = (unsigned char)tag;
	return put_varint(out, len);
}

/* Returns the size of `len` bytes with their tag and length. */
static size_t with_head(size_t len)
{
	return 1 + varint_size(len) + len;
}

static struct example_item *add_item(
    struct example *example, const char *name, enum example_kind kind)
{
	struct example_item *item = &example->items[example->count++];

	snprintf(item->name, sizeof(item->name), "%s", name);
	item->kind = kind;
	return item;
}

void example_add_bytes(
    struct example *example, const char *name, struct span value)
{
	add_item(example, name, EXAMPLE_KIND_BYTES)->content = value;
}

void example_add_ints(struct example *example, const char *name,
    const int64_t *values, unsigned count)
{
	struct example_item *item = add_item(example, name, EXAMPLE_KIND_INTS);
	unsigned char *end = item->packed;

	for (unsigned i = 0; i < count; i++)
		end = put_varint(end, (uint64_t)values[i]);
	item->content.data = item->packed;
	item->content.len = (size_t)(end - item->packed);
}

/*
 * Returns the size of a list. An empty list of integers has no value; a list of
 * bytes has one, which may be empty.
 */
static size_t list_size(const struct example_item *item)
{
	if (item->kind == EXAMPLE_KIND_INTS && item->content.len == 0)
		return 0;
	return with_head(item->content.len);
}

static size_t entry_size(const struct example_item *item)
{
	return with_head(strlen(item->name)) +
	       with_head(with_head(list_size(item)));
}

static void sort(struct example *example)
{
	for (unsigned i = 0; i < example->count; i++) {
		struct example_item *item = &example->items[i];
		unsigned at = i;

		for (; at > 0 &&
		       strcmp(example->sorted[at - 1]->name, item->name) > 0;
		     at--)
			example->sorted[at] = example->sorted[at - 1];
		example->sorted[at] = item;
	}
}

static size_t features_size(const struct example *example)
{
	size_t size = 0;

	for (unsigned i = 0; i < example->count; i++)
		size += with_head(entry_size(example->sorted[i]));
	return size;
}

size_t example_size(struct example *example)
{
	size_t features, at;

	sort(example);
	features = features_size(example);
	at = with_head(features) - features;
	for (unsigned i = 0; i < example->count; i++) {
		struct example_item *item = example->sorted[i];

		at += with_head(entry_size(item));
		item->content_at = at - item->content.len;
	}
	return at;
}

size_t example_content_at(const struct example *example, const char *name)
{
	for (unsigned i = 0; i < example->count; i++)
		if (strcmp(example->items[i].name, name) == 0)
			return example->items[i].content_at;
	return 0;
}

void example_write(const struct example *example, unsigned char *out)
{
	out = put_head(out, TAG_LEN_1, features_size(example));
	for (unsigned i = 0; i < example->count; i++) {
		const struct example_item *item = example->sorted[i];
		const size_t name_len = strlen(item->name);
		const size_t list_len = list_size(item);

		out = put_head(out, TAG_LEN_1, entry_size(item));
		out = put_head(out, TAG_LEN_1, name_len);
		memcpy(out, item->name, name_len);
		out = put_head(out + name_len, TAG_LEN_2, with_head(list_len));
		out = put_head(out, (unsigned)item->kind << 3 | 2, list_len);
		if (list_len == 0)
			continue;
		out = put_head(out, TAG_LEN_1, item->content.len);
		if (item->content.len)
			memcpy(out, item->content.data, item->content.len);
		out += item->content.len;
	}
}

void example_write_padding(unsigned char *out, size_t len)
{
	out[0] = TAG_PADDING;
	out[1] = (unsigned char)(len - 2);
	memset(out + 2, 0, len - 2);
}
