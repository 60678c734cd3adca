/*
 * file_list.h - lists the files of a shard or a folder, each with its size and
 * the XXH3 of its bytes, as xxhsum -H3 prints it.
 */
#ifndef LIB_FORMATS_FILE_LIST_H
#define LIB_FORMATS_FILE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct hash_state;
struct medium;
struct medium_file;

struct file_sum {
	uint64_t bytes, checksum;
};

struct listed_file {
	char *name; /* owned; relative to the folder */
	struct file_sum sum;
};

struct file_list {
	struct listed_file *files; /* sorted by name after file_list_sort */
	size_t count, capacity;
};

#define FILE_LIST_INIT        \
	{                     \
		.files = NULL \
	}

void file_list_release(struct file_list *list);
/* Adds a file; ERROR_DATA for a name that leads out of the folder. */
int file_list_add(struct file_list *list, struct span name,
    const struct file_sum *sum, struct error *err);
/* Adds all files of another list. */
int file_list_join(
    struct file_list *list, const struct file_list *other, struct error *err);
/* Takes a file off a sorted list, if it is there. */
void file_list_drop(struct file_list *list, const char *name);
/* Sorts by name; ERROR_DATA when a name is there twice. */
int file_list_sort(struct file_list *list, struct error *err);
/* Finds a file in a sorted list; NULL: not there. */
const struct listed_file *file_list_find(
    const struct file_list *list, const char *name);

struct file_sum file_sum_of(struct span bytes);
bool file_sum_equal(const struct file_sum *a, const struct file_sum *b);
/* Compares: ERROR_DATA "its checksum is ..., SOURCE says ...", or size. */
int file_sum_check(const struct file_sum *is, const struct file_sum *wanted,
    const char *source, struct error *err);
/* Adds all bytes of an open file to the hash, and their number to *bytes. */
int file_hash(struct medium_file *file, struct hash_state *hash,
    uint64_t *bytes, struct error *err);
int file_sum_read(struct medium *medium, const char *path, struct file_sum *sum,
    struct error *err);

/* Does the same for an open file. */
int file_sum_read_open(
    struct medium_file *file, struct file_sum *sum, struct error *err);

#endif
