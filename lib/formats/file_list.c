/* file_list.c - see file_list.h. */
#include "lib/formats/file_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/media/medium.h"

enum { READ_BYTES = 1 << 20 };

void file_list_release(struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->files[i].name);
	free(list->files);
	*list = (struct file_list)FILE_LIST_INIT;
}

/* Is it one word of graphic characters that stays within the folder? */
static bool is_name(struct span name)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.data[i] <= ' ' || name.data[i] >= 0x7f ||
		    name.data[i] == '/')
			return false;
	return name.len > 0 && name.data[0] != '.';
}

int file_list_add(struct file_list *list, struct span name,
    const struct file_sum *sum, struct error *err)
{
	struct listed_file *files;
	char *copy;

	if (!is_name(name))
		return error_set(err, ERROR_DATA,
		    "a file's name is not one that presto gives");
	files = array_grow(
	    list->files, &list->capacity, list->count + 1, sizeof(*files), err);
	if (!files)
		return -1;
	list->files = files;
	copy = malloc(name.len + 1);
	if (!copy)
		return error_memory(err, name.len + 1);
	memcpy(copy, name.data, name.len);
	copy[name.len] = '\0';
	files[list->count++] =
	    (struct listed_file){ .name = copy, .sum = *sum };
	return 0;
}

int file_list_join(
    struct file_list *list, const struct file_list *other, struct error *err)
{
	for (size_t i = 0; i < other->count; i++)
		if (file_list_add(list, span_text(other->files[i].name),
		        &other->files[i].sum, err))
			return -1;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct listed_file *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static bool is_sorted(const struct file_list *list)
{
	for (size_t i = 1; i < list->count; i++)
		if (compare(&list->files[i - 1], &list->files[i]) > 0)
			return false;
	return true;
}

int file_list_sort(struct file_list *list, struct error *err)
{
	/* lists of a million shards mostly come sorted, and have no room */
	if (!is_sorted(list))
		qsort(list->files, list->count, sizeof(*list->files), compare);
	for (size_t i = 1; i < list->count; i++)
		if (compare(&list->files[i - 1], &list->files[i]) == 0)
			return error_set(err, ERROR_DATA,
			    "the file %s is listed twice", list->files[i].name);
	return 0;
}

static int compare_name(const void *name, const void *item)
{
	const struct listed_file *file = item;

	return strcmp(name, file->name);
}

const struct listed_file *file_list_find(
    const struct file_list *list, const char *name)
{
	return list->count ? bsearch(name, list->files, list->count,
	                         sizeof(*list->files), compare_name)
	                   : NULL;
}

void file_list_drop(struct file_list *list, const char *name)
{
	const struct listed_file *found = file_list_find(list, name);
	const size_t at = found ? (size_t)(found - list->files) : list->count;

	if (!found)
		return;
	free(list->files[at].name);
	memmove(&list->files[at], &list->files[at + 1],
	    (list->count - at - 1) * sizeof(*list->files));
	list->count--;
}

struct file_sum file_sum_of(struct span bytes)
{
	return (
	    struct file_sum){ bytes.len, hash_bytes(bytes.data, bytes.len, 0) };
}

bool file_sum_equal(const struct file_sum *a, const struct file_sum *b)
{
	return a->bytes == b->bytes && a->checksum == b->checksum;
}

int file_sum_check(const struct file_sum *is, const struct file_sum *wanted,
    const char *source, struct error *err)
{
	if (is->bytes != wanted->bytes)
		return error_set(err, ERROR_DATA,
		    "it has %" PRIu64 " bytes, %s says %" PRIu64, is->bytes,
		    source, wanted->bytes);
	if (is->checksum != wanted->checksum)
		return error_set(err, ERROR_DATA,
		    "its checksum is %016" PRIx64 ", %s says %016" PRIx64,
		    is->checksum, source, wanted->checksum);
	return 0;
}

int file_hash(struct medium_file *file, struct hash_state *hash,
    uint64_t *bytes, struct error *err)
{
	unsigned char *block = malloc(READ_BYTES);
	uint64_t at = 0;
	int64_t got;

	if (!block)
		return error_memory(err, READ_BYTES);
	while ((got = medium_read(file, at, block, READ_BYTES, err)) > 0) {
		hash_update(hash, block, (size_t)got);
		at += (uint64_t)got;
	}
	*bytes += at;
	free(block);
	return got < 0 ? -1 : 0;
}

int file_sum_read_open(
    struct medium_file *file, struct file_sum *sum, struct error *err)
{
	struct hash_state *hash = hash_new();
	int rc;

	if (!hash)
		return error_set(err, ERROR_MEMORY, "out of memory");
	sum->bytes = 0;
	rc = file_hash(file, hash, &sum->bytes, err);
	sum->checksum = hash_digest(hash);
	hash_free(hash);
	return rc;
}

int file_sum_read(struct medium *medium, const char *path, struct file_sum *sum,
    struct error *err)
{
	struct medium_file *file = medium_open(medium, path, err);
	const int rc = file ? file_sum_read_open(file, sum, err) : -1;

	medium_close(file);
	return rc;
}
